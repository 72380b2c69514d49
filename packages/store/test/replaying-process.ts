import { StoreUnavailable } from '@broadsheet/core';
import { openStore } from './open-store.ts';

/**
 * A process of the replay test: `URL BLOG TIMES EVENT`. It prints `ready`, waits for its stdin to end, and then replays
 * a click or delivers the ad of the campaign `c`.
 */
const [url = '', blogId = '', times = '', event = ''] = process.argv.slice(2);
const store = await openStore(url);
process.stdout.write('ready\n');
for await (const _ of process.stdin);
const at = Date.UTC(2026, 0, 1);
const adId = '00000000-0000-4000-8000-000000000001';
const click = {
  tokenId: 'the-token',
  tokenExpiresAt: at + 600_000,
  adId,
  visitor: undefined,
  at,
  repeatSince: at - 1_800_000,
};
const delivery = { slots: [{ candidates: [adId] }], campaigns: new Map([[adId, 'c']]) };
const deliver = async () => ((await store.deliver(blogId, delivery, at)).adIds[0] === adId ? 'delivered' : 'refused');
/** Like a client, tries again when the database is too busy for another connection; then nothing was written. */
async function replay(): Promise<string> {
  try {
    return await (event === 'click' ? store.recordClick(blogId, click) : deliver());
  } catch (error) {
    if (error instanceof StoreUnavailable) return replay();
    throw error;
  }
}
const outcomes = await Promise.all(Array.from({ length: Number(times) }, replay));
process.stdout.write(`${JSON.stringify(outcomes)}\n`);
await store.close();
