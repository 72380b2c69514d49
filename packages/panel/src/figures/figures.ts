import type { SnapshotAd } from '@broadsheet/contract';
import type { DayCount } from '@broadsheet/core';
import type { Period } from './period.ts';

/** What was counted. */
export interface Count {
  readonly impressions: number;
  readonly clicks: number;
}

/** What one ad earned in a period, and in the one before. */
export interface AdFigures extends Count {
  readonly ad: Pick<SnapshotAd, 'id' | 'format' | 'title'>;
  readonly before: Count;
}

/** The figures of a period, and of the one it is compared with. */
export interface Figures {
  readonly total: Count;
  readonly before: Count;
  /** One for each day of the period. */
  readonly series: readonly Count[];
  readonly seriesBefore: readonly Count[];
  /** Ads that were delivered in either period, and those that could be. */
  readonly ads: readonly AdFigures[];
}

const NONE: Count = { impressions: 0, clicks: 0 };
const plus = (a: Count, b: Count): Count => ({
  impressions: a.impressions + b.impressions,
  clicks: a.clicks + b.clicks,
});
export const sumOf = (counts: readonly Count[]): Count => counts.reduce(plus, NONE);

/** Clicks by impressions; 0 when there are none. */
export const ctrOf = ({ impressions, clicks }: Count): number => (impressions > 0 ? clicks / impressions : 0);

/** How much more it is than before, as a share; `undefined` when there was nothing before. */
export const changeOf = (now: number, before: number): number | undefined =>
  before > 0 ? (now - before) / before : undefined;

/**
 * Adds up what was counted by day and ad.
 *
 * @param adId Only this ad, in everything but the list of ads.
 */
export function figuresOf(
  period: Period,
  ads: readonly SnapshotAd[],
  counts: readonly DayCount[],
  adId?: string | undefined,
): Figures {
  const byDay = Map.groupBy(counts, ({ day }) => day);
  const on = (days: readonly string[]) => days.map((day) => byDay.get(day) ?? []);
  const [now, then] = [on(period.days), on(period.before)];
  const seriesOf = (days: readonly (readonly DayCount[])[]) =>
    days.map((day) => sumOf(day.filter((count) => adId === undefined || count.adId === adId)));
  const [series, seriesBefore] = [seriesOf(now), seriesOf(then)];
  const [earned, earnedBefore] = [byAd(now.flat()), byAd(then.flat())];
  const rows = new Map(ads.map((ad) => [ad.id, ad as AdFigures['ad']]));
  // An ad that is deleted leaves its figures behind.
  for (const id of [...earned.keys(), ...earnedBefore.keys()])
    if (!rows.has(id)) rows.set(id, { id, format: 'BANNER', title: `deleted (${id})` });
  return {
    total: sumOf(series),
    before: sumOf(seriesBefore),
    series,
    seriesBefore,
    ads: [...rows.values()].map((ad) => ({
      ad,
      ...(earned.get(ad.id) ?? NONE),
      before: earnedBefore.get(ad.id) ?? NONE,
    })),
  };
}

function byAd(counts: readonly DayCount[]): Map<string, Count> {
  const sums = new Map<string, Count>();
  for (const count of counts) sums.set(count.adId, plus(sums.get(count.adId) ?? NONE, count));
  return sums;
}
