import type { Click } from '@broadsheet/core';
import { equal } from '../../src/expect.ts';
import type { PlainStore } from './plain-store.ts';
import { ad, adId, byAdAndDay, NOW, put } from './sample.ts';
import { type StoreCase, storeCase } from './store-case.ts';

const DAY = 24 * 60 * 60 * 1000;
const TODAY = '2026-03-01';
const TOMORROW = '2026-03-02';
const LIMIT = 200;

const filled = (placement: string, number = 1) => ({ placement, candidates: [adId(number)] });
const row = (placement: string, adOf: number | undefined, counts: readonly number[], day = TODAY) => {
  const [requests, delivered, clicks] = counts;
  const ad = adOf === undefined ? '' : adId(adOf);
  return { day, placement, ad, requests, delivered, valid: delivered, viewable: 0, clicks };
};
const click = (tokenId: string, more: Partial<Click> = {}): Click => {
  const at = more.at ?? NOW;
  const times = { at, tokenExpiresAt: at + 600_000, repeatSince: at - 1_800_000 };
  return { tokenId, adId: adId(1), visitor: tokenId, ...times, ...more };
};
/** The number of requested slots by placement, filled or not. */
async function slotsByPlacement(store: PlainStore): Promise<Map<string, number>> {
  const figures = await store.figures('b', { by: ['placement'] });
  return new Map(figures.map(({ placement, requests }) => [placement, requests]));
}

/** The figures of placements by day, placement and ad. */
const byPlacement = (store: PlainStore, days: { from?: string; to?: string } = {}, blogId = 'b') =>
  store.figures(blogId, { by: ['day', 'placement', 'ad'], ...days });

