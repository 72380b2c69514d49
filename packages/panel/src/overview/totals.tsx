import type { SlotTotal } from '@broadsheet/management';
import { currentNumbers } from '../access/visit.ts';
import { figureColumns, notCounted } from '../figures/columns.ts';
import { changeOf } from '../figures/figures.ts';
import type { Hours } from '../figures/hours.ts';
import { live } from '../figures/live.ts';
import { withQuery } from '../layout/address.ts';
import { type Column, numberColumn, Table } from '../layout/table.tsx';
import { METRICS, metricIn, metricsOf } from './metrics.ts';
import type { Overview } from './read.ts';

/** The totals of the period, compared with the previous one; each links to its chart. */
export function Totals({ overview }: { overview: Overview }) {
  const { visit, period, figures, filter, excluded } = overview;
  const numbers = currentNumbers();
  // The chart of a single day has other figures.
  const current = period.days.length === 1 ? undefined : metricIn(visit.url);
  const { count, reasons } = notCounted(excluded);
  const excludedText = `+${numbers.count(count)} not counted`;
  return (
    <>
      <ul class="totals">
        {metricsOf(filter).map((metric) => {
          const { name, of, isShare, events } = METRICS[metric];
          const [now, before] = [of(figures.total), of(figures.before)];
          const change = changeOf(now, before);
          const value = (isShare ? numbers.rate : numbers.count)(now);
          const isRare = Math.min(events(figures.total), events(figures.before)) < RARE;
          return (
            <li>
              <a href={withQuery(visit.url, { metric })} aria-current={metric === current ? 'true' : undefined}>
                <span class="name">{name}</span>
                <span class="value" {...live(`total-${metric}`, value)}>
                  {value}
                </span>
                <span class="change">
                  {change !== undefined && (
                    <span class={isRare ? undefined : classOf(change)}>{numbers.change(change)}</span>
                  )}{' '}
                  {before > 0 ? `vs. ${(isShare ? numbers.percent : numbers.short)(before)}` : 'no earlier figures'}
                </span>
                {metric === 'impressions' && count > 0 && (
                  <span class="change" {...live('total-excluded', excludedText)}>
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

/** Below this number of events, a change is probably random, so it has no color. */
const RARE = 10;

/** The color of a change, which is shown in whole percent: 0 % has none. */
function classOf(change: number): 'up' | 'down' | undefined {
  const percent = Math.round(change * 100);
  return percent === 0 ? undefined : percent < 0 ? 'down' : 'up';
}

/** A column in a table that is in the order of time. */
const unsorted = <Row,>({ by: _, ...column }: Column<Row>): Column<Row> => column;

interface Day extends SlotTotal {
  readonly day: string;
  readonly before: SlotTotal | undefined;
}

/** The chart as a table, for people who cannot see it or want the numbers. */
export function Days({ overview: { period, figures } }: { overview: Overview }) {
  const { longDay } = currentNumbers();
  const rows = figures.series.map((total, index): Day => {
    return { ...total, day: period.days[index] ?? '', before: figures.seriesBefore[index] };
  });
  const { valid, delivered, viewable, clicks, ctr } = figureColumns<Day>();
  const columns: readonly Column<Day>[] = [
    { name: 'Day', cell: ({ day }) => longDay(day) },
    ...[{ ...valid, name: 'Impressions' }, delivered, viewable, clicks, ctr],
    numberColumn('Previous impressions', ({ before }) => before?.impressions ?? 0),
  ];
  return <Table caption="Figures by day" columns={columns.map(unsorted)} rows={rows} />;
}

/** The chart of a single day as a table. */
export function HourTable({ hours: { starts, requests, before } }: { hours: Hours }) {
  const { timeOfDay, countIfKnown } = currentNumbers();
  const rows = starts.map((start, index) => ({ start, now: requests[index] ?? -1, before: before[index] ?? 0 }));
  const columns: readonly Column<(typeof rows)[number]>[] = [
    { name: 'Hour', cell: ({ start }) => timeOfDay(start) },
    numberColumn('Requests', ({ now }) => now, { write: countIfKnown }),
    numberColumn('A week before', (row) => row.before),
  ];
  return <Table caption="Requests by hour" columns={columns.map(unsorted)} rows={rows} />;
}
