import type { AdFormat } from '@broadsheet/contract';
import type { Random } from '../ports.ts';
import type { Ad, Campaign } from '../store.ts';

/** An ad with its window as instants, so that looking at it compares numbers. */
interface Candidate {
  readonly ad: Ad;
  readonly from: number;
  readonly until: number;
}

/** Per format the ads that may run, in tiers of equal priority, highest first; no tier is empty. */
export type Tiers = ReadonlyMap<AdFormat, readonly Tier[]>;
type Tier = readonly Ad[];

/** The active ads of a blog. */
export interface Inventory {
  /** Those that may run at an instant. */
  at(now: number): Tiers;
  /** An active ad by its id, whatever its window. */
  get(id: string): Ad | undefined;
}

/**
 * Sorts ads into tiers once for the time between two instants at which one of them starts or ends, so that a pick
 * does not depend on how many ads there are.
 */
export function createInventory(ads: readonly Ad[], campaigns: readonly Campaign[] = []): Inventory {
  const campaignOf = new Map(campaigns.map((campaign) => [campaign.id, campaign]));
  const active = ads.filter((ad) => ad.active);
  const candidates = active.map((ad) => candidate(ad, campaignOf.get(ad.campaignId ?? '')));
  const byId = new Map(active.map((ad) => [ad.id, ad]));
  let current: Sorted = { tiers: new Map(), from: Number.POSITIVE_INFINITY, until: Number.NEGATIVE_INFINITY };
  return {
    at(now) {
      if (now < current.from || now >= current.until) current = sort(candidates, now);
      return current.tiers;
    },
    get: (id) => byId.get(id),
  };
}

/** Picks another ad at each call, until none is left. */
export type PickAd = () => Ad | undefined;

/**
 * Picks from the ads of a format that may run now: higher priorities first, ties at random, no ad twice (api.md 4.5).
 * It is a Fisher-Yates shuffle that moves only what is picked; the tiers stay as they are.
 */
export function createPicker(tiers: readonly Tier[] = [], random: Random): PickAd {
  let level = 0;
  let left = tiers[0]?.length ?? 0;
  let moved = new Map<number, Ad>();
  return () => {
    if (left === 0) {
      level += 1;
      left = tiers[level]?.length ?? 0;
      moved = new Map();
    }
    const tier = tiers[level];
    if (!tier) return undefined;
    const index = left === 1 ? 0 : random.below(left);
    left -= 1;
    const picked = moved.get(index) ?? tier[index];
    moved.set(index, moved.get(left) ?? (tier[left] as Ad));
    return picked;
  };
}

/** An ad runs while its campaign does. */
function candidate(ad: Ad, campaign?: Campaign): Candidate {
  const windows = campaign ? [ad, campaign] : [ad];
  return {
    ad,
    from: Math.max(...windows.map(({ startsAt }) => (startsAt ? Date.parse(startsAt) : Number.NEGATIVE_INFINITY))),
    until: Math.min(...windows.map(({ endsAt }) => (endsAt ? Date.parse(endsAt) : Number.POSITIVE_INFINITY))),
  };
}

/** Tiers, and the time in which they do not change. */
interface Sorted {
  readonly tiers: Tiers;
  readonly from: number;
  readonly until: number;
}

function sort(candidates: readonly Candidate[], now: number): Sorted {
  const turns = candidates.flatMap(({ from, until }) => [from, until]);
  const running = candidates.filter(({ from, until }) => from <= now && now < until).map(({ ad }) => ad);
  const tiers = [...Map.groupBy(running, (ad) => ad.format)].map(([format, ads]): [AdFormat, readonly Tier[]] => [
    format,
    [...Map.groupBy(ads, (ad) => ad.priority)].sort(([a], [b]) => b - a).map(([, tier]) => tier),
  ]);
  return {
    tiers: new Map(tiers),
    from: turns.reduce((last, turn) => (turn <= now && turn > last ? turn : last), Number.NEGATIVE_INFINITY),
    until: turns.reduce((next, turn) => (turn > now && turn < next ? turn : next), Number.POSITIVE_INFINITY),
  };
}