/** Slots and clicks by placement. */
export const placementCases: readonly StoreCase[] = [
  storeCase('slots are counted by day, placement and ad, including empty slots', async (store) => {
    await put(store, { ads: [ad(1), ad(2)] });
    equal(await byPlacement(store), [], 'counts');
    await store.deliver('b', { slots: [filled('top'), filled('side', 2), { candidates: [], placement: 'side' }] }, NOW);
    await store.deliver(
      'b',
      { slots: [filled('top'), filled('top', 2), { candidates: [], placement: 'side' }] },
      NOW + DAY,
    );
    await store.deliver('b', { slots: [{ candidates: [], placement: 'side' }] }, NOW);
    const expected = [
      row('side', undefined, [2, 0, 0]),
      row('side', 2, [1, 1, 0]),
      row('top', 1, [1, 1, 0]),
      row('side', undefined, [1, 0, 0], TOMORROW),
      row('top', 1, [1, 1, 0], TOMORROW),
      row('top', 2, [1, 1, 0], TOMORROW),
    ];
    equal(await byPlacement(store), expected, 'counts');
    equal(
      (await byAdAndDay(store)).map(({ day, delivered }) => `${day} ${delivered}`),
      [`${TODAY} 1`, `${TODAY} 1`, `${TOMORROW} 1`, `${TOMORROW} 1`],
      'the counts of ads',
    );
  }),
  storeCase('a delivery without a placement is counted only for its ad', async (store) => {
    await put(store, { ads: [ad(1)] });
    await store.deliver('b', { slots: [{ candidates: [adId(1)] }] }, NOW);
    equal(await store.recordClick('b', click('t')), 'counted', 'the click');
    equal(await byPlacement(store), [row('', 1, [1, 1, 1])], 'counts');
  }),
  storeCase('a click is counted under the placement of its delivery, once', async (store) => {
    await put(store, { ads: [ad(1)] });
    await store.deliver('b', { slots: [filled('top')] }, NOW);
    const same = { visitor: 'v', placement: 'top' };
    equal(await store.recordClick('b', click('t1', same)), 'counted', 'first');
    equal(await store.recordClick('b', click('t1', same)), 'used', 'again');
    equal(await store.recordClick('b', click('t2', same)), 'repeated', 'by the same visitor');
    equal(await store.recordClick('b', click('t3', { placement: 'late', at: NOW + DAY })), 'counted', 'the next day');
    const expected = [row('top', 1, [1, 1, 1]), row('late', 1, [0, 0, 1], TOMORROW)];
    equal(await byPlacement(store), expected, 'counts');
  }),
  storeCase(`a blog counts ${LIMIT} placements a day separately, and the rest as "other"`, async (store) => {
    await put(store, { ads: [ad(1)] });
    const slots = Array.from({ length: LIMIT + 5 }, (_, index) => filled(`slot ${index}`));
    await store.deliver('b', { slots: slots.slice(0, 150) }, NOW);
    await store.deliver('b', { slots: [filled('other'), { candidates: [], placement: 'other' }] }, NOW);
    await store.deliver('b', { slots: slots.slice(150) }, NOW);
    await store.deliver(
      'b',
      { slots: [filled('slot 0'), filled('one more'), { candidates: [], placement: 'one more' }] },
      NOW,
    );
    equal(await store.recordClick('b', click('t1', { placement: 'one more' })), 'counted', 'a click of another');
    equal(await store.recordClick('b', click('t2', { placement: 'slot 0' })), 'counted', 'a click of the first');
    const rows = await byPlacement(store);
    const requests = await slotsByPlacement(store);
    equal(requests.size, LIMIT + 1, 'placements');
    equal([requests.get('slot 0'), requests.get('slot 199'), requests.get('other')], [2, 1, 9], 'slots');
    equal(
      rows.filter(({ placement }) => placement === 'other'),
      [row('other', undefined, [2, 0, 0]), row('other', 1, [7, 7, 1])],
      'other',
    );
    equal(rows.find(({ placement }) => placement === 'slot 0')?.clicks, 1, 'clicks of the first');
    await store.deliver('b', { slots: [filled('one more')] }, NOW + DAY);
    equal(await byPlacement(store, { from: TOMORROW }), [row('one more', 1, [1, 1, 0], TOMORROW)], 'reset');
  }),
  storeCase('concurrent deliveries keep to the limit of placements and lose no counts', async (store) => {
    await put(store, { ads: [ad(1)] });
    const names = Array.from({ length: LIMIT + 100 }, (_, index) => `slot ${index}`);
    await Promise.all(
      names.flatMap((name) => [
        store.deliver('b', { slots: [filled(name), { candidates: [], placement: name }] }, NOW),
        store.recordClick('b', click(`token ${name}`, { placement: name })),
      ]),
    );
    const rows = await byPlacement(store);
    equal(new Set(rows.map(({ placement }) => placement)).size, LIMIT + 1, 'placements');
    const sum = (of: 'requests' | 'delivered' | 'clicks') => rows.reduce((all, one) => all + one[of], 0);
    equal([sum('requests'), sum('delivered'), sum('clicks')], [600, 300, 300], 'slots, impressions and clicks');
  }),
  storeCase('counts can be read for a range of days', async (store) => {
    await put(store, { ads: [ad(1)] });
    for (const days of [0, 1, 2]) await store.deliver('b', { slots: [filled('top')] }, NOW + days * DAY);
    const days = async (range?: { from?: string; to?: string }) =>
      (await byPlacement(store, range)).map(({ day }) => day.slice(-2));
    equal(await days(), ['01', '02', '03'], 'all');
    equal(await days({ from: TOMORROW }), ['02', '03'], 'from a day');
    equal(await days({ to: TOMORROW }), ['01', '02'], 'to a day');
    equal(await days({ from: TOMORROW, to: TOMORROW }), ['02'], 'one day');
  }),
  storeCase('placements with similar names, and those of two blogs, are counted separately', async (store) => {
    const names = ['__proto__', 'a', 'A', 'ä', 'a\u0308', "o'clock; --", '%', '_', ' a', '😀'.repeat(200), '"\\', '\n'];
    await put(store, { ads: [ad(1)] });
    await put(store, { id: 'c', ads: [ad(1)] });
    await store.deliver('b', { slots: names.map((name) => filled(name)) }, NOW);
    await store.deliver('c', { slots: [filled('a')] }, NOW);
    await store.deliver('nowhere', { slots: [filled('a')] }, NOW);
    equal(
      Object.fromEntries(await slotsByPlacement(store)),
      Object.fromEntries(names.map((name) => [name, 1])),
      'slots',
    );
    equal(await byPlacement(store, {}, 'c'), [row('a', 1, [1, 1, 0])], 'the other blog');
    equal(await byPlacement(store, {}, 'nowhere'), [], 'no blog');
  }),
];
