import type { SnapshotAd } from '@broadsheet/contract';
import { dayOf } from '@broadsheet/core';
import type { Excluded, SlotTotal } from '@broadsheet/management';
import type { BlogVisit } from '../access/visit.ts';
import type { ChartData } from '../figures/chart.tsx';
import type { Figures, Filter } from '../figures/figures.ts';
import type { Period } from '../figures/period.ts';

/** The data of the overview, for the page, its live figures and its CSV files. */
export interface Overview {
  readonly visit: BlogVisit;
  readonly period: Period;
  readonly ads: readonly SnapshotAd[];
  readonly figures: Figures;
  readonly filter: Filter;
  /** What was delivered in the period, and not counted. */
  readonly excluded: readonly Excluded[];
}

/** The metrics with their names and values; a share is shown in percent. */
export const METRICS = {
  impressions: { name: 'Valid impressions', of: ({ impressions }) => impressions, isShare: false },
  clicks: { name: 'Clicks', of: ({ clicks }) => clicks, isShare: false },
  ctr: { name: 'CTR', of: ({ ctr }) => ctr, isShare: true },
  fill: { name: 'Fill rate', of: ({ fill }) => fill, isShare: true },
} as const satisfies Record<string, { name: string; of: (total: SlotTotal) => number; isShare: boolean }>;
export type Metric = keyof typeof METRICS;

/** The metrics that have data: a slot that stayed empty belongs to no ad and no campaign. */
export function metricsOf({ ad, campaign, sponsor }: Filter): Metric[] {
  const hasFill = (ad ?? campaign ?? sponsor) === undefined;
  return (Object.keys(METRICS) as Metric[]).filter((metric) => metric !== 'fill' || hasFill);
}

export function metricIn(url: URL): Metric {
  const given = url.searchParams.get('metric') ?? '';
  return Object.hasOwn(METRICS, given) ? (given as Metric) : 'impressions';
}

export function chartOf({ visit, period, figures }: Overview): ChartData {
  const { numbers } = visit;
  const { name, of, isShare } = METRICS[metricIn(visit.url)];
  const write = isShare ? numbers.percent : numbers.count;
  const [values, before] = [figures.series.map(of), figures.seriesBefore.map(of)];
  const today = period.days.indexOf(dayOf(visit.now, visit.blog.timeZone));
  return {
    ...{ days: period.days, values, before, today },
    textOf: (index) =>
      `${numbers.longDay(period.days[index] ?? '')}: ${write(values[index] ?? 0)} ${name}${index === today ? ' so far' : ''}, previously ${write(before[index] ?? 0)}`,
    writeShort: isShare ? numbers.shortPercent : numbers.short,
    least: isShare ? 0.01 : 4,
  };
}
