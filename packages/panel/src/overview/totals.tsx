import { type Count, changeOf, ctrOf, NONE } from '../figures/figures.ts';
import { withQuery } from '../layout/address.ts';
import { type Column, Table } from '../layout/table.tsx';
import { METRICS, metricIn, metricsOf, type Overview } from './metrics.ts';

/** The totals of the period, compared with the previous one; each links to its chart. */
export function Totals({ overview: { visit, figures } }: { overview: Overview }) {
  const { url, numbers } = visit;
  const current = metricIn(url);
  return (
    <ul class="totals">
      {metricsOf(figures).map((metric) => {
        const { name, of, isShare } = METRICS[metric];
        const [now, before] = [of(figures.total), of(figures.before)];
        const change = changeOf(now, before);
        return (
          <li>
            <a href={withQuery(url, { metric })} aria-current={metric === current ? 'true' : undefined}>
              <span class="name">{name}</span>
              <span class="value" data-live={`total-${metric}`}>
                {(isShare ? numbers.percent : numbers.count)(now)}
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
            </a>
          </li>
        );
      })}
    </ul>
  );
}

/** The color of a change, which is shown in whole percent: 0 % has none. */
function classOf(change: number): 'up' | 'down' | undefined {
  const percent = Math.round(change * 100);
  return percent === 0 ? undefined : percent < 0 ? 'down' : 'up';
}

interface Day {
  readonly day: string;
  readonly now: Count;
  readonly before: Count;
}

/** The chart as a table, for people who cannot see it or want the numbers. */
export function Days({ overview: { visit, period, figures } }: { overview: Overview }) {
  const { url, numbers } = visit;
  const rows = period.days.map((day, index) => ({
    day,
    now: figures.series[index] ?? NONE,
    before: figures.seriesBefore[index] ?? NONE,
  }));
  const column = (name: string, cell: (row: Day) => string): Column<Day> => ({ name, numeric: true, cell });
  const columns = [
    { name: 'Day', cell: ({ day }: Day) => numbers.longDay(day) },
    column('Impressions', ({ now }) => numbers.count(now.impressions)),
    { ...column('Valid', ({ now }) => numbers.count(now.valid)), spare: true },
    { ...column('Viewable', ({ now }) => (figures.measured ? numbers.count(now.viewable) : '–')), spare: true },
    column('Clicks', ({ now }) => numbers.count(now.clicks)),
    column('CTR', ({ now }) => numbers.percent(ctrOf(now))),
    column('Previous impressions', ({ before }) => numbers.count(before.impressions)),
  ];
  return <Table caption="Figures by day" url={url} columns={columns} rows={rows} />;
}
