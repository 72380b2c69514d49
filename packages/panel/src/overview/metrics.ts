import type { SnapshotAd } from '@broadsheet/contract';
import type { BlogVisit } from '../door/visit.ts';
import type { ChartData } from '../figures/chart.tsx';
import { type Count, ctrOf, type Figures, type Filter, fillOf } from '../figures/figures.ts';
import type { Numbers } from '../figures/numbers.ts';
import { dayOf, type Period } from '../figures/period.ts';

/** The data of the overview: the same for the page, its live figures and its files. */
export interface Overview {
  readonly visit: BlogVisit;
  readonly period: Period;
  readonly ads: readonly SnapshotAd[];
  readonly figures: Figures;
  readonly filter: Filter;
}

export const METRICS = { impressions: 'Impressions', clicks: 'Clicks', ctr: 'CTR', fill: 'Fill rate' } as const;
export type Metric = keyof typeof METRICS;

export const isShare = (metric: Metric): boolean => metric === 'ctr' || metric === 'fill';

export function measure(metric: Metric, count: Count): number {
  if (metric === 'ctr') return ctrOf(count);
  return metric === 'fill' ? fillOf(count) : count[metric];
}

export function write(metric: Metric, numbers: Numbers): (value: number) => string {
  return isShare(metric) ? numbers.percent : numbers.count;
}

/** As {@link write}, where there is little room. */
function writeShort(metric: Metric, numbers: Numbers): (value: number) => string {
  return isShare(metric) ? numbers.shortPercent : numbers.short;
}

/** The metrics that have data: a blog whose slots have no names has no fill rate. */
export function metricsOf({ total, before }: Figures): Metric[] {
  const asked = total.asked + before.asked > 0;
  return (Object.keys(METRICS) as Metric[]).filter((metric) => metric !== 'fill' || asked);
}

/** The metric of the chart, as the address names it. */
export function metricIn(url: URL): Metric {
  const given = url.searchParams.get('metric') ?? '';
  return Object.hasOwn(METRICS, given) ? (given as Metric) : 'impressions';
}

/** What the chart of the page draws. */
export function chartOf({ visit, period, figures }: Overview): ChartData {
  const { numbers } = visit;
  const metric = metricIn(visit.url);
  return {
    period,
    values: figures.series.map((count) => measure(metric, count)),
    before: figures.seriesBefore.map((count) => measure(metric, count)),
    write: write(metric, numbers),
    writeShort: writeShort(metric, numbers),
    name: METRICS[metric],
    least: isShare(metric) ? 0.01 : 4,
    today: period.days.indexOf(dayOf(visit.now)),
  };
}

/** Every number of the page that moves, by the name it has there. */
export function liveTexts({ visit, figures }: Overview): Record<string, string> {
  const { numbers } = visit;
  const texts: Record<string, string> = {};
  const add = (name: string, count: Count) => {
    for (const metric of Object.keys(METRICS) as Metric[])
      texts[`${name}-${metric}`] = write(metric, numbers)(measure(metric, count));
    texts[`${name}-asked`] = numbers.count(count.asked);
  };
  add('total', figures.total);
  for (const row of figures.ads) add(`ad-${row.ad.id}`, row);
  for (const row of figures.placements) add(`placement-${row.placement}`, row);
  return texts;
}
