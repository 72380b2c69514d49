import { defaultsOf, SnapshotAd, SnapshotCampaign } from '@broadsheet/contract';
import { expect, test } from 'vitest';
import type { Ad, Campaign } from '../store.ts';
import { chooseAds, type RequestedSlot } from './candidates.ts';
import { createInventory } from './inventory.ts';
import { seeded } from './seeded.fixture.ts';

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

test('an ad of the lowest priority is a candidate, however many campaigns come before it', () => {
  const sold = Array.from({ length: 1200 }, (_, index) => ad(`a${index}`, { campaignId: `c${index}` }));
  const free = ad('free', { priority: -1 });
  expect(choose([slot()], [...sold, free]).slots[0]?.candidates.at(-1)).toBe('free');
  const tiers = sold.map((one, index) => ({ ...one, priority: index }));
  expect(choose([slot()], [...tiers, free]).slots[0]?.candidates.at(-1)).toBe('free');
});

test('ads of paused and ended campaigns are no candidates', () => {
  const all = ['running', 'paused', 'ended'].map((id) => ad(id, { campaignId: id }));
  const campaigns = [campaign('running'), { ...campaign('paused'), paused: true }, campaign('ended')];
  const inventory = createInventory(all, campaigns);
  const idsNow = () => [...inventory.at(0).values()].flat().flatMap(({ sold }) => sold.flatMap(({ ads }) => ads));
  expect(idsNow().map(({ id }) => id)).toEqual(['running', 'ended']);
  inventory.end(['ended']);
  expect(idsNow().map(({ id }) => id)).toEqual(['running']);
  // A replay may still name it.
  expect(inventory.ads.has('ended')).toBe(true);
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
