import type { Delivery, ViewableImpression } from '@broadsheet/core';
import { equal } from '../../src/expect.ts';
import type { PlainStore } from './plain-store.ts';
import { ad, adId, byAdAndDay, NOW, put } from './sample.ts';
import { type StoreCase, storeCase } from './store-case.ts';

const DAY = 24 * 60 * 60 * 1000;
const TODAY = '2026-03-01';

/** A viewable impression of the first ad in the placement `top`. */
const viewable = (tokenId: string, more: Partial<ViewableImpression> = {}): ViewableImpression => ({
  ...{ tokenId, tokenExpiresAt: NOW + 600_000, adId: adId(1), campaignId: 'c', placement: 'top', day: TODAY },
  ...more,
});
/** A viewable impression of the second ad, which has no campaign, in the placement `side`. */
const other = (tokenId: string) => viewable(tokenId, { adId: adId(2), campaignId: undefined, placement: 'side' });
const slot = (number: number, placement?: string) => ({ candidates: [adId(number)], placement });
const delivery = (traffic?: Delivery['traffic']): Delivery => ({
  slots: [slot(1, 'top'), slot(2, 'side')],
  campaigns: new Map([[adId(1), 'c']]),
  traffic,
});
const withCampaign = {
  campaigns: [{ id: 'c', sponsor: 'S', name: 'C' }],
  ads: [ad(1, { campaignId: 'c' }), ad(2)],
};

const byAd = async (store: PlainStore, blogId = 'b') =>
  (await byAdAndDay(store, blogId)).map((row) => [
    ...[row.day, Number(row.ad.slice(-3)), row.delivered, row.valid],
    ...[row.viewable, row.clicks],
  ]);
const byPlacement = async (store: PlainStore) =>
  (await store.figures('b', { by: ['day', 'placement'] })).map((row) => [
    ...[row.day, row.placement, row.requests, row.delivered],
    ...[row.valid, row.viewable],
  ]);
const ofCampaign = async (store: PlainStore) =>
  (await store.figures('b', { by: ['day'], campaign: 'c' })).map((row) => [
    ...[row.day, row.delivered, row.valid, row.viewable, row.clicks],
  ]);
const viewed = async (store: PlainStore, blogId = 'b') =>
  (await store.figures(blogId, { by: [] })).reduce((total, row) => total + row.viewable, 0);

