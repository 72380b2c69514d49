import type { SnapshotAd } from '@broadsheet/contract';
import type { Counts, Figure, FigureKey } from '@broadsheet/core';
import type { OperatorStore } from '@broadsheet/store';
import { adName } from '@broadsheet/store';

/** The days on which any page of the blog reported a viewable impression: on other days, pages did not measure it. */
type MeasuredDays = ReadonlySet<string>;

export const measuredDays = (figures: readonly Pick<Filled, 'day' | 'viewable'>[]): MeasuredDays =>
  new Set(figures.filter(({ viewable }) => viewable > 0).map(({ day }) => day));

/** The counts of a day, for slots that received an ad. */
type Filled = Omit<Counts, 'requests'> & { readonly day: string };

/** Adds up figures, and computes every rate. */
export function totalOf(figures: readonly Filled[], measured: MeasuredDays) {
  const sum = (of: keyof Omit<Filled, 'day'>) => figures.reduce((total, figure) => total + figure[of], 0);
  const [delivered, valid, viewable, clicks] = [sum('delivered'), sum('valid'), sum('viewable'), sum('clicks')];
  const known = figures.reduce((total, figure) => total + (measured.has(figure.day) ? figure.valid : 0), 0);
  return {
    /** The impressions that count: the valid ones. */
    impressions: valid,
    /** All impressions, including those that do not come from readers. */
    delivered,
    /** The impressions that come from readers. */
    valid,
    /** The valid impressions of which half was visible for a second. */
    viewable,
    /** Viewable impressions divided by the valid ones of {@link MeasuredDays}; `null` if there are none of these. */
    viewableRate: known > 0 ? share(viewable, known) : null,
    clicks,
    /** Clicks divided by valid impressions; 0 without impressions. */
    ctr: share(clicks, valid),
  };
}

/** Deliveries, views and clicks. */
export type Total = Readonly<ReturnType<typeof totalOf>>;

/** The same with the slots that stayed empty. */
export function slotTotalOf(figures: readonly (Counts & Filled)[], measured: MeasuredDays) {
  const total = totalOf(figures, measured);
  const requests = figures.reduce((sum, figure) => sum + figure.requests, 0);
  return {
    ...total,
    /** Requested slots, including those that stayed empty. */
    requests,
    /** The share of requested slots that got an ad; 0 without requests. */
    fill: share(total.delivered, requests),
  };
}

export type SlotTotal = Readonly<ReturnType<typeof slotTotalOf>>;

/** The total of each combination of keys, in the order of the figures. */
export function totalsBy<const By extends FigureKey>(
  by: readonly By[],
  figures: readonly (Filled & Readonly<Record<By, string>>)[],
  measured: MeasuredDays,
): (Readonly<Record<By, string>> & Total)[] {
  const groups = Map.groupBy(figures, (figure) => JSON.stringify(by.map((name) => figure[name])));
  return [...groups.values()].map((own) => {
    const keys = by.map((name): [string, string] => [name, own[0]?.[name] ?? '']);
    // There is one entry for each name.
    return { ...(Object.fromEntries(keys) as Record<By, string>), ...totalOf(own, measured) };
  });
}

/** The totals of ads and of deleted ads that have figures, whose format is `deleted`. */
export function adTotals(
  ads: readonly SnapshotAd[],
  figures: readonly Figure<'ad' | 'day'>[],
  measured: MeasuredDays,
  nameOfDeleted: (id: string) => string,
) {
  const byAd = Map.groupBy(figures, ({ ad }) => ad);
  const known = new Set(ads.map(({ id }) => id));
  const deleted = [...byAd.keys()].filter((id) => id !== '' && !known.has(id));
  const total = (id: string) => totalOf(byAd.get(id) ?? [], measured);
  return [
    ...ads.map((ad) => ({ id: ad.id, format: String(ad.format), title: adName(ad), ...total(ad.id) })),
    ...deleted.map((id) => ({ id, format: 'deleted', title: nameOfDeleted(id), ...total(id) })),
  ];
}

/** The names of deleted ads: their own while they are in the recycle bin, then the first characters of their ids. */
export async function deletedAdNames(
  store: Pick<OperatorStore, 'listBin'>,
  blog: string,
  now: number,
): Promise<(id: string) => string> {
  const { items } = await store.listBin(blog, now, { kinds: ['ad'] });
  const names = new Map(items.map(({ id, title }) => [id, title]));
  return (id) => names.get(id) || `Deleted ad ${id.slice(0, 8)}`;
}

/** The impressions that were not counted, by reason. */
export function excludedOf(figures: readonly (Pick<Filled, 'delivered' | 'valid'> & { readonly traffic: string })[]) {
  const excluded = figures.filter(({ delivered, valid }) => delivered > valid);
  return [...Map.groupBy(excluded, ({ traffic }) => traffic)].map(([reason, own]) => {
    return { reason, impressions: own.reduce((sum, { delivered }) => sum + delivered, 0) };
  });
}

export type Excluded = ReturnType<typeof excludedOf>[number];

/** A part divided by the whole; 0 if there is nothing. */
const share = (part: number, of: number): number => (of > 0 ? part / of : 0);
