import type { SnapshotBlogInput } from '@broadsheet/contract';
import { type Delivered, type Delivery, EXCLUDED } from '@broadsheet/core';
import { equal, refused } from '../../src/expect.ts';
import type { PlainStore } from './plain-store.ts';
import { ad, adId, impressionsOf, NOW, put } from './sample.ts';
import { type StoreCase, storeCase } from './store-case.ts';

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
const iso = (at: number): string => new Date(at).toISOString();

type CampaignInput = NonNullable<SnapshotBlogInput['campaigns']>[number];

/** A campaign that has no bounds. */
const campaign = (id: string, more: Partial<CampaignInput> = {}): CampaignInput => ({
  id,
  sponsor: `Sponsor of ${id}`,
  name: `Campaign ${id}`,
  ...more,
});

/** A delivery whose slots have the same candidates. The first `ofCampaign` ads belong to the campaign `c`. */
const delivery = (ads: readonly number[], ofCampaign: number, slots = 1): Delivery => ({
  slots: Array.from({ length: slots }, () => ({ candidates: ads.map(adId), placement: 'top' })),
  campaigns: new Map(ads.slice(0, ofCampaign).map((number) => [adId(number), 'c'])),
});

/** Delivers several times in sequence and returns the numbers of the ads. */
async function deliver(store: PlainStore, what: Delivery, times: number, at = NOW): Promise<(number | undefined)[]> {
  const numbers: (number | undefined)[] = [];
  for (let index = 0; index < times; index += 1) numbers.push(...numbersOf(await store.deliver('b', what, at)));
  return numbers;
}
const numbersOf = ({ adIds }: Delivered): (number | undefined)[] =>
  adIds.map((id) => (id === undefined ? undefined : Number(id.slice(-3))));

const click = (tokenId: string, at = NOW) => ({
  ...{ tokenId, adId: adId(1), campaignId: 'c', visitor: undefined, at },
  ...{ tokenExpiresAt: at + 600_000, repeatSince: at },
});

const counts = async (store: PlainStore) =>
  (await store.figures('b', { by: ['day', 'campaign'] }))
    .filter(({ campaign: id }) => id !== '')
    .map(({ day, campaign: id, valid, clicks }) => [day, id, valid, clicks]);

