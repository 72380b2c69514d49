import { openStore } from './open-store.ts';

/** A process of the replay test: `URL BLOG TIMES`; it says `ready`, waits for its stdin to end and replays a click. */
const [url = '', blogId = '', times = ''] = process.argv.slice(2);
const store = await openStore(url);
process.stdout.write('ready\n');
for await (const _ of process.stdin);
const at = Date.UTC(2026, 0, 1);
const click = {
  tokenId: 'the-token',
  tokenExpiresAt: at + 600_000,
  adId: '00000000-0000-4000-8000-000000000001',
  visitor: undefined,
  at,
  repeatSince: at - 1_800_000,
};
const outcomes = await Promise.all(Array.from({ length: Number(times) }, () => store.recordClick(blogId, click)));
process.stdout.write(`${JSON.stringify(outcomes)}\n`);
await store.close();
