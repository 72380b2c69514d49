import type { SnapshotAd } from '@broadsheet/contract';
import type { DayCount, PlacementCount } from '@broadsheet/core';
import type { Period } from './period.ts';

/** What was counted. */
export interface Count {
  readonly impressions: number;
  readonly clicks: number;
  /** Slots with a name that asked for an ad, and those of them that got one. */
  readonly asked: number;
  readonly filled: number;
}

/** What one ad earned in a period, and in the one before. */
export interface AdFigures extends Count {
  readonly ad: Pick<SnapshotAd, 'id' | 'title'> & {
    /** Of an ad that was deleted `deleted`. */
    readonly format: string;
  };
  readonly before: Count;
}

/** What one placement brought in a period, and in the one before. */
export interface PlacementFigures extends Count {
  readonly placement: string;
  readonly before: Count;
}

/** The one ad, or the one placement, that is looked at. */
export interface Filter {
  readonly ad?: string | undefined;
  readonly placement?: string | undefined;
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
  readonly placements: readonly PlacementFigures[];
}

export const NONE: Count = { impressions: 0, clicks: 0, asked: 0, filled: 0 };

function plus(a: Count, b: Count): Count {
  return {
    impressions: a.impressions + b.impressions,
    clicks: a.clicks + b.clicks,
    asked: a.asked + b.asked,
    filled: a.filled + b.filled,
  };
}
const sumOf = (counts: readonly Count[]): Count => counts.reduce(plus, NONE);

/** Clicks by impressions; 0 when there are none. */
export const ctrOf = ({ impressions, clicks }: Count): number => (impressions > 0 ? clicks / impressions : 0);

/** Slots that got an ad by slots that asked for one; 0 when none asked. */
export const fillOf = ({ asked, filled }: Count): number => (asked > 0 ? filled / asked : 0);

/** How much more it is than before, as a share; `undefined` when there was nothing before. */
export const changeOf = (now: number, before: number): number | undefined =>
  before > 0 ? (now - before) / before : undefined;

/** One thing that was counted, on one day. */
interface Entry extends Count {
  readonly day: string;
  readonly adId: string | undefined;
  readonly placement: string | undefined;
}

/**
 * Adds up what was counted by day, ad and placement.
 *
 * @param counts What each ad earned on each day, wherever it stood.
 * @param placements The part of it that is known by placement.
 */
export function figuresOf(
  period: Period,
  ads: readonly SnapshotAd[],
  counts: readonly DayCount[],
  placements: readonly PlacementCount[],
  filter: Filter,
): Figures {
  const byPlacement = placements
    .map((count): Entry => ({ ...count, filled: count.impressions }))
    .filter(({ adId, placement }) => isWanted(filter.ad, adId) && isWanted(filter.placement, placement));
  const byAd =
    filter.placement === undefined
      ? counts.map((count): Entry => ({ ...count, placement: undefined, asked: 0, filled: 0 }))
      : byPlacement.filter(({ adId }) => adId !== undefined).map((entry) => ({ ...entry, asked: 0, filled: 0 }));
  const wanted = byAd.filter(({ adId }) => isWanted(filter.ad, adId));
  const slots = byPlacement.map((entry) => ({ ...entry, impressions: 0, clicks: 0 }));
  const [series, seriesBefore] = [period.days, period.before].map((days) => daily(days, [...wanted, ...slots]));
  const compared = (entries: readonly Entry[], keyOf: (entry: Entry) => string | undefined) =>
    compare(period, entries, keyOf);
  return {
    total: sumOf(series ?? []),
    before: sumOf(seriesBefore ?? []),
    series: series ?? [],
    seriesBefore: seriesBefore ?? [],
    ads: adRows(
      ads,
      compared(wanted, ({ adId }) => adId),
      filter,
    ),
    placements: [...compared(byPlacement, ({ placement }) => placement)].map(([placement, count]) => ({
      placement,
      ...count,
    })),
  };
}

const isWanted = (wanted: string | undefined, given: string | undefined): boolean =>
  wanted === undefined || wanted === given;

function daily(days: readonly string[], entries: readonly Entry[]): Count[] {
  const byDay = Map.groupBy(entries, ({ day }) => day);
  return days.map((day) => sumOf(byDay.get(day) ?? []));
}

type Compared = Count & { readonly before: Count };

function compare(
  { days, before }: Period,
  entries: readonly Entry[],
  keyOf: (entry: Entry) => string | undefined,
): Map<string, Compared> {
  const [now, then] = [new Set(days), new Set(before)];
  const sums = new Map<string, Compared>();
  for (const entry of entries) {
    const key = keyOf(entry);
    const [isNow, isThen] = [now.has(entry.day), then.has(entry.day)];
    if (key === undefined || !(isNow || isThen)) continue;
    const sum = sums.get(key) ?? { ...NONE, before: NONE };
    sums.set(key, {
      ...(isNow ? plus(sum, entry) : sum),
      before: isThen ? plus(sum.before, entry) : sum.before,
    });
  }
  return sums;
}

function adRows(ads: readonly SnapshotAd[], earned: ReadonlyMap<string, Compared>, filter: Filter): AdFigures[] {
  // With a placement only what stood there; without, also what earned nothing.
  const listed = ads.filter(({ id }) => isWanted(filter.ad, id) && (filter.placement === undefined || earned.has(id)));
  const rows = listed.map((ad) => ({ ad, ...(earned.get(ad.id) ?? { ...NONE, before: NONE }) }));
  const known = new Set(ads.map(({ id }) => id));
  const deleted = [...earned].filter(([id]) => !known.has(id));
  // An ad that is deleted leaves its figures behind.
  return [...rows, ...deleted.map(([id, count]) => ({ ad: { id, format: DELETED, title: null }, ...count }))];
}

const DELETED = 'deleted';