/** Campaigns: which deliveries they admit and count. */
export const campaignCases: readonly StoreCase[] = [
  storeCase('campaigns are stored with all their fields, and replaced by id', async (store) => {
    const bare = campaign('b');
    const whole: Required<CampaignInput> = {
      ...{ id: 'a', sponsor: 'Tea & Co 😀', name: 'Spring', kind: 'house', startsAt: iso(NOW), endsAt: iso(NOW + DAY) },
      ...{ goal: { impressions: 1000 }, perDay: 10, pace: 'fast', placements: ['top', 'letterpress-*'], paused: true },
    };
    await put(store, { campaigns: [bare, whole] });
    const defaults = { kind: 'paid', startsAt: null, endsAt: null, goal: null, perDay: null, pace: 'even' };
    equal(await store.listCampaigns('b'), [whole, { ...bare, ...defaults }], 'campaigns');
    await put(store, { campaigns: [{ ...whole, goal: { clicks: 5 } }] });
    equal((await store.listCampaigns('b'))[0]?.goal, { clicks: 5 }, 'the new goal');
    equal((await store.listCampaigns('b')).length, 2, 'both');
    equal(await store.listCampaigns('nowhere'), [], 'an unknown blog');
  }),
  storeCase('an ad names its campaign, which must exist', async (store) => {
    await put(store, { campaigns: [campaign('c')], ads: [ad(1, { campaignId: 'c' }), ad(2)] });
    equal(
      (await store.listAds('b')).map((item) => [item.id, item.campaignId]),
      [
        [adId(1), 'c'],
        [adId(2), undefined],
      ],
      'ads',
    );
    await refused(() => put(store, { ads: [ad(3, { campaignId: 'nowhere' })] }), 'an unknown campaign');
    equal((await store.listAds('b')).length, 2, 'ads after the refusal');
    await put(store, { ads: [ad(1)] });
    equal((await store.listAds('b'))[0]?.campaignId, undefined, 'an ad that left its campaign');
  }),
  storeCase('a cap of 3, tried 50 times at once, delivers exactly 3, then the next ad', async (store) => {
    await put(store, { campaigns: [campaign('c', { perDay: 3 })], ads: [ad(1, { campaignId: 'c' }), ad(2)] });
    const tries = Array.from({ length: 50 }, async (_, index) =>
      numbersOf(await store.deliver('b', delivery(index < 25 ? [1, 2] : [1], 1), NOW)),
    );
    const delivered = (await Promise.all(tries)).flat();
    equal(delivered.filter((number) => number === 1).length, 3, 'ads of the campaign');
    equal(await counts(store), [['2026-03-01', 'c', 3, 0]], 'the count of the campaign');
    const others = delivered.filter((number) => number === 2).length;
    equal(await impressionsOf(store), 3 + others, 'impressions');
    equal(delivered.filter((number) => number === undefined).length, 50 - 3 - others, 'empty slots');
    const placed = (await store.figures('b', { by: ['placement', 'ad'] })).map((row) => [row.ad, row.requests]);
    equal(
      placed,
      [
        ['', 50 - 3 - others],
        [adId(1), 3],
        [adId(2), others],
      ].filter(([, requests]) => requests !== 0),
      'placements',
    );
  }),
  storeCase('a daily cap resets at midnight UTC', async (store) => {
    await put(store, { campaigns: [campaign('c', { perDay: 2 })], ads: [ad(1, { campaignId: 'c' })] });
    equal(await deliver(store, delivery([1], 1), 3), [1, 1, undefined], 'the first day');
    const midnight = Date.parse('2026-03-02T00:00:00.000Z');
    equal(await deliver(store, delivery([1], 1), 1, midnight - 1), [undefined], 'its last millisecond');
    equal(await deliver(store, delivery([1], 1), 3, midnight), [1, 1, undefined], 'the next day');
    equal(
      await counts(store),
      [
        ['2026-03-01', 'c', 2, 0],
        ['2026-03-02', 'c', 2, 0],
      ],
      'counts',
    );
  }),
  storeCase('a goal counts over all days and all ads of the campaign', async (store) => {
    const ads = [ad(1, { campaignId: 'c' }), ad(2, { campaignId: 'c' }), ad(3)];
    await put(store, { campaigns: [campaign('c', { goal: { impressions: 5 } })], ads });
    equal(await deliver(store, delivery([1, 2], 2), 2), [1, 1], 'the first day');
    equal(await deliver(store, delivery([1, 2, 3], 2, 3), 1, NOW + DAY), [1, 2, 3], 'three slots have three ads');
    equal(await deliver(store, delivery([2, 3], 1), 2, NOW + 2 * DAY), [2, 3], 'the last one of the goal');
    await put(store, { campaigns: [campaign('c', { goal: { impressions: 6 } })] });
    equal(await deliver(store, delivery([1], 1), 2, NOW + 2 * DAY), [1, undefined], 'a goal that was raised');
  }),
  storeCase('one delivery fills slots only up to the goal', async (store) => {
    const ads = [1, 2, 3, 4].map((number) => ad(number, { campaignId: 'c' }));
    await put(store, { campaigns: [campaign('c', { goal: { impressions: 2 } })], ads });
    equal(await deliver(store, delivery([1, 2, 3, 4], 4, 4), 1), [1, 2, undefined, undefined], 'slots');
  }),
  storeCase('only counted clicks contribute to a goal of clicks', async (store) => {
    await put(store, { campaigns: [campaign('c', { goal: { clicks: 2 } })], ads: [ad(1, { campaignId: 'c' })] });
    equal(await deliver(store, delivery([1], 1), 1), [1], 'before');
    await store.recordClick('b', { ...click('t1'), visitor: 'v' });
    await store.recordClick('b', { ...click('t2', NOW + 1), visitor: 'v', repeatSince: NOW });
    await store.recordClick('b', { ...click('t1'), visitor: 'w' });
    equal(await deliver(store, delivery([1], 1), 1), [1], 'after one click that counts');
    await store.recordClick('b', click('t3'));
    equal(await deliver(store, delivery([1], 1), 1), [undefined], 'after two');
    equal(await counts(store), [['2026-03-01', 'c', 2, 2]], 'counts');
  }),
  storeCase('clicks on excluded impressions do not contribute to a goal of clicks', async (store) => {
    await put(store, { campaigns: [campaign('c', { goal: { clicks: 2 } })], ads: [ad(1, { campaignId: 'c' })] });
    for (const traffic of EXCLUDED) await store.recordClick('b', { ...click(traffic), traffic });
    await store.recordClick('b', { ...click('t1'), traffic: 'unknown' });
    equal(await deliver(store, delivery([1], 1), 1), [1], 'after one click of a reader');
    equal(await counts(store), [['2026-03-01', 'c', 1, 1]], 'counts');
    equal(await store.recordClick('b', { ...click('bot'), traffic: 'bot' }), 'used', 'a token that was used');
    await store.recordClick('b', { ...click('t2'), traffic: 'valid' });
    equal(await deliver(store, delivery([1], 1), 1), [undefined], 'after two');
  }),
  storeCase('a campaign that does not exist or is not running admits nothing', async (store) => {
    await put(store, { ads: [ad(1)] });
    equal(await deliver(store, delivery([1], 1), 1), [undefined], 'no campaign');
    await put(store, {
      campaigns: [campaign('c', { startsAt: iso(NOW), endsAt: iso(NOW + DAY) })],
      ads: [ad(1, { campaignId: 'c' })],
    });
    equal(await deliver(store, delivery([1], 1), 1, NOW - 1), [undefined], 'before');
    equal(await deliver(store, delivery([1], 1), 1, NOW), [1], 'its first millisecond');
    equal(await deliver(store, delivery([1], 1), 1, NOW + DAY), [undefined], 'after');
  }),
  storeCase('a paused campaign admits nothing until it is resumed', async (store) => {
    const ads = [ad(1, { campaignId: 'c' }), ad(2)];
    await put(store, { campaigns: [campaign('c', { paused: true })], ads });
    equal(await deliver(store, delivery([1, 2], 1), 1), [2], 'paused');
    await put(store, { campaigns: [campaign('c')] });
    equal(await deliver(store, delivery([1, 2], 1), 1), [1], 'resumed');
  }),
  storeCase('of equal candidates, the campaign that is furthest behind its plan comes first', async (store) => {
    const plan = { startsAt: iso(NOW - DAY), endsAt: iso(NOW + DAY), pace: 'fast' } as const;
    const campaigns = [
      campaign('x', { ...plan, goal: { impressions: 8 } }),
      campaign('y', { ...plan, goal: { impressions: 16 } }),
      campaign('z', { goal: { impressions: 99 } }),
    ];
    const names = ['x', 'y', 'z'] as const;
    await put(store, { campaigns, ads: names.map((name, index) => ad(index + 1, { campaignId: name })) });
    const of = (candidates: readonly number[], tierEnds: readonly number[]): Delivery => ({
      slots: [{ candidates: candidates.map(adId), tierEnds }],
      campaigns: new Map(names.map((name, index) => [adId(index + 1), name])),
    });
    // Half of the time has passed: four impressions of x are due, and eight of y; z has no plan.
    equal(await deliver(store, of([1, 2], [1, 2]), 1), [1], 'without equal candidates');
    equal(await deliver(store, of([3, 1, 2], [3]), 4), [2, 2, 1, 2], 'until both are equally behind');
    equal(await deliver(store, of([3, 2, 1], [1, 3]), 1), [3], 'an earlier tier');
    equal(await deliver(store, of([3, 2, 1], [3]), 7), [2, 2, 1, 2, 2, 1, 2], 'until both have what is due');
    equal(await deliver(store, of([3, 1, 2], [3]), 2), [3, 3], 'when nothing is behind');
    const batch = of([3, 1, 2], [3]);
    equal(await deliver(store, { ...batch, slots: [...batch.slots, ...batch.slots] }, 1), [3, 1], 'two slots');
  }),
  storeCase('an even pace follows the deliveries of the last two weeks', async (store) => {
    const goal = { impressions: 10 };
    await put(store, {
      campaigns: [campaign('c', { startsAt: iso(NOW), endsAt: iso(NOW + 2 * HOUR), goal })],
      ads: [ad(1, { campaignId: 'c' }), ad(2)],
    });
    const plain = { slots: [{ candidates: [adId(2)] }] };
    // One and two weeks earlier, the first hour had nine times as many deliveries as the second.
    for (const week of [7 * DAY, 14 * DAY]) {
      for (let index = 0; index < 9; index += 1) await store.deliver('b', plain, NOW - week);
      await store.deliver('b', plain, NOW - week + HOUR);
      // Only readers affect the pace.
      for (const traffic of [...EXCLUDED, ...EXCLUDED]) {
        await store.deliver('b', { ...plain, traffic }, NOW - week + HOUR);
      }
    }
    const upTo = async (at: number) =>
      (await deliver(store, delivery([1], 1), 12, at)).filter((number) => number === 1).length;
    equal(await upTo(NOW + HOUR / 2), 5, 'within half an hour');
    equal(await upTo(NOW + HOUR), 5, 'within the first hour');
    equal(await upTo(NOW + 2 * HOUR - 1), 0, 'the goal is reached');
  }),
  storeCase('an even pace without a start begins when it is written', async (store) => {
    const even = campaign('c', { endsAt: iso(NOW + 10 * DAY), goal: { impressions: 1000 } });
    await put(store, { campaigns: [even], ads: [ad(1, { campaignId: 'c' })] });
    const starts = async () => (await store.listCampaigns('b')).map(({ startsAt }) => startsAt);
    equal(await starts(), [iso(NOW)], 'start');
    equal(await deliver(store, delivery([1], 1), 3), [1, undefined, undefined], 'at once');
    await put(store, { campaigns: [even] }, NOW + DAY);
    equal(await starts(), [iso(NOW)], 'the start after it was written again');
    const over = campaign('over', { endsAt: iso(NOW - DAY), goal: { impressions: 1 } });
    await put(store, { campaigns: [campaign('c', { ...even, pace: 'fast' }), over] }, NOW);
    equal(await starts(), [null, null], 'campaigns that need no start');
  }),
  storeCase('an even pace does not count what was delivered before an edit', async (store) => {
    const fast = campaign('c', { pace: 'fast', goal: { impressions: 80 } });
    const ads = [ad(1, { campaignId: 'c' })];
    const upTo = async (at: number) =>
      (await deliver(store, delivery([1], 1), 40, at)).filter((number) => number !== undefined).length;
    await put(store, { campaigns: [fast], ads });
    equal(
      await deliver(store, delivery([1], 1), 20),
      Array.from({ length: 20 }, () => 1),
      'fast',
    );
    const even = campaign('c', { endsAt: iso(NOW + 3 * DAY), goal: { impressions: 80 } });
    await put(store, { campaigns: [even] });
    equal(await upTo(NOW), 1, 'an even pace and an end');
    equal(await upTo(NOW + DAY), 20, 'a third of the rest');
    await put(store, { campaigns: [{ ...even, name: 'New name', perDay: 1000 }] });
    equal(await upTo(NOW + DAY), 0, 'a new name and a new cap');
    await put(store, { campaigns: [{ ...even, endsAt: iso(NOW + 6 * DAY) }] });
    equal(await upTo(NOW + DAY), 1, 'a later end');
    equal(await upTo(NOW + 2 * DAY), 7, 'a fifth of the rest');
    await put(store, { campaigns: [{ ...even, pace: 'fast' }] });
    equal(await upTo(NOW + 2 * DAY), 31, 'fast again');
  }),
  storeCase('a replay is not counted and returns the ads of the first delivery', async (store) => {
    await put(store, { campaigns: [campaign('c', { perDay: 2 })], ads: [ad(1, { campaignId: 'c' }), ad(2)] });
    const keyed = (keyHash: string, deliveryId: string): Delivery => ({
      ...delivery([1, 2], 1),
      idempotency: { keyHash, requestHash: 'r', deliveryId },
    });
    const outcomes = async (what: Delivery) => {
      const delivered = await store.deliver('b', what, NOW);
      return [delivered.outcome, ...numbersOf(delivered)];
    };
    equal(await outcomes(keyed('k1', 'd1')), ['counted', 1], 'the first');
    for (let index = 0; index < 3; index += 1) {
      equal(await outcomes(keyed('k1', `again ${index}`)), ['replayed', 1], 'its replay');
    }
    const twins = await Promise.all([1, 2, 3].map((index) => outcomes(keyed('k2', `twin ${index}`))));
    equal(twins.map(([outcome]) => outcome).sort(), ['counted', 'replayed', 'replayed'], 'twins');
    equal(
      twins.map(([, number]) => number),
      [1, 1, 1],
      'ads of the twins',
    );
    equal(await outcomes(keyed('k3', 'd3')), ['counted', 2], 'when the cap is reached');
    equal(await outcomes(keyed('k3', 'd4')), ['replayed', 2], 'its replay');
    equal(await counts(store), [['2026-03-01', 'c', 2, 0]], 'counts');
  }),
  storeCase('bots and other invalid traffic get ads of a campaign but do not count towards it', async (store) => {
    await put(store, { campaigns: [campaign('c', { goal: { impressions: 2 } })], ads: [ad(1, { campaignId: 'c' })] });
    const from = (traffic: NonNullable<Delivery['traffic']>): Delivery => ({ ...delivery([1], 1), traffic });
    for (const traffic of ['bot', 'prefetch', 'foreign', 'burst', 'bot'] as const) {
      equal(await deliver(store, from(traffic), 1), [1], traffic);
    }
    equal(await deliver(store, from('unknown'), 1), [1], 'unknown');
    equal(await deliver(store, from('valid'), 2), [1, undefined], 'valid');
    equal(await deliver(store, from('bot'), 1), [undefined], 'a bot when the goal is reached');
    equal(await counts(store), [['2026-03-01', 'c', 2, 0]], 'the count of the campaign');
    equal(await impressionsOf(store), 7, 'impressions');
    const byTraffic = await store.figures('b', { by: ['traffic', 'ad'] });
    equal(
      byTraffic.filter(({ ad: id }) => id !== '').map(({ traffic, delivered, valid }) => [traffic, delivered, valid]),
      [
        ['bot', 2, 0],
        ['burst', 1, 0],
        ['foreign', 1, 0],
        ['prefetch', 1, 0],
        ['unknown', 1, 1],
        ['valid', 1, 1],
      ],
      'traffic',
    );
  }),
  storeCase('campaigns with the same id in two blogs are independent', async (store) => {
    for (const id of ['b', 'd']) {
      await put(store, { id, campaigns: [campaign('c', { perDay: 1 })], ads: [ad(1, { campaignId: 'c' })] });
    }
    equal(await deliver(store, delivery([1], 1), 2), [1, undefined], 'one');
    equal(numbersOf(await store.deliver('d', delivery([1], 1), NOW)), [1], 'the other');
    equal(await store.figures('b', { by: [], campaign: 'c', from: '2026-03-02' }), [], 'other days');
    equal((await store.figures('d', { by: [], campaign: 'c', to: '2026-03-01' })).length, 1, 'the same day');
  }),
];