/** Viewable impressions: counted once per token, by ad, placement and campaign. */
export const viewableCases: readonly StoreCase[] = [
  storeCase('a viewable impression counts for its ad, its placement and its campaign', async (store) => {
    await put(store, withCampaign);
    await store.deliver('b', delivery(), NOW);
    await store.recordViewable('b', [viewable('t1'), other('t2')]);
    equal(
      await byAd(store),
      [
        [TODAY, 1, 1, 1, 1, 0],
        [TODAY, 2, 1, 1, 1, 0],
      ],
      'ads',
    );
    equal(
      await byPlacement(store),
      [
        [TODAY, 'side', 1, 1, 1, 1],
        [TODAY, 'top', 1, 1, 1, 1],
      ],
      'placements',
    );
    equal(await ofCampaign(store), [[TODAY, 1, 1, 1, 0]], 'campaign');
  }),
  storeCase('a token counts once as viewable, in one report, in later ones and concurrently', async (store) => {
    await put(store, withCampaign);
    await store.deliver('b', delivery(), NOW);
    await store.recordViewable('b', [viewable('t1'), viewable('t1')]);
    await store.recordViewable('b', [viewable('t1'), viewable('t2')]);
    await Promise.all(Array.from({ length: 50 }, async () => store.recordViewable('b', [viewable('t3')])));
    equal(await viewed(store), 3, 'viewable');
    equal(await ofCampaign(store), [[TODAY, 1, 1, 3, 0]], 'campaign');
    await store.recordViewable('b', []);
    equal(await viewed(store), 3, 'after an empty report');
  }),
  storeCase('a viewable impression counts on the day of its delivery', async (store) => {
    await put(store, withCampaign);
    await store.deliver('b', delivery(), NOW);
    await store.deliver('b', delivery(), NOW + DAY);
    await store.recordViewable('b', [viewable('t1'), viewable('t2', { day: '2026-03-02' }), viewable('t3')]);
    equal(
      (await byAd(store)).filter(([, number]) => number === 1),
      [
        [TODAY, 1, 1, 1, 2, 0],
        ['2026-03-02', 1, 1, 1, 1, 0],
      ],
      'ads',
    );
    equal(
      await ofCampaign(store),
      [
        [TODAY, 1, 1, 2, 0],
        ['2026-03-02', 1, 1, 1, 0],
      ],
      'campaign',
    );
  }),
  storeCase('a delivery without a placement is viewable only for its ad', async (store) => {
    await put(store, withCampaign);
    await store.deliver('b', { slots: [slot(2)] }, NOW);
    await store.recordViewable('b', [{ ...other('t1'), placement: undefined }]);
    equal(await byAd(store), [[TODAY, 2, 1, 1, 1, 0]], 'ads');
    equal([await byPlacement(store), await ofCampaign(store)], [[[TODAY, '', 1, 1, 1, 1]], []], 'others');
  }),
  storeCase('excluded impressions are counted separately, by ad, placement and campaign', async (store) => {
    await put(store, withCampaign);
    for (const traffic of ['valid', 'bot', 'prefetch', 'foreign', 'burst', 'unknown'] as const) {
      await store.deliver('b', delivery(traffic), NOW);
    }
    equal((await byAd(store))[0], [TODAY, 1, 6, 2, 0, 0], 'ad');
    equal((await byPlacement(store))[1], [TODAY, 'top', 6, 6, 2, 0], 'placement');
    equal(await ofCampaign(store), [[TODAY, 6, 2, 0, 0]], 'campaign');
    await store.deliver('b', { slots: [{ candidates: [], placement: 'top' }], traffic: 'bot' }, NOW);
    equal((await byPlacement(store))[1], [TODAY, 'top', 7, 6, 2, 0], 'a slot that stayed empty');
  }),
  storeCase(
    'strangers decide no placement: theirs are counted with the others until a reader sees them',
    async (store) => {
      await put(store, withCampaign);
      for (let number = 0; number < 201; number += 1) {
        const placement = `made-up-${number}`;
        await store.deliver('b', { slots: [{ candidates: [], placement }], traffic: 'bot' }, NOW);
      }
      await store.deliver('b', delivery('valid'), NOW);
      await store.deliver('b', delivery('foreign'), NOW);
      const placements = (await byPlacement(store)).map(([, placement, requests]) => [placement, requests]);
      equal(placements, [['other', 201], ['side', 2], ['top', 2]], 'placements'); // biome-ignore format: a table
    },
  ),
  storeCase('a replay knows under what the first delivery was counted', async (store) => {
    await put(store, withCampaign);
    const midnight = Date.parse('2026-03-02T00:00:00.000Z');
    const keyed = (keyHash: string, traffic: Delivery['traffic']): Delivery => ({
      ...delivery(traffic),
      idempotency: { keyHash, requestHash: 'r', deliveryId: `${keyHash} ${traffic}` },
    });
    for (const [keyHash, first, again] of [
      ['k1', 'burst', 'valid'],
      ['k2', 'valid', 'burst'],
    ] as const) {
      await store.deliver('b', keyed(keyHash, first), midnight - 1);
      const replay = await store.deliver('b', keyed(keyHash, again), midnight);
      const { deliveryId, day, traffic, campaigns } = replay.first ?? {};
      equal(
        [replay.outcome, day, traffic, campaigns],
        ['replayed', TODAY, first, { [adId(1)]: 'c' }],
        deliveryId ?? '',
      );
    }
    equal(await ofCampaign(store), [[TODAY, 2, 1, 0, 0]], 'campaign');
  }),
  storeCase('two blogs count the same token separately, and an unknown blog counts nothing', async (store) => {
    await put(store, { ...withCampaign, id: 'one' });
    await put(store, { ...withCampaign, id: 'two' });
    for (const blogId of ['one', 'two', 'nowhere', 'one']) await store.recordViewable(blogId, [viewable('t')]);
    equal(
      [await viewed(store, 'one'), await viewed(store, 'two'), await viewed(store, 'nowhere')],
      [1, 1, 0],
      'viewable',
    );
  }),
  storeCase('concurrent deliveries, clicks and reports are all counted', async (store) => {
    await put(store, withCampaign);
    const at = { tokenExpiresAt: NOW + 600_000, at: NOW, repeatSince: NOW, visitor: undefined };
    const rounds = Array.from({ length: 40 }, async (_, index) =>
      Promise.all([
        store.deliver('b', delivery(index % 2 ? 'bot' : 'valid'), NOW),
        store.recordViewable('b', [viewable(`t${index}`), other(`u${index}`)]),
        store.recordClick('b', { ...viewable(`t${index}`), ...at }),
      ]),
    );
    await Promise.all(rounds);
    equal(
      await byAd(store),
      [
        [TODAY, 1, 40, 20, 40, 40],
        [TODAY, 2, 40, 20, 40, 0],
      ],
      'ads',
    );
    equal(await ofCampaign(store), [[TODAY, 40, 20, 40, 40]], 'campaign');
  }),
];
