import type { SlotTotal } from '@broadsheet/management';
import { ctrOf } from '../campaigns/progress.tsx';
import { changeOf } from '../figures/figures.ts';
import { notCounted } from '../figures/reasons.ts';
import { withQuery } from '../layout/address.ts';
import { type Column, type Live, Table } from '../layout/table.tsx';
import { METRICS, type Metric, metricIn, metricsOf, type Overview } from './metrics.ts';

const liveTotal = ({ visit: { numbers }, figures }: Overview, metric: Metric): Live => {
  const { of, isShare } = METRICS[metric];
  return [`total-${metric}`, (isShare ? numbers.percent : numbers.count)(of(figures.total))];
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
  const { visit, figures, filter, excluded } = overview;
  const { url, numbers } = visit;
  const current = metricIn(url);
  const { count, reasons } = notCounted(excluded, numbers);
  const [excludedId, excludedText] = liveExcluded(overview);
  return (
    <>
      <ul class="totals">
        {metricsOf(filter).map((metric) => {
          const { name, of, isShare } = METRICS[metric];
          const [now, before] = [of(figures.total), of(figures.before)];
          const change = changeOf(now, before);
          const [id, text] = liveTotal(overview, metric);
          return (
            <li>
              <a href={withQuery(url, { metric })} aria-current={metric === current ? 'true' : undefined}>
                <span class="name">{name}</span>
                <span class="value" data-live={id}>
                  {text}
                </span>
                <span class="change">
                  {change === undefined ? (
                    'no earlier figures'
                  ) : (
                    <>
                      <span class={classOf(change)}>{numbers.change(change)}</span> vs.{' '}
                      {(isShare ? numbers.percent : numbers.short)(before)}
                    </>
                  )}
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
