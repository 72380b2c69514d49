import type { SlotTotal } from '@broadsheet/management';
import { currentNumbers } from '../access/visit.ts';
import type { ChartData } from '../figures/chart.tsx';
import { ctrOf } from '../figures/columns.ts';
import type { Filter } from '../figures/figures.ts';
import type { Overview } from './read.ts';

export type Metric = 'impressions' | 'clicks' | 'ctr' | 'fill';

interface MetricRow {
  readonly name: string;
  /** A share is shown in percent; a negative one is unknown. */
  readonly of: (total: SlotTotal) => number;
  readonly isShare: boolean;
  /** The number of events on which the value depends. */
  readonly events: (total: SlotTotal) => number;
}

const fillOf = ({ requests, fill }: SlotTotal) => (requests > 0 ? fill : -1);

export const METRICS: Readonly<Record<Metric, MetricRow>> = {
  impressions: { name: 'Valid impressions', of: ({ valid }) => valid, isShare: false, events: ({ valid }) => valid },
  clicks: { name: 'Clicks', of: ({ clicks }) => clicks, isShare: false, events: ({ clicks }) => clicks },
  ctr: { name: 'CTR', of: ctrOf, isShare: true, events: ({ clicks }) => clicks },
  fill: { name: 'Fill rate', of: fillOf, isShare: true, events: ({ delivered }) => delivered },
};

/** The metrics that have data: a slot that stayed empty belongs to no ad and no campaign. */
export function metricsOf({ ad, campaign, sponsor }: Filter): Metric[] {
  const hasFill = (ad ?? campaign ?? sponsor) === undefined;
  return (Object.keys(METRICS) as Metric[]).filter((metric) => metric !== 'fill' || hasFill);
}

export function metricIn(url: URL): Metric {
  const given = url.searchParams.get('metric') ?? '';
  return Object.hasOwn(METRICS, given) ? (given as Metric) : 'impressions';
}

/** The chart of the page: of the days of the period, or of the hours of a single day. */
export function chartOf({ visit, period, figures, hours }: Overview): ChartData | undefined {
  const numbers = currentNumbers();
  if (hours) {
    const { starts, requests, before, current } = hours;
    const names = starts.map(numbers.timeOfDay);
    const textOf = (index: number) => {
      const [now, then] = [requests[index], before[index] ?? 0];
      const soFar = index === current ? ' so far' : '';
      const text = now === undefined ? '' : ` ${numbers.count(now)} requests${soFar},`;
      return `${names[index]}:${text} a week earlier ${numbers.count(then)}`;
    };
    return { names, values: requests, before, current, textOf, writeShort: numbers.short, least: 4 };
  }
  if (period.days.length === 1) return undefined;
  const { current } = period;
  const { name, of, isShare } = METRICS[metricIn(visit.url)];
  const write = isShare ? numbers.percent : numbers.count;
  const drawn = (total: SlotTotal) => Math.max(0, of(total));
  const [values, before] = [figures.series.map(drawn), figures.seriesBefore.map(drawn)];
  return {
    names: period.days.map((day) => numbers.day(day)),
    values,
    before,
    current,
    textOf: (index) =>
      `${numbers.longDay(period.days[index] ?? '')}: ${write(values[index] ?? 0)} ${name}${index === current ? ' so far' : ''}, previously ${write(before[index] ?? 0)}`,
    writeShort: isShare ? numbers.shortPercent : numbers.short,
    least: isShare ? 0.01 : 4,
  };
}
