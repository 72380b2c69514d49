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
  /** Viewable divided by valid impressions; `null` if no viewable impression of the blog was ever reported. */
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

/** Whether any impression was ever reported as viewable; otherwise, pages do not measure it. */
export const isMeasured = (figures: readonly Pick<Counts, 'viewable'>[]): boolean =>
  figures.some(({ viewable }) => viewable > 0);

/** What was counted of slots that received an ad. */
type Filled = Omit<Counts, 'requests'>;

/** Adds up figures, and computes every rate. */
export function totalOf(figures: readonly Filled[], measured: boolean): Total {
  const sum = (of: keyof Filled) => figures.reduce((total, figure) => total + figure[of], 0);
  const [delivered, valid, viewable, clicks] = [sum('delivered'), sum('valid'), sum('viewable'), sum('clicks')];
  const viewableRate = measured ? share(viewable, valid) : null;
  return { impressions: valid, delivered, valid, viewable, viewableRate, clicks, ctr: share(clicks, valid) };
}

/** The same with the slots that stayed empty. */
export function slotTotalOf(figures: readonly Counts[], measured: boolean): SlotTotal {
  const total = totalOf(figures, measured);
  const requests = figures.reduce((sum, figure) => sum + figure.requests, 0);
  return { ...total, requests, fill: share(total.delivered, requests) };
}

/** The total of each combination of keys, in the order of the figures. */
export function totalsBy<const By extends FigureKey>(
  by: readonly By[],
  figures: readonly (Filled & Readonly<Record<By, string>>)[],
  measured: boolean,
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
export const excludedOf = (figures: readonly (Filled & { readonly traffic: string })[]): Excluded[] =>
  totalsBy(['traffic'], figures, false)
    .filter(({ delivered, valid }) => delivered > valid)
    .map(({ traffic: reason, delivered: impressions }) => ({ reason, impressions }));

/** A part divided by the whole; 0 if there is nothing. */
const share = (part: number, of: number): number => (of > 0 ? part / of : 0);
