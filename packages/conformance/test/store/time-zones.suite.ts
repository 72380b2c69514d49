import type { Click, Delivery } from '@broadsheet/core';
import { equal, refused } from '../../src/expect.ts';
import type { PlainStore } from './plain-store.ts';
import { ad, adId, NOW, post, put } from './sample.ts';
import { type StoreCase, storeCase } from './store-case.ts';

const BERLIN = 'Europe/Berlin';
const at = (text: string): number => Date.parse(text);

/** A delivery in a placement, counted in a time zone. */
const delivery = (timeZone?: string): Delivery => ({
  slots: [{ candidates: [adId(1)], placement: 'top' }],
  campaigns: new Map([[adId(1), 'c']]),
  timeZone,
});
const click = (tokenId: string, timestamp: number): Click => ({
  ...{ tokenId, adId: adId(1), campaignId: 'c', placement: 'top', visitor: undefined, timeZone: BERLIN },
  ...{ at: timestamp, tokenExpiresAt: timestamp + 600_000, repeatSince: timestamp },
});
const withCampaign = (perDay?: number) => ({
  campaigns: [{ id: 'c', sponsor: 'S', name: 'C', ...(perDay !== undefined && { perDay }) }],
  ads: [ad(1, { campaignId: 'c' })],
});

/** The impressions by day. */
async function impressionsByDay(store: PlainStore): Promise<unknown> {
  return (await store.figures('b', { by: ['day'] })).map(({ day, delivered }) => [day, delivered]);
}

/** The time zone of a blog, and the days under which events are counted. */
export const timeZoneCases: readonly StoreCase[] = [
  storeCase('a blog keeps its time zone when it is omitted', async (store) => {
    await put(store, { apiKeys: ['k'] });
    equal((await store.findBlog('k'))?.timeZone, undefined, 'by default');
    await put(store, { timeZone: BERLIN });
    await put(store, { posts: [post('p')] });
    equal((await store.findBlog('k'))?.timeZone, BERLIN, 'omitted');
    await put(store, { timeZone: 'UTC' });
    equal((await store.findBlog('k'))?.timeZone, 'UTC', 'changed');
  }),
  storeCase('an unknown time zone is refused', async (store) => {
    await put(store, { apiKeys: ['k'], timeZone: BERLIN });
    for (const timeZone of ['Europe/Atlantis', '', '+02:00', 'Berlin']) {
      await refused(() => put(store, { timeZone }), JSON.stringify(timeZone));
    }
    equal((await store.findBlog('k'))?.timeZone, BERLIN, 'the time zone');
  }),
  storeCase('impressions are counted by the day of their time zone', async (store) => {
    await put(store, withCampaign());
    const midnight = at('2026-03-01T23:00:00.000Z');
    await store.deliver('b', delivery(BERLIN), midnight - 1);
    await store.deliver('b', delivery(BERLIN), midnight);
    await store.deliver('b', delivery('America/Los_Angeles'), midnight);
    await store.deliver('b', delivery('Asia/Kathmandu'), at('2026-03-02T18:15:00.000Z'));
    await store.deliver('b', delivery(), at('2026-03-02T23:59:59.999Z'));
    const expected = [
      ['2026-03-01', 2],
      ['2026-03-02', 2],
      ['2026-03-03', 1],
    ];
    equal(await impressionsByDay(store), expected, 'impressions');
  }),
  storeCase('days of 23 and 25 hours are counted whole', async (store) => {
    await put(store, withCampaign());
    for (const [from, hours] of [
      ['2026-03-28T23:00:00.000Z', 23],
      ['2026-10-24T22:00:00.000Z', 25],
    ] as const) {
      for (let hour = -1; hour <= hours; hour += 1) {
        await store.deliver('b', delivery(BERLIN), at(from) + hour * 3_600_000 + (hour < 0 ? 3_599_999 : 0));
      }
    }
    const expected = [
      ['2026-03-28', 1],
      ['2026-03-29', 23],
      ['2026-03-30', 1],
      ['2026-10-24', 1],
      ['2026-10-25', 25],
      ['2026-10-26', 1],
    ];
    equal(await impressionsByDay(store), expected, 'impressions');
  }),
  storeCase('clicks, viewable impressions and excluded traffic are counted on the same days', async (store) => {
    await put(store, withCampaign());
    const late = at('2026-03-01T23:30:00.000Z');
    await store.deliver('b', delivery(BERLIN), late);
    await store.deliver('b', { ...delivery(BERLIN), traffic: 'bot' }, late);
    await store.recordClick('b', click('t1', late));
    const day = '2026-03-02';
    const viewable = { tokenId: 't2', tokenExpiresAt: late + 600_000, adId: adId(1), campaignId: 'c' };
    await store.recordViewable('b', [{ ...viewable, placement: 'top', day }]);
    const key = { day, ad: adId(1), campaign: 'c', placement: 'top' };
    const both = { ...key, requests: 2, delivered: 2, valid: 1, viewable: 1, clicks: 1 };
    equal(await store.figures('b', { by: ['day', 'ad', 'campaign', 'placement'] }), [both], 'figures');
  }),
  storeCase('concurrent events of several time zones are counted on their own days', async (store) => {
    await put(store, withCampaign());
    const zones = [BERLIN, undefined, 'Pacific/Auckland', 'America/New_York'];
    const midnight = at('2026-03-02T18:30:00.000Z');
    await Promise.all(
      Array.from({ length: 40 }, async (_, index) =>
        store.deliver('b', delivery(zones[index % zones.length]), at('2026-03-01T23:30:00.000Z')),
      ),
    );
    // Midnight in Kolkata, within an hour of UTC.
    await Promise.all([-1, 0].map(async (ms) => store.deliver('b', delivery('Asia/Kolkata'), midnight + ms)));
    const expected = [
      ['2026-03-01', 20],
      ['2026-03-02', 21],
      ['2026-03-03', 1],
    ];
    equal(await impressionsByDay(store), expected, 'impressions');
  }),
  storeCase('a daily cap resets at midnight of the time zone', async (store) => {
    await put(store, withCampaign(2));
    const filled = async (timestamp: number, times: number) => {
      let count = 0;
      for (let index = 0; index < times; index += 1) {
        const { adIds } = await store.deliver('b', delivery(BERLIN), timestamp);
        if (adIds[0] !== undefined) count += 1;
      }
      return count;
    };
    const midnight = at('2026-10-24T22:00:00.000Z');
    equal(await filled(midnight - 1, 3), 2, 'the day before');
    equal(await filled(midnight, 3), 2, 'a day of 25 hours');
    equal(await filled(midnight + 2 * 3_600_000, 1), 0, 'midnight UTC');
    equal(await filled(midnight + 25 * 3_600_000 - 1, 1), 0, 'its last millisecond');
    equal(await filled(midnight + 25 * 3_600_000, 3), 2, 'the day after');
  }),
  storeCase('a new time zone leaves the counts of past days, and continues the current day', async (store) => {
    await put(store, withCampaign(3));
    await store.deliver('b', delivery(), NOW);
    await store.deliver('b', delivery('Asia/Tokyo'), NOW + 4 * 3_600_000);
    await store.deliver('b', delivery(), NOW + 5 * 3_600_000);
    equal(
      await impressionsByDay(store),
      [
        ['2026-03-01', 2],
        ['2026-03-02', 1],
      ],
      'impressions',
    );
    equal((await store.deliver('b', delivery(), NOW + 6 * 3_600_000)).adIds, [adId(1)], 'the third of the day');
    equal((await store.deliver('b', delivery(), NOW + 6 * 3_600_000)).adIds, [undefined], 'the fourth');
  }),
];
