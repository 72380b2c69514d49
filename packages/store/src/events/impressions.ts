import {
  codeUnitOrder,
  type Delivered,
  type Delivery,
  dayOf,
  hourOf,
  isExcluded,
  OTHER_PLACEMENT,
  TRAFFIC_HOURS,
} from '@broadsheet/core';
import { type Tables, TRAFFIC_COLUMNS } from '../tables.ts';
import type { DayPlacement } from './placements.ts';

type AdCount = Omit<Tables['ad_counts'], 'viewable'>;
type HourCount = Tables['hour_counts'];
type PlacementCount = Omit<Tables['placement_counts'], 'viewable'>;

/** A delivery to be counted. */
export interface BlogDelivery {
  readonly blogId: string;
  readonly delivery: Delivery;
  readonly at: number;
}

/** Rows to add to the stored counts; no two have the same key. */
export type Counts = ReturnType<typeof addUp>;

/** The counts of an ad, all zero. */
const NOTHING: Omit<AdCount, 'blog_id' | 'day' | 'ad_id'> = {
  ...{ impressions: 0, clicks: 0, unknown_impressions: 0, bot_impressions: 0 },
  ...{ prefetch_impressions: 0, foreign_impressions: 0, burst_impressions: 0 },
};

/** Adds impressions to an existing row. */
export const ADD_IMPRESSIONS = `(blog_id, day, ad_id) do update set ${['impressions', ...TRAFFIC_COLUMNS]
  .map((column) => `${column} = ad_counts.${column} + excluded.${column}`)
  .join(', ')}`;

/** Adds slots to an existing row. */
export const ADD_SLOTS = `(blog_id, day, placement, ad_id) do update set slots = placement_counts.slots + excluded.slots,
  excluded = placement_counts.excluded + excluded.excluded`;

/** Adds deliveries of an hour to an existing row, or replaces it if it is of the hour two weeks before. */
export const ADD_HOURS = `(blog_id, place) do update set hour = excluded.hour,
  deliveries = excluded.deliveries + case when hour_counts.hour = excluded.hour then hour_counts.deliveries else 0 end`;

type CountKey = Pick<AdCount, 'blog_id' | 'day' | 'ad_id'> & { readonly placement?: string };

/** The order of counts. Two processes that count the same rows lock them in this order, to avoid deadlocks. */
export const inCountOrder = (a: CountKey, b: CountKey): number =>
  codeUnitOrder(a.blog_id, b.blog_id) ||
  codeUnitOrder(a.day, b.day) ||
  codeUnitOrder(a.placement ?? '', b.placement ?? '') ||
  codeUnitOrder(a.ad_id, b.ad_id);

/** Adds up deliveries with the outcome `counted`, by ad and day in {@link inCountOrder}, by placement and by hour. */
export function addUp(items: readonly BlogDelivery[], delivered: readonly Delivered[]) {
  interface BlogDay {
    readonly ads: Map<string, AdCount>;
    readonly placements: Map<string, Map<string, PlacementCount>>;
  }
  const blogs = new Map<string, BlogDay>();
  // Not by day: in some time zones, a day begins within an hour.
  const hours = new Map<string, HourCount>();
  for (const [index, { blogId: blog_id, delivery, at }] of items.entries()) {
    const { outcome, adIds } = delivered[index] as Delivered;
    const { traffic = 'valid', timeZone } = delivery;
    const excluded = isExcluded(delivery);
    if (outcome !== 'counted') continue;
    const day = dayOf(at, timeZone);
    // A day has ten characters, so the concatenation is unambiguous.
    const counts = getOrAdd(blogs, day + blog_id, () => ({ ads: new Map(), placements: new Map() }));
    const hour = hourOf(at);
    const hourly = () => ({ blog_id, place: hour % TRAFFIC_HOURS, hour, deliveries: 0 });
    getOrAdd(hours, `${hour} ${blog_id}`, hourly).deliveries += 1;
    for (const [slot, { placement }] of delivery.slots.entries()) {
      const adId = adIds[slot];
      if (adId !== undefined) {
        const row = getOrAdd(counts.ads, adId, () => ({ blog_id, day, ad_id: adId, ...NOTHING }));
        row.impressions += 1;
        if (traffic !== 'valid') row[`${traffic}_impressions`] += 1;
      }
      if (placement !== undefined) {
        const ofPlacement = getOrAdd(counts.placements, placement, () => new Map<string, PlacementCount>());
        const empty = () => ({ blog_id, day, placement, ad_id: adId ?? '', slots: 0, excluded: 0, clicks: 0 });
        const row = getOrAdd(ofPlacement, adId ?? '', empty);
        row.slots += 1;
        if (excluded && adId !== undefined) row.excluded += 1;
      }
    }
  }
  const all = [...blogs.values()];
  return {
    hours: [...hours.values()].sort((a, b) => codeUnitOrder(a.blog_id, b.blog_id) || a.place - b.place),
    ads: all.flatMap(({ ads }) => [...ads.values()]).sort(inCountOrder),
    placements: all.flatMap(({ placements }) => [...placements.values()].flatMap((rows) => [...rows.values()])),
  };
}

/** Rows of placements under the names by which they are counted, merged by key, in {@link inCountOrder}. */
export function named(
  rows: readonly PlacementCount[],
  nameOf: (placement: DayPlacement) => string,
): readonly PlacementCount[] {
  const others = new Map<string, PlacementCount>();
  const own = rows.filter((row) => {
    if (nameOf(row) !== OTHER_PLACEMENT) return true;
    const key = JSON.stringify([row.blog_id, row.day, row.ad_id]);
    const other = getOrAdd(others, key, () => ({ ...row, placement: OTHER_PLACEMENT, slots: 0, excluded: 0 }));
    other.slots += row.slots;
    other.excluded += row.excluded;
    return false;
  });
  return [...own, ...others.values()].sort(inCountOrder);
}

function getOrAdd<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
