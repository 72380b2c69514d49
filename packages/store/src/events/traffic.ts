import { hourOf, TRAFFIC_HOURS, type WeeklyTraffic, weeklyTraffic } from '@broadsheet/core';
import { LRUCache } from 'lru-cache';
import { join } from 'sql-template-tag';
import { chunks, type Db } from '../sql.ts';
import type { Tables } from '../tables.ts';
import { ROWS } from './dialect.ts';

/** The traffic of blogs, which changes once an hour. */
export type TrafficCache = LRUCache<string, { readonly hour: number; readonly traffic: WeeklyTraffic | undefined }>;

/** The number of blogs whose traffic is cached. */
const MAX_BLOGS = 10_000;

export const createTrafficCache = (): TrafficCache => new LRUCache({ maxSize: MAX_BLOGS, sizeCalculation: () => 1 });

/** Removes a blog, or all blogs. */
export function forgetTraffic(cache: TrafficCache, blogId: string | undefined): void {
  if (blogId === undefined) cache.clear();
  else cache.delete(blogId);
}

/** The traffic of blogs in this hour: what is not cached is read in one statement. */
export async function readTraffic(
  db: Db,
  cache: TrafficCache,
  blogIds: readonly string[],
  at: number,
): Promise<ReadonlyMap<string, WeeklyTraffic | undefined>> {
  const hour = hourOf(at);
  const missing = blogIds.filter((blogId) => cache.get(blogId)?.hour !== hour);
  for (const some of chunks(missing, ROWS)) {
    const hours = await readHours(db, some, at);
    for (const blogId of some) cache.set(blogId, { hour, traffic: weeklyTraffic(hours.get(blogId) ?? [], at) });
  }
  return new Map(blogIds.map((blogId) => [blogId, cache.get(blogId)?.traffic]));
}

/** Deliveries in an hour; see `hourOf`. */
type HourCount = readonly [hour: number, deliveries: number];

/** The deliveries to readers of blogs in the hours of the last two weeks that had any. */
export async function readHours(
  db: Db,
  blogIds: readonly string[],
  at: number,
): Promise<ReadonlyMap<string, HourCount[]>> {
  const rows = await db<Tables['hour_counts']>`select blog_id, hour, deliveries from hour_counts
    where blog_id in (${join([...blogIds])}) and hour >= ${hourOf(at) - TRAFFIC_HOURS}`;
  return new Map(
    [...Map.groupBy(rows, ({ blog_id }) => blog_id)].map(([blogId, counts]) => [
      blogId,
      counts.map(({ hour, deliveries }): HourCount => [hour, deliveries]),
    ]),
  );
}
