import type { AdFormat } from '@broadsheet/contract';
import type { Random } from '../ports.ts';
import type { Ad, Campaign } from '../store.ts';
import { type Period, periodOf } from './campaign.ts';

/** An ad with its period, so that a check only compares numbers. */
interface Candidate extends Period {
  readonly ad: Ad;
  readonly isHouse: boolean;
}

/**
 * The ads that may run, by format, in tiers of equal priority, highest first; those of house campaigns come last. No
 * tier is empty.
 */
export type Tiers = ReadonlyMap<AdFormat, readonly Tier[]>;
type Tier = readonly Ad[];

/** The active ads of a blog. */
export interface Inventory {
  /** The ads that may run at an instant. */
  at(now: number): Tiers;
  /** An active ad by its id, inside or outside its window. */
  get(id: string): Ad | undefined;
}

/**
 * Sorts the ads into tiers again only when one of them starts or ends, so that the cost of a pick does not depend on
 * the number of ads.
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

/** Picks another ad on each call, until no ad is left. */
export type PickAd = () => Ad | undefined;

/**
 * Picks from the ads of a format that may run now: higher tiers first, ties at random, no ad twice (api.md 4.5).
 * This is a partial Fisher-Yates shuffle that does not change the tiers.
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

/** An ad runs only while its campaign does. */
function candidate(ad: Ad, campaign?: Campaign): Candidate {
  const periods = [ad, ...(campaign ? [campaign] : [])].map(periodOf);
  return {
    ad,
    isHouse: campaign?.kind === 'house',
    from: Math.max(...periods.map(({ from }) => from)),
    until: Math.min(...periods.map(({ until }) => until)),
  };
}

const inOrder = (a: Candidate, b: Candidate): number =>
  Number(a.isHouse) - Number(b.isHouse) || b.ad.priority - a.ad.priority;

/** Tiers, and the period in which they do not change. */
interface Sorted extends Period {
  readonly tiers: Tiers;
}

function sort(candidates: readonly Candidate[], now: number): Sorted {
  const turns = candidates.flatMap(({ from, until }) => [from, until]);
  const running = candidates.filter(({ from, until }) => from <= now && now < until).sort(inOrder);
  const tiers = [...Map.groupBy(running, ({ ad }) => ad.format)].map(([format, own]): [AdFormat, readonly Tier[]] => [
    format,
    [...Map.groupBy(own, ({ isHouse, ad }) => `${isHouse} ${ad.priority}`).values()].map((tier) =>
      tier.map(({ ad }) => ad),
    ),
  ]);
  return {
    tiers: new Map(tiers),
    from: turns.reduce((last, turn) => (turn <= now && turn > last ? turn : last), Number.NEGATIVE_INFINITY),
    until: turns.reduce((next, turn) => (turn > now && turn < next ? turn : next), Number.POSITIVE_INFINITY),
  };
}
