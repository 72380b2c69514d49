import type { Counts, FigureKey } from '@broadsheet/core';

/** What was delivered, seen and clicked. */
export interface Total {
  /** The impressions that count: the valid ones. */
  readonly impressions: number;
  /** All impressions, including those that do not come from readers. */
  readonly delivered: number;
  /** The impressions that come from readers. */
  readonly valid: number;
  /** The valid impressions of which half was visible for a second. */
  readonly viewable: number;
  /** Viewable impressions divided by the valid ones of {@link MeasuredDays}; `null` if there are none of these. */
  readonly viewableRate: number | null;
  readonly clicks: number;
  /** Clicks divided by valid impressions; 0 without impressions. */
  readonly ctr: number;
}

/** A total with the slots that stayed empty. */
export interface SlotTotal extends Total {
  /** Requested slots, including those that stayed empty. */
  readonly requests: number;
  /** Delivered impressions divided by requested slots; 0 without requests. */
  readonly fill: number;
}

/** The days on which any page of the blog reported a viewable impression: on others, pages do not measure it. */
export type MeasuredDays = ReadonlySet<string>;

export const measuredDays = (figures: readonly Pick<Filled, 'day' | 'viewable'>[]): MeasuredDays =>
  new Set(figures.filter(({ viewable }) => viewable > 0).map(({ day }) => day));

/** What was counted on a day of slots that received an ad. */
type Filled = Omit<Counts, 'requests'> & { readonly day: string };

/** Adds up figures, and computes every rate. */
export function totalOf(figures: readonly Filled[], measured: MeasuredDays): Total {
  const sum = (of: keyof Omit<Filled, 'day'>) => figures.reduce((total, figure) => total + figure[of], 0);
  const [delivered, valid, viewable, clicks] = [sum('delivered'), sum('valid'), sum('viewable'), sum('clicks')];
  const known = figures.reduce((total, figure) => total + (measured.has(figure.day) ? figure.valid : 0), 0);
  const viewableRate = known > 0 ? share(viewable, known) : null;
  return { impressions: valid, delivered, valid, viewable, viewableRate, clicks, ctr: share(clicks, valid) };
}

/** The same with the slots that stayed empty. */
export function slotTotalOf(figures: readonly (Counts & Filled)[], measured: MeasuredDays): SlotTotal {
  const total = totalOf(figures, measured);
  const requests = figures.reduce((sum, figure) => sum + figure.requests, 0);
  return { ...total, requests, fill: share(total.delivered, requests) };
}

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

/** Impressions that were not counted, and why. */
export interface Excluded {
  readonly reason: string;
  readonly impressions: number;
}

/** The impressions that were not counted, by reason. */
export function excludedOf(
  figures: readonly (Pick<Filled, 'delivered' | 'valid'> & { readonly traffic: string })[],
): Excluded[] {
  const excluded = figures.filter(({ delivered, valid }) => delivered > valid);
  return [...Map.groupBy(excluded, ({ traffic }) => traffic)].map(([reason, own]) => {
    return { reason, impressions: own.reduce((sum, { delivered }) => sum + delivered, 0) };
  });
}

/** A part divided by the whole; 0 if there is nothing. */
const share = (part: number, of: number): number => (of > 0 ? part / of : 0);
