import type { Delivered, Delivery } from '@broadsheet/core';
import { equal } from '../../src/expect.ts';
import type { PlainStore } from './plain-store.ts';
import { ad, adId, byAdAndDay, impressionsOf, NOW, put } from './sample.ts';
import { type StoreCase, storeCase } from './store-case.ts';

const MINUTE = 60_000;
const slots = [{ candidates: [adId(1)], placement: 'top' }, { candidates: [], placement: 'side' }, { candidates: [] }];
const adIds = [adId(1), undefined, undefined];

/** A delivery with an idempotency key and its own id. */
const keyed = (deliveryId: string, more: Partial<NonNullable<Delivery['idempotency']>> = {}): Delivery => ({
  slots,
  idempotency: { keyHash: 'key', requestHash: 'request', deliveryId, ...more },
});
const requests = async (store: PlainStore) => (await store.figures('b', { by: [] }))[0]?.requests;

/** Deliveries, and what is counted. */
export const deliveryCases: readonly StoreCase[] = [
  storeCase('each slot gets its first candidate, which is counted', async (store) => {
    await put(store, { ads: [ad(1), ad(2)] });
    const delivery = { slots: [{ candidates: [adId(2), adId(1)] }, { candidates: [] }, { candidates: [adId(1)] }] };
    equal(await store.deliver('b', delivery, NOW), { outcome: 'counted', adIds: [adId(2), undefined, adId(1)] }, 'ads');
    equal(
      (await byAdAndDay(store)).map((row) => [row.ad, row.delivered]),
      [
        [adId(1), 1],
        [adId(2), 1],
      ],
      'counts',
    );
  }),
  storeCase(
    'a delivery with a key is counted once, and its replay has the ads and the id of the first',
    async (store) => {
      await put(store, { ads: [ad(1)] });
      equal(await store.deliver('b', keyed('first'), NOW), { outcome: 'counted', adIds }, 'the first');
      const other = { ...keyed('second'), slots: slots.map((slot) => ({ ...slot, candidates: [adId(2)] })) };
      const first = { deliveryId: 'first', day: '2026-03-01', traffic: 'valid', campaigns: {} };
      const replay = { outcome: 'replayed', adIds, first };
      equal(await store.deliver('b', other, NOW + 1), replay, 'the second');
      equal(await store.deliver('b', keyed('third'), NOW + 10 * MINUTE - 1), replay, 'within ten minutes');
      equal([await impressionsOf(store), await requests(store)], [1, 3], 'impressions and slots');
    },
  ),
  storeCase('each blog has its own keys, and an unknown blog counts nothing', async (store) => {
    await put(store, { ads: [ad(1)] });
    await put(store, { id: 'c', ads: [ad(1)] });
    for (const blogId of ['b', 'c', 'nowhere']) {
      equal((await store.deliver(blogId, keyed(blogId), NOW)).outcome, 'counted', blogId);
    }
    equal(
      [await impressionsOf(store), await impressionsOf(store, 'c'), await impressionsOf(store, 'nowhere')],
      [1, 1, 0],
      '',
    );
  }),
  storeCase('only one of several concurrent duplicates is counted', async (store) => {
    await put(store, { ads: [ad(1)] });
    const deliveries = Array.from({ length: 60 }, (_, index) => keyed(`d${index}`, { keyHash: `key ${index % 20}` }));
    const results = await Promise.all(deliveries.map(async (delivery) => store.deliver('b', delivery, NOW)));
    const outcomes = (of: Delivered['outcome']) => results.filter(({ outcome }) => outcome === of).length;
    equal(
      [outcomes('counted'), outcomes('replayed'), await impressionsOf(store)],
      [20, 40, 20],
      'outcomes and impressions',
    );
  }),
];
