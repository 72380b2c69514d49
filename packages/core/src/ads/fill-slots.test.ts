import { defaultsOf, SnapshotAd, SnapshotCampaign } from '@broadsheet/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedsOf } from '../../../../tools/testing/seeds.ts';
import type { Random } from '../ports.ts';
import type { Ad, Campaign } from '../store.ts';
import { periodOf } from './campaign.ts';
import { chooseAds } from './candidates.ts';
import { type CampaignState, fillSlots } from './fill-slots.ts';
import { createInventory, type Inventory } from './inventory.ts';
import { seeded } from './seeded.fixture.ts';

const ad = (id: number, priority: number, window: Partial<Ad> = {}): Ad => ({
  ...defaultsOf(SnapshotAd),
  ...{ id: String(id), format: 'BANNER', priority, ...window },
});

/** @param campaigns the campaigns of the ads */
function pickAds(
  inventory: Inventory,
  count: number,
  now: number,
  { random, campaigns = [] }: { random: Random; campaigns?: readonly Campaign[] },
): Ad[] {
  const slots = Array.from({ length: count }, () => ({ format: 'BANNER' as const }));
  const open = campaigns.map((campaign): [string, CampaignState] => [
    campaign.id,
    { campaign: { ...campaign, ...periodOf(campaign) }, impressions: 0, clicks: 0, plan: undefined, days: new Map() },
  ]);
  const ids = fillSlots(chooseAds(slots, inventory.at(now), random), now, { campaigns: new Map(open) });
  return ids.map((id) => inventory.ads.get(id ?? '')).filter((ad) => ad !== undefined);
}

test('picks take the highest priorities first and no ad twice, until no ad is left', () => {
  for (const seed of seedsOf())
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 4 })), fc.nat(25), fc.integer(), (priorities, count, seed) => {
        const ads = priorities.map((priority, id) => ad(id, priority));
        const picked = pickAds(createInventory(ads), count, 0, { random: seeded(seed) });
        expect(new Set(picked).size).toBe(Math.min(count, ads.length));
        const best = priorities.sort((a, b) => b - a).slice(0, count);
        expect(picked.map(({ priority }) => priority)).toEqual(best);
      }),
      { seed },
    );
});

test('ads of house campaigns come after all others, by priority within each group', () => {
  const campaign = (id: string, kind: Campaign['kind']) => ({ ...defaultsOf(SnapshotCampaign), id, kind, name: id });
  const campaigns = [campaign('house', 'house'), campaign('paid', 'paid')].map((one) => ({ ...one, sponsor: '' }));
  const ads = [
    ad(1, 9, { campaignId: 'house' }),
    ad(2, 1, { campaignId: 'paid' }),
    ad(3, 8, { campaignId: 'house' }),
    ad(4, 2),
  ];
  const picked = pickAds(createInventory(ads, campaigns), 4, 0, { random: seeded(1), campaigns });
  expect(picked.map(({ id }) => id)).toEqual(['4', '2', '1', '3']);
});

test('only ads inside their window are picked: the start is included, the end is not', () => {
  const start = Date.parse('2026-01-01T00:00:00Z');
  const end = Date.parse('2026-02-01T00:00:00Z');
  const inventory = createInventory([
    ad(1, 9, { startsAt: '2026-01-01T00:00:00Z', endsAt: '2026-02-01T00:00:00Z' }),
    ad(2, 1),
    ad(3, 10, { active: false }),
  ]);
  const first = (now: number) => pickAds(inventory, 1, now, { random: seeded(1) })[0]?.id;
  expect([start - 1, start, end - 1, end].map(first)).toEqual(['2', '1', '1', '2']);
  // The clock of a test may also go back.
  expect([end, end - 1, start, start - 1].map(first)).toEqual(['2', '1', '1', '2']);
});

test('at any time, in any order, the ads picked are those whose window contains it', () => {
  const time = fc.option(fc.integer({ min: 0, max: 9 }), { nil: null });
  const at = (value: number | null) => (value ? new Date(value).toISOString() : null);
  for (const seed of seedsOf())
    fc.assert(
      fc.property(fc.array(fc.tuple(time, time)), fc.array(fc.integer({ min: -1, max: 10 })), (windows, times) => {
        const inventory = createInventory(
          windows.map(([from, until], id) => ad(id, id % 3, { startsAt: at(from), endsAt: at(until) })),
        );
        for (const now of times) {
          const picked = pickAds(inventory, windows.length, now, { random: seeded(now) });
          const holding = windows.flatMap(([from, until], id) =>
            (!from || from <= now) && (!until || now < until) ? [String(id)] : [],
          );
          expect(picked.map(({ id }) => id).sort()).toEqual(holding.sort());
        }
      }),
      { seed },
    );
});

test('ads of the same priority are picked equally often', () => {
  const inventory = createInventory(Array.from({ length: 5 }, (_, id) => ad(id, 1)));
  const random = seeded(7);
  const counts = new Map<string, number>();
  for (let round = 0; round < 5000; round += 1) {
    const [picked] = pickAds(inventory, 1, 0, { random });
    counts.set(picked?.id ?? '', (counts.get(picked?.id ?? '') ?? 0) + 1);
  }
  for (const count of counts.values()) expect(count).toBeGreaterThan(800);
});

test.each(['bot', 'prefetch', 'foreign', 'burst'] as const)(
  'a %s uses up neither the goal nor the daily cap of its commit',
  (traffic) => {
    const campaign = {
      ...{ ...defaultsOf(SnapshotCampaign), id: 'c', sponsor: '', name: 'c', pace: 'fast' as const },
      ...{ goal: { impressions: 1 }, perDay: 1 },
    };
    const inventory = createInventory([ad(1, 0, { campaignId: 'c' })], [campaign]);
    const state = { campaign: { ...campaign, ...periodOf(campaign) }, impressions: 0, clicks: 0, plan: undefined };
    const blog = { campaigns: new Map([['c', { ...state, days: new Map<string, number>() }]]) };
    const chosen = chooseAds([{ format: 'BANNER' }], inventory.at(0), seeded(1));
    const deliver = (more: object) => fillSlots({ ...chosen, ...more }, 0, blog);
    expect([deliver({ traffic }), deliver({}), deliver({})]).toEqual([['1'], ['1'], [undefined]]);
  },
);
