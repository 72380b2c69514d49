import type { AdFormat } from '@broadsheet/contract';
import type { Random } from './ports.ts';
import type { Ad } from './store.ts';

/** An ad with its window as instants, so that a draw compares numbers. */
interface Candidate {
  readonly ad: Ad;
  readonly from: number;
  readonly until: number;
}

/** The active ads of a blog: per format the tiers of equal priority, highest first. */
export type Inventory = ReadonlyMap<AdFormat, readonly (readonly Candidate[])[]>;

/** Sorts ads into tiers once, so that a draw costs what it takes and not what there is. */
export function createInventory(ads: readonly Ad[]): Inventory {
  const inventory = new Map<AdFormat, readonly (readonly Candidate[])[]>();
  for (const [format, sameFormat] of groupBy(
    ads.filter((ad) => ad.active),
    (ad) => ad.format,
  )) {
    const tiers = [...groupBy(sameFormat.map(candidate), ({ ad }) => ad.priority)].sort(([a], [b]) => b - a);
    inventory.set(
      format,
      tiers.map(([, tier]) => tier),
    );
  }
  return inventory;
}

/**
 * Draws up to `count` different ads of a format that may run now: higher priorities first, ties at random
 * (api.md 4.5).
 */
export function drawAds(inventory: Inventory, format: AdFormat, count: number, now: number, random: Random): Ad[] {
  const drawn: Ad[] = [];
  for (const tier of inventory.get(format) ?? []) {
    for (const { ad, from, until } of shuffled(tier, random)) {
      if (drawn.length === count) return drawn;
      if (from <= now && now < until) drawn.push(ad);
    }
  }
  return drawn;
}

function candidate(ad: Ad): Candidate {
  return {
    ad,
    from: ad.startsAt ? Date.parse(ad.startsAt) : Number.NEGATIVE_INFINITY,
    until: ad.endsAt ? Date.parse(ad.endsAt) : Number.POSITIVE_INFINITY,
  };
}

/** A Fisher-Yates shuffle that moves only what is asked for: the tier itself stays as it is. */
function* shuffled<T>(items: readonly T[], random: Random): Generator<T> {
  const moved = new Map<number, T>();
  for (let left = items.length; left > 0; left -= 1) {
    const index = left === 1 ? 0 : random.below(left);
    const last = moved.get(left - 1) ?? (items[left - 1] as T);
    yield moved.get(index) ?? (items[index] as T);
    moved.set(index, last);
  }
}

function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
