import type { Click } from '@broadsheet/core';
import { equal } from '../../src/expect.ts';
import { ad, adId, byAdAndDay, ids, NOW, put } from './sample.ts';
import { type StoreCase, storeCase } from './store-case.ts';

const at = (text: string): number => Date.parse(text);
const click = (tokenId: string, number: number, timestamp: number, visitor?: string): Click => ({
  tokenId,
  adId: adId(number),
  visitor,
  at: timestamp,
  tokenExpiresAt: timestamp + 600_000,
  repeatSince: timestamp - 1_800_000,
});

/** The figure of an ad on a day. */
const row = (day: string, number: number, delivered: number, clicks = 0) => ({
  ...{ day, ad: adId(number), requests: delivered, delivered, valid: delivered, viewable: 0, clicks },
});

/** Ads and their counts. */
export const countCases: readonly StoreCase[] = [
  storeCase('active ads are listed with all fields, even outside their window, by priority', async (store) => {
    const whole = {
      ...ad(3, { format: 'POPUP', priority: 7 }),
      active: true,
      startsAt: '2099-01-01T00:00:00.000Z',
      endsAt: '2099-02-01T00:00:00.000Z',
      imageUrl: 'https://example.org/a.png?x=1&y="2"',
      linkUrl: 'https://example.org/',
      title: 'Title 😀',
      content: "It's <b>bold</b>",
      linkText: 'Go',
    };
    await put(store, {
      ads: [
        ad(1, { priority: -5 }),
        whole,
        ad(2, { priority: 100, endsAt: '2001-01-01T00:00:00.000Z' }),
        ad(4, { priority: 1000, active: false }),
        ad(5, { priority: 7 }),
      ],
    });
    const ads = await store.listAds('b');
    equal(
      ads.map((item) => item.priority),
      [100, 7, 7, -5],
      'priorities',
    );
    equal(ids(ads).sort(), [1, 2, 3, 5].map(adId), 'ads');
    equal(
      ads.find((item) => item.id === adId(3)),
      whole,
      'every field',
    );
    const bare = { title: null, content: null, linkText: null, imageUrl: null, linkUrl: null };
    const defaults = { active: true, startsAt: null, endsAt: null, priority: -5, ...bare };
    equal(
      ads.find((item) => item.id === adId(1)),
      { id: adId(1), format: 'BANNER', ...defaults },
      'defaults',
    );
  }),
  storeCase('an ad is paused and resumed by writing it', async (store) => {
    await put(store, { ads: [ad(1)] });
    await put(store, { ads: [ad(1, { active: false })] });
    equal(await store.listAds('b'), [], 'while paused');
    await put(store, { ads: [ad(1, { title: 'again' })] });
    equal(
      (await store.listAds('b')).map((item) => item.title),
      ['again'],
      'resumed',
    );
  }),
  storeCase('an ad has one impression for each slot that it fills', async (store) => {
    await put(store, { ads: [ad(1), ad(2)] });
    await store.deliver(
      'b',
      { slots: [{ candidates: [adId(1)] }, { candidates: [adId(2)] }, { candidates: [adId(1)] }] },
      NOW,
    );
    await store.deliver('b', { slots: [] }, NOW);
    await store.deliver('b', { slots: [{ candidates: [adId(1)] }] }, NOW);
    equal(await byAdAndDay(store), [row('2026-03-01', 1, 3), row('2026-03-01', 2, 1)], 'counts');
  }),
  storeCase('concurrent impressions are all counted', async (store) => {
    await put(store, { ads: [ad(1), ad(2)] });
    await Promise.all(
      Array.from({ length: 100 }, () =>
        store.deliver('b', { slots: [{ candidates: [adId(2)] }, { candidates: [adId(1)] }] }, NOW),
      ),
    );
    equal(
      (await byAdAndDay(store)).map((row) => row.delivered),
      [100, 100],
      'impressions',
    );
  }),
  storeCase('counts are by UTC day, ordered by day and then ad', async (store) => {
    await put(store, { ads: [ad(1), ad(2)] });
    await store.deliver(
      'b',
      { slots: [{ candidates: [adId(2)] }, { candidates: [adId(1)] }] },
      at('2026-03-02T00:00:00.000Z'),
    );
    await store.deliver('b', { slots: [{ candidates: [adId(2)] }] }, at('2026-03-01T23:59:59.999Z'));
    await store.deliver('b', { slots: [{ candidates: [adId(1)] }] }, at('2025-12-31T23:59:59.999Z'));
    await store.recordClick('b', click('t', 2, at('2026-03-01T00:00:00.000Z')));
    await store.recordClick('b', click('u', 1, at('2026-03-03T12:00:00.000Z')));
    const expected = [
      row('2025-12-31', 1, 1),
      row('2026-03-01', 2, 1, 1),
      row('2026-03-02', 1, 1),
      row('2026-03-02', 2, 1),
      row('2026-03-03', 1, 0, 1),
    ];
    equal(await byAdAndDay(store), expected, 'counts');
  }),
  storeCase('writing an ad again keeps its counts', async (store) => {
    await put(store, { ads: [ad(1)] });
    await store.deliver('b', { slots: [{ candidates: [adId(1)] }] }, NOW);
    await put(store, { ads: [ad(1, { priority: 3, active: false })] });
    equal(
      (await byAdAndDay(store)).map((row) => row.delivered),
      [1],
      'impressions',
    );
  }),
];
