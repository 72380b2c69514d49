import { defaultsOf, SnapshotAd, SnapshotCampaign } from '@broadsheet/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Random } from '../ports.ts';
import type { Ad, Campaign } from '../store.ts';
import { periodOf } from './campaign.ts';
import {
  type CampaignState,
  chooseAds,
  createInventory,
  fillSlots,
  type Inventory,
  isCountedByItself,
  placementOf,
  type RequestedSlot,
} from './choose-ads.ts';

const campaign = (id: string, more: Partial<Campaign> = {}): Campaign => ({
  ...defaultsOf(SnapshotCampaign),
  ...{ id, sponsor: 'Tea', name: id, ...more },
});
const ad = (id: string, more: Partial<Ad> = {}): Ad => ({
  ...defaultsOf(SnapshotAd),
  ...{ id, format: 'BANNER', ...more },
});
const ads = (prefix: string, count: number, more: Partial<Ad> = {}): Ad[] =>
  Array.from({ length: count }, (_, index) => ad(`${prefix}${index}`, more));
const slot = (slotId?: string): RequestedSlot => ({ format: 'BANNER', ...(slotId !== undefined && { slotId }) });

/** A small linear congruential generator: picks must not depend on the quality of the random numbers. */
function seeded(seed: number) {
  let state = seed;
  return {
    uuid: () => '',
    below(bound: number) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * bound);
    },
  };
}
const random = seeded(7);

const choose = (slots: readonly RequestedSlot[], all: readonly Ad[], campaigns: readonly Campaign[] = []) =>
  chooseAds(slots, createInventory(all, campaigns).at(0), random);

test('the number of ads of a campaign does not change its share', () => {
  const all = [...ads('a', 1, { campaignId: 'a' }), ...ads('b', 9, { campaignId: 'b' }), ad('c')];
  const firsts = new Map<string, number>();
  const own = new Map<string, number>();
  for (let round = 0; round < 6000; round += 1) {
    const [first = ''] = choose([slot()], all, [campaign('a'), campaign('b')]).slots[0]?.candidates ?? [];
    firsts.set(first.charAt(0), (firsts.get(first.charAt(0)) ?? 0) + 1);
    own.set(first, (own.get(first) ?? 0) + 1);
  }
  for (const count of firsts.values()) expect(count / 2000).toBeCloseTo(1, 0);
  expect([...firsts.keys()].sort()).toEqual(['a', 'b', 'c']);
  // The ads of a campaign share its part evenly.
  for (const { id } of all.slice(1, 10)) expect((own.get(id) ?? 0) / (2000 / 9)).toBeCloseTo(1, 0);
});

test('in a batch, each campaign has an ad before one has a second', () => {
  const all = [...ads('a', 3, { campaignId: 'a' }), ...ads('b', 3, { campaignId: 'b' })];
  for (let round = 0; round < 20; round += 1) {
    const { slots, campaigns } = choose([slot(), slot('top'), slot()], all, [campaign('a'), campaign('b')]);
    const [first] = slots;
    const order = first?.candidates.map((id) => id.charAt(0)) ?? [];
    expect(order.slice(0, 2).sort()).toEqual(['a', 'b']);
    expect(new Set(first?.candidates).size).toBe(6);
    expect(first?.tierEnds).toEqual([6]);
    expect(slots.every(({ candidates }) => candidates === first?.candidates)).toBe(true);
    expect(campaigns?.get('a0')).toBe('a');
  }
});

test('candidates are added until each slot of the format has an ad without a campaign', () => {
  const all = [...ads('a', 2, { campaignId: 'a', priority: 1 }), ...ads('u', 50), ad('low', { priority: -1 })];
  const { slots } = choose([slot(), slot()], all, [campaign('a')]);
  expect(slots[0]?.candidates.map((id) => id.charAt(0))).toEqual(['a', 'a', 'u', 'u']);
  expect(slots[0]?.tierEnds).toEqual([2, 4]);
  expect(choose([slot()], all.slice(2)).campaigns).toBeUndefined();
});

test('no slot has more than a thousand candidates', () => {
  const all = Array.from({ length: 1200 }, (_, index) => ad(`a${index}`, { campaignId: `c${index}` }));
  expect(choose([slot()], all).slots[0]?.candidates).toHaveLength(1000);
  const tiers = all.map((one, index) => ({ ...one, priority: index }));
  expect(choose([slot()], tiers).slots[0]?.candidates).toHaveLength(1000);
});

test('an ad of a campaign that names placements fills only those, where it is chosen first within its priority', () => {
  const all = [
    ...ads('u', 3),
    ad('placed', { campaignId: 'p' }),
    ad('low', { campaignId: 'p', priority: -1 }),
    ad('high', { priority: 1 }),
  ];
  const placed = campaign('p', { placements: ['top', 'letterpress-*'] });
  const [top, side, post, none] = choose(
    ['top', 'side', 'letterpress-3', undefined].map((slotId) => slot(slotId)),
    all,
    [placed],
  ).slots;
  expect(top?.candidates.slice(0, 2)).toEqual(['high', 'placed']);
  expect(post?.candidates).toEqual(top?.candidates);
  expect(side?.candidates).toEqual(none?.candidates);
  expect(side?.candidates).not.toContain('placed');
  const unrestricted = choose([slot()], all, [{ ...placed, placements: [] }]).slots[0];
  expect(unrestricted?.candidates).toContain('high');
});

test.each(['top', ' ', 'other', '😀', '__proto__', '\n'])('the slot id %j is a placement', (slotId) => {
  expect(placementOf(slotId)).toBe(slotId);
});

test.each(['a\0b', '\ud83d', 'x\udc00y'])('the slot id %j, which some databases cannot store, is "other"', (slotId) => {
  expect(placementOf(slotId)).toBe('other');
});

test('the first two hundred placements of a day are counted separately, the others together', () => {
  const names = Array.from({ length: 200 }, (_, index) => `slot ${index}`);
  expect(isCountedByItself('one more', new Set(names.slice(1)))).toBe(true);
  expect(isCountedByItself('one more', new Set(names))).toBe(false);
  expect(isCountedByItself('slot 7', new Set(names))).toBe(true);
  expect(isCountedByItself('other', new Set())).toBe(false);
});

describe('the ads that fill the slots of a batch', () => {
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
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 4 })), fc.nat(25), fc.integer(), (priorities, count, seed) => {
        const ads = priorities.map((priority, id) => ad(id, priority));
        const picked = pickAds(createInventory(ads), count, 0, { random: seeded(seed) });
        expect(new Set(picked).size).toBe(Math.min(count, ads.length));
        const best = priorities.sort((a, b) => b - a).slice(0, count);
        expect(picked.map(({ priority }) => priority)).toEqual(best);
      }),
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
});
