import { expect, onTestFinished, test } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import { openStore } from '../src/open-store.ts';

const AD = '00000000-0000-4000-8000-000000000001';
const MINUTE = 60_000;

describeDatabases('an idempotency key', (database) => {
  test('is in use for exactly ten minutes', async () => {
    const store = await openStore(database.url);
    onTestFinished(() => store.close());
    await store.putBlog({ id: 'b', name: 'B', posts: [], ads: [{ id: AD, format: 'BANNER' }] }, 0);
    let deliveries = 0;
    const deliver = async (at: number) => {
      deliveries += 1;
      const idempotency = { keyHash: 'key', requestHash: 'request', deliveryId: String(deliveries) };
      return (await store.deliver('b', { slots: [{ candidates: [AD] }], idempotency }, at)).outcome;
    };
    const outcomes = [await deliver(0), await deliver(10 * MINUTE - 1), await deliver(10 * MINUTE)];
    expect(outcomes).toEqual(['counted', 'replayed', 'counted']);
  });
});
