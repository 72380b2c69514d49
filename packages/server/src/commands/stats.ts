import type { DayCount } from '@broadsheet/core';
import { type DatabaseFlag, requireBlog, withStore } from '../database/database.ts';
import { print, printJson } from '../program/output.ts';
import { bar, table } from '../program/table.ts';

/** What one ad earned in all. */
interface AdTotal {
  readonly id: string;
  readonly format: string;
  readonly title: string | null;
  readonly impressions: number;
  readonly clicks: number;
  /** Clicks by impressions, 0 when there are none. */
  readonly ctr: number;
}

const BAR_WIDTH = 24;

/** `broadsheet stats BLOG` */
export async function stats(blog: string, flags: DatabaseFlag & { readonly json?: boolean }): Promise<void> {
  const { ads, days } = await withStore(flags, {}, async (store) => {
    await requireBlog(store, blog);
    const [all, counts] = [await store.listAllAds(blog), await store.countsByDay(blog)];
    return { ads: all.map(({ id, format, title }) => total(id, format, title, counts)), days: counts };
  });
  if (flags.json) {
    printJson({
      blog,
      ads,
      days: days.map(({ day, adId, impressions, clicks }) => ({ day, adId, impressions, clicks })),
    });
    return;
  }
  const history = days.length > 0 ? dayTable(days) : 'No ad was delivered yet.\n';
  print(`${blog}\n\n${adTable(ads)}\n${history}`);
}

function total(id: string, format: string, title: string | null, counts: readonly DayCount[]): AdTotal {
  const own = counts.filter(({ adId }) => adId === id);
  const impressions = own.reduce((sum, day) => sum + day.impressions, 0);
  const clicks = own.reduce((sum, day) => sum + day.clicks, 0);
  return { id, format, title, impressions, clicks, ctr: impressions > 0 ? clicks / impressions : 0 };
}

function adTable(ads: readonly AdTotal[]): string {
  const most = Math.max(0, ...ads.map(({ impressions }) => impressions));
  const rows = ads
    .toSorted((a, b) => b.impressions - a.impressions)
    .map((ad) => [
      ad.title ?? ad.id,
      ad.format,
      ad.impressions,
      ad.clicks,
      `${(ad.ctr * 100).toFixed(2)} %`,
      bar(ad.impressions, most, BAR_WIDTH),
    ]);
  return table(['AD', 'FORMAT', 'IMPRESSIONS', 'CLICKS', 'CTR', ''], rows);
}

function dayTable(counts: readonly DayCount[]): string {
  const days = [...Map.groupBy(counts, ({ day }) => day)].map(([day, group]) => ({
    day,
    impressions: group.reduce((sum, count) => sum + count.impressions, 0),
    clicks: group.reduce((sum, count) => sum + count.clicks, 0),
  }));
  const most = Math.max(0, ...days.map(({ impressions }) => impressions));
  const rows = days.map(({ day, impressions, clicks }) => [
    day,
    impressions,
    clicks,
    bar(impressions, most, BAR_WIDTH),
  ]);
  return table(['DAY', 'IMPRESSIONS', 'CLICKS', ''], rows);
}
