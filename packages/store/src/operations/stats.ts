import type { DayCount } from '@broadsheet/core';
import type { ServerStore } from '../server-store.ts';
import { listAds } from './ads.ts';

/** What one ad earned in all. */
export interface AdTotal {
  readonly id: string;
  readonly format: string;
  readonly title: string | null;
  readonly impressions: number;
  readonly clicks: number;
  /** Clicks by impressions, 0 when there are none. */
  readonly ctr: number;
}

/** What the ads of a blog earned: each in all, and each on each day. */
export interface BlogStats {
  readonly blog: string;
  readonly ads: readonly AdTotal[];
  readonly days: readonly DayCount[];
}

/** What the ads of a blog earned. @throws Refusal */
export async function readStats(store: ServerStore, blog: string): Promise<BlogStats> {
  const [ads, counts] = [await listAds(store, blog), await store.countsByDay(blog)];
  const byAd = Map.groupBy(counts, ({ adId }) => adId);
  return {
    blog,
    ads: ads.map(({ id, format, title }) => {
      const own = byAd.get(id) ?? [];
      const impressions = own.reduce((sum, day) => sum + day.impressions, 0);
      const clicks = own.reduce((sum, day) => sum + day.clicks, 0);
      return { id, format, title, impressions, clicks, ctr: impressions > 0 ? clicks / impressions : 0 };
    }),
    days: counts.map(({ day, adId, impressions, clicks }) => ({ day, adId, impressions, clicks })),
  };
}
