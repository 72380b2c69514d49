import { createInterface } from 'node:readline';
import { StoreUnavailable } from '@broadsheet/core';
import { openStore } from '@broadsheet/store/node';

/**
 * A process of the replay test: `URL BLOG TIMES`. It prints `ready`, and for each line that it reads it repeats an event,
 * a `click` or a `delivery` of the ad of the campaign `c`, and prints the outcomes.
 */
const [url = '', blogId = '', times = ''] = process.argv.slice(2);
const store = await openStore(url);
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
async function replay(event: string): Promise<string> {
  try {
    return await (event === 'click' ? store.recordClick(blogId, click) : deliver());
  } catch (error) {
    if (error instanceof StoreUnavailable) return replay(event);
    throw error;
  }
}
process.stdout.write('ready\n');
for await (const event of createInterface(process.stdin)) {
  const outcomes = await Promise.all(Array.from({ length: Number(times) }, () => replay(event)));
  process.stdout.write(`${JSON.stringify(outcomes)}\n`);
}
await store.close();
