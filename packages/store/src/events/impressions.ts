import { codeUnitOrder } from '../code-unit-order.ts';
import type { Tables } from '../tables.ts';

/** Impressions of one request. */
export interface Impressions {
  readonly blogId: string;
  readonly adIds: readonly string[];
  readonly at: number;
}

/** The day (UTC) under which something is counted. */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

type AdCount = Tables['ad_counts'];

const DAY = 24 * 60 * 60 * 1000;

/**
 * One row for each ad and day, in one order for everybody: two processes that count the same ads wait for each other
 * and never in a circle.
 */
export function addUp(items: readonly Impressions[]): AdCount[] {
  const blogs = new Map<string, Map<string, AdCount>>();
  const days = new Map<number, string>();
  for (const { blogId, adIds, at } of items) {
    const day = getOrAdd(days, Math.floor(at / DAY), () => dayOf(at));
    // A day has ten characters, whatever the blog is called.
    const ads = getOrAdd(blogs, day + blogId, () => new Map<string, AdCount>());
    for (const adId of adIds) {
      const count = () => ({ blog_id: blogId, day, ad_id: adId, impressions: 0, clicks: 0 });
      getOrAdd(ads, adId, count).impressions += 1;
    }
  }
  const rows = [...blogs.values()].flatMap((ads) => [...ads.values()]);
  return rows.sort(
    (a, b) => codeUnitOrder(a.blog_id, b.blog_id) || codeUnitOrder(a.day, b.day) || codeUnitOrder(a.ad_id, b.ad_id),
  );
}

function getOrAdd<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
