import type { SlotTotal } from '@broadsheet/management';
import { currentVisit } from '../access/visit.ts';
import { ctrOf } from '../campaigns/progress.tsx';
import { changeOf } from '../figures/figures.ts';
import type { Hours } from '../figures/hours.ts';
import { notCounted } from '../figures/reasons.ts';
import { withQuery } from '../layout/address.ts';
import { type Column, type Columns, type Live, Table } from '../layout/table.tsx';
import { METRICS, type Metric, metricIn, metricsOf, type Overview } from './metrics.ts';

const liveTotal = ({ visit: { numbers }, figures }: Overview, metric: Metric): Live => {
  const { of, isShare } = METRICS[metric];
  return [`total-${metric}`, (isShare ? numbers.rate : numbers.count)(of(figures.total))];
};

/** The impressions that are not valid: `+165 not counted`. */
const liveExcluded = ({ visit: { numbers }, excluded }: Overview): Live => [
  'total-excluded',
  `+${numbers.count(notCounted(excluded, numbers).count)} not counted`,
];

/** The totals, which are updated while the page is open. */
export const liveTotals = (overview: Overview): Live[] => [
  ...metricsOf(overview.filter).map((metric) => liveTotal(overview, metric)),
  liveExcluded(overview),
];

/** The totals of the period, compared with the previous one; each links to its chart. */
export function Totals({ overview }: { overview: Overview }) {
  const { visit, period, figures, filter, excluded } = overview;
  const { url, numbers } = visit;
  // The chart of a single day has other figures.
  const current = period.days.length === 1 ? undefined : metricIn(url);
  const { count, reasons } = notCounted(excluded, numbers);
  const [excludedId, excludedText] = liveExcluded(overview);
  return (
    <>
      <ul class="totals">
        {metricsOf(filter).map((metric) => {
          const { name, of, isShare, events } = METRICS[metric];
          const [now, before] = [of(figures.total), of(figures.before)];
          const change = changeOf(now, before);
          const isRare = Math.min(events(figures.total), events(figures.before)) < RARE;
          const [id, text] = liveTotal(overview, metric);
          return (
            <li>
              <a href={withQuery(url, { metric })} aria-current={metric === current ? 'true' : undefined}>
                <span class="name">{name}</span>
                <span class="value" data-live={id}>
                  {text}
                </span>
                <span class="change">
                  {change !== undefined && (
                    <span class={isRare ? undefined : classOf(change)}>{numbers.change(change)}</span>
                  )}{' '}
                  {before > 0 ? `vs. ${(isShare ? numbers.percent : numbers.short)(before)}` : 'no earlier figures'}
                </span>
                {metric === 'impressions' && count > 0 && (
                  <span class="change" data-live={excludedId}>
                    {excludedText}
                  </span>
                )}
              </a>
            </li>
          );
        })}
      </ul>
      {count > 0 && <p class="hint">Not counted: {reasons}.</p>}
    </>
  );
}

/** Below this number of events, a change is probably chance, and has no color. */
const RARE = 10;

/** The color of a change, which is shown in whole percent: 0 % has none. */
function classOf(change: number): 'up' | 'down' | undefined {
  const percent = Math.round(change * 100);
  return percent === 0 ? undefined : percent < 0 ? 'down' : 'up';
}

interface Day {
  readonly day: string;
  readonly now: SlotTotal | undefined;
  readonly before: SlotTotal | undefined;
}

/** The chart as a table, for people who cannot see it or want the numbers. */
export function Days({ overview: { visit, period, figures } }: { overview: Overview }) {
  const { numbers } = visit;
  const rows = period.days.map((day, index) => ({
    day,
    now: figures.series[index],
    before: figures.seriesBefore[index],
  }));
  const column = (name: string, cell: (row: Day) => string): Column<Day> => ({ name, numeric: true, cell });
  const columns = [
    { name: 'Day', cell: ({ day }: Day) => numbers.longDay(day) },
    column('Impressions', ({ now }) => numbers.count(now?.impressions ?? 0)),
    { ...column('Delivered', ({ now }) => numbers.count(now?.delivered ?? 0)), spare: true },
    { ...column('Viewable', ({ now }) => (figures.measured ? numbers.count(now?.viewable ?? 0) : '–')), spare: true },
    column('Clicks', ({ now }) => numbers.count(now?.clicks ?? 0)),
    column('CTR', ({ now }) => numbers.rate(now ? ctrOf(now) : -1)),
    column('Previous impressions', ({ before }) => numbers.count(before?.impressions ?? 0)),
  ];
  return <Table caption="Figures by day" columns={columns} rows={rows} />;
}

/** The chart of a single day as a table. */
export function HourTable({ hours: { starts, requests, before } }: { hours: Hours }) {
  const { numbers } = currentVisit();
  const rows = starts.map((start, index) => ({ start, now: requests[index], before: before[index] ?? 0 }));
  const columns: Columns<(typeof rows)[number]> = [
    { name: 'Hour', cell: ({ start }) => numbers.timeOfDay(start) },
    { name: 'Requests', numeric: true, cell: ({ now }) => (now === undefined ? '–' : numbers.count(now)) },
    { name: 'A week before', numeric: true, cell: ({ before }) => numbers.count(before) },
  ];
  return <Table caption="Requests by hour" columns={columns} rows={rows} />;
}
