import type { Click } from '@broadsheet/core';
import { equal } from '../expect.ts';
import { ad, adId, ids, NOW, put } from './sample.ts';
import { type StoreCase, storeCase } from './store-case.ts';

const at = (text: string): number => Date.parse(text);
const click = (tokenId: string, number: number, instant: number, visitor?: string): Click => ({
  tokenId,
  adId: adId(number),
  visitor,
  at: instant,
  tokenExpiresAt: instant + 600_000,
  repeatSince: instant - 1_800_000,
});

const UNSEEN = { excluded: 0, viewable: 0 };

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
  storeCase('a new ad has no counts', async (store) => {
    await put(store, { ads: [ad(1)] });
    equal(await store.countsByDay('b'), [], 'counts');
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
    const row = { day: '2026-03-01', ...UNSEEN, clicks: 0 };
    const expected = [
      { ...row, adId: adId(1), impressions: 3 },
      { ...row, adId: adId(2), impressions: 1 },
    ];
    equal(await store.countsByDay('b'), expected, 'counts');
  }),
  storeCase('concurrent impressions are all counted', async (store) => {
    await put(store, { ads: [ad(1), ad(2)] });
    await Promise.all(
      Array.from({ length: 100 }, () =>
        store.deliver('b', { slots: [{ candidates: [adId(2)] }, { candidates: [adId(1)] }] }, NOW),
      ),
    );
    equal(
      (await store.countsByDay('b')).map((row) => row.impressions),
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
      { day: '2025-12-31', adId: adId(1), impressions: 1, ...UNSEEN, clicks: 0 },
      { day: '2026-03-01', adId: adId(2), impressions: 1, ...UNSEEN, clicks: 1 },
      { day: '2026-03-02', adId: adId(1), impressions: 1, ...UNSEEN, clicks: 0 },
      { day: '2026-03-02', adId: adId(2), impressions: 1, ...UNSEEN, clicks: 0 },
      { day: '2026-03-03', adId: adId(1), impressions: 0, ...UNSEEN, clicks: 1 },
    ];
    equal(await store.countsByDay('b'), expected, 'counts');
  }),
  storeCase('repeated clicks and used tokens are not counted', async (store) => {
    await put(store, { ads: [ad(1)] });
    await store.recordClick('b', click('t', 1, NOW, 'v'));
    await store.recordClick('b', click('t', 1, NOW, 'v'));
    await store.recordClick('b', click('u', 1, NOW + 1, 'v'));
    equal(
      await store.countsByDay('b'),
      [{ day: '2026-03-01', adId: adId(1), impressions: 0, ...UNSEEN, clicks: 1 }],
      'counts',
    );
  }),
  storeCase('writing an ad again keeps its counts', async (store) => {
    await put(store, { ads: [ad(1)] });
    await store.deliver('b', { slots: [{ candidates: [adId(1)] }] }, NOW);
    await put(store, { ads: [ad(1, { priority: 3, active: false })] });
    equal(
      (await store.countsByDay('b')).map((row) => row.impressions),
      [1],
      'impressions',
    );
  }),
];
