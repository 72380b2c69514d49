import { codeUnitOrder, type Delivered, type Delivery, hourOf, OTHER_PLACEMENT, TRAFFIC_HOURS } from '@broadsheet/core';
import { type Tables, TRAFFIC_COLUMNS } from '../tables.ts';
import type { DayPlacement } from './placements.ts';

type AdCount = Tables['ad_counts'];
type HourCount = Tables['hour_counts'];
type PlacementCount = Tables['placement_counts'];

/** A delivery on its way to the commit that counts it. */
export interface BlogDelivery {
  readonly blogId: string;
  readonly delivery: Delivery;
  readonly at: number;
}

/** Rows to add to what is counted, each of another key. */
export type Counts = ReturnType<typeof addUp>;

/** Counts of an ad that nothing was added to. */
const NOTHING: Omit<AdCount, 'blog_id' | 'day' | 'ad_id'> = {
  ...{ impressions: 0, clicks: 0, unknown_impressions: 0, bot_impressions: 0 },
  ...{ prefetch_impressions: 0, foreign_impressions: 0, burst_impressions: 0 },
};

/** How impressions are added to a row. */
export const ADD_IMPRESSIONS = `(blog_id, day, ad_id) do update set ${['impressions', ...TRAFFIC_COLUMNS]
  .map((column) => `${column} = ad_counts.${column} + excluded.${column}`)
  .join(', ')}`;

/** How deliveries of an hour are added to a row, which has those of the hour two weeks before. */
export const ADD_HOURS = `(blog_id, place) do update set hour = excluded.hour,
  deliveries = excluded.deliveries + case when hour_counts.hour = excluded.hour then hour_counts.deliveries else 0 end`;

/** The one order of counts. Two processes that count the same rows take them in this order, to avoid deadlocks. */
export const inCountOrder = (a: AdCount | PlacementCount, b: AdCount | PlacementCount): number =>
  codeUnitOrder(a.blog_id, b.blog_id) ||
  codeUnitOrder(a.day, b.day) ||
  ('placement' in a && 'placement' in b ? codeUnitOrder(a.placement, b.placement) : 0) ||
  codeUnitOrder(a.ad_id, b.ad_id);

const DAY = 24 * 60 * 60 * 1000;

let current = { number: Number.NaN, text: '' };

/** The day (UTC) under which something is counted. As a rule it is that of the last event. */
export function dayOf(at: number): string {
  const number = Math.floor(at / DAY);
  if (current.number !== number) current = { number, text: new Date(at).toISOString().slice(0, 10) };
  return current.text;
}

/** Of deliveries that count, one row for each ad and day, in {@link inCountOrder}, for each placement with it, and for each hour. */
export function addUp(items: readonly BlogDelivery[], delivered: readonly Delivered[]) {
  interface BlogDay {
    readonly hours: Map<number, HourCount>;
    readonly ads: Map<string, AdCount>;
    readonly placements: Map<string, Map<string, PlacementCount>>;
  }
  const blogs = new Map<string, BlogDay>();
  for (const [index, { blogId: blog_id, delivery, at }] of items.entries()) {
    const { outcome, adIds } = delivered[index] as Delivered;
    const { traffic = 'valid' } = delivery;
    if (outcome !== 'counted') continue;
    const day = dayOf(at);
    // A day has ten characters, whatever the blog is called.
    const counts = getOrAdd(blogs, day + blog_id, () => ({ hours: new Map(), ads: new Map(), placements: new Map() }));
    const hour = hourOf(at);
    const hourly = () => ({ blog_id, place: hour % TRAFFIC_HOURS, hour, deliveries: 0 });
    getOrAdd(counts.hours, hour, hourly).deliveries += 1;
    for (const [slot, { placement }] of delivery.slots.entries()) {
      const adId = adIds[slot];
      if (adId !== undefined) {
        const row = getOrAdd(counts.ads, adId, () => ({ blog_id, day, ad_id: adId, ...NOTHING }));
        row.impressions += 1;
        if (traffic !== 'valid') row[`${traffic}_impressions`] += 1;
      }
      if (placement !== undefined) {
        const ofPlacement = getOrAdd(counts.placements, placement, () => new Map<string, PlacementCount>());
        const row = () => ({ blog_id, day, placement, ad_id: adId ?? '', slots: 0, clicks: 0 });
        getOrAdd(ofPlacement, adId ?? '', row).slots += 1;
      }
    }
  }
  const all = [...blogs.values()];
  return {
    hours: all
      .flatMap(({ hours }) => [...hours.values()])
      .sort((a, b) => codeUnitOrder(a.blog_id, b.blog_id) || a.place - b.place),
    ads: all.flatMap(({ ads }) => [...ads.values()]).sort(inCountOrder),
    placements: all.flatMap(({ placements }) => [...placements.values()].flatMap((rows) => [...rows.values()])),
  };
}

/** Rows of placements under the names they are counted as, again each of another key, in {@link inCountOrder}. */
export function named(
  rows: readonly PlacementCount[],
  nameOf: (placement: DayPlacement) => string,
): readonly PlacementCount[] {
  const others = new Map<string, PlacementCount>();
  const own = rows.filter((row) => {
    if (nameOf(row) !== OTHER_PLACEMENT) return true;
    const key = JSON.stringify([row.blog_id, row.day, row.ad_id]);
    getOrAdd(others, key, () => ({ ...row, placement: OTHER_PLACEMENT, slots: 0 })).slots += row.slots;
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
