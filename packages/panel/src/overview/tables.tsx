import type { Child } from 'hono/jsx';
import { currentNumbers, panelPath } from '../access/visit.ts';
import { figureColumns } from '../figures/columns.ts';
import { changeOf, type Figure, type Filter } from '../figures/figures.ts';
import { live } from '../figures/live.ts';
import { withQuery } from '../layout/address.ts';
import { Button, capitalized } from '../layout/form.tsx';
import { Section } from '../layout/page.tsx';
import { type Column, type Columns, keyOf, numberColumn, RowLink, rowsInOrder, Table } from '../layout/table.tsx';
import { METRICS } from './metrics.ts';
import type { Overview } from './read.ts';

interface BreakdownProps {
  overview: Overview;
  what: keyof Filter;
  /** Shown instead of the table if nothing was counted. */
  empty?: Child;
}

/** The query parameters with the order of the tables. */
const ORDERS = { ad: 'sort', campaign: 'order', sponsor: 'sponsors', placement: 'by' } as const;

/** The maximum number of rows that a table shows; its CSV file has all rows. */
const MAX_ROWS = 100;

/** The figures of each ad, campaign, sponsor or placement; a click on one filters the page by it. */
export function Breakdown({ overview, what, empty }: BreakdownProps) {
  const { visit, figures } = overview;
  const { count } = currentNumbers();
  const all = figures[`${what}s`];
  const order = { parameter: ORDERS[what], sort: 'impressions', columns: columnsOf(overview, what) };
  const rows = rowsInOrder({ ...order, rows: all }).slice(0, MAX_ROWS);
  const file = (name: string) => panelPath(visit.blog.id, `${name}.csv`) + visit.url.search;
  const files = (
    <>
      <Button kind="small" to={file(`${what}s`)} name="CSV" about={`of ${what}s`} download />
      {what === 'ad' && <Button kind="small" to={file('days')} name="CSV by day" download />}
    </>
  );
  return (
    <Section id={`by-${what}`} title={`By ${what}`} lead={files}>
      <Table caption={`Figures by ${what}`} {...order} rows={rows} inOrder empty={empty} />
      {all.length > rows.length && (
        <p class="hint">
          The first {count(rows.length)} of {count(all.length)}; the CSV file has all.
        </p>
      )}
    </Section>
  );
}

function columnsOf({ visit: { url }, figures, filter }: Overview, what: keyof Filter): Columns<Figure> {
  const numbers = currentNumbers();
  const rows = figures[`${what}s`];
  const all = rows.reduce((sum, { impressions }) => sum + impressions, 0);
  const most = rows.reduce((most, { impressions }) => Math.max(most, impressions), 1);
  // Empty slots belong to no ad, so a single ad has no fill rate.
  const slots = what === 'placement' && filter.ad === undefined;
  const changeIn = (row: Figure) => changeOf(row.impressions, row.before.impressions) ?? Number.NEGATIVE_INFINITY;
  const writeChange = (change: number) => (Number.isFinite(change) ? numbers.change(change) : '–');
  /** A column that is updated while the page is open. */
  const updated = (column: Column<Figure>): Column<Figure> => ({
    ...column,
    cell: (row) => {
      const text = column.cell?.(row);
      return <span {...live(`${what}-${row.id}-${keyOf(column)}`, text)}>{text}</span>;
    },
  });
  const { valid, delivered, viewable, rate, clicks, ctr } = figureColumns<Figure>();
  return [
    {
      name: capitalized(what),
      by: ({ name }) => name,
      cell: ({ id, name, note, sponsor, impressions }) => (
        <RowLink to={filterBy(url, what, id)} name={name} note={note}>
          {what === 'campaign' && <small class="brief">{sponsor}</small>}
          <Share part={impressions} of={most} />
        </RowLink>
      ),
    },
    what === 'campaign' && {
      name: 'Sponsor',
      wraps: true,
      spare: true,
      by: ({ sponsor }) => sponsor,
      cell: ({ sponsor }) => sponsor && <a href={filterBy(url, 'sponsor', sponsor)}>{sponsor}</a>,
    },
    slots && updated(numberColumn('Requests', ({ requests }) => requests, { spare: true })),
    updated({ ...valid, name: 'Impressions' }),
    slots && updated(numberColumn('Fill rate', METRICS.fill.of, { key: 'fill', write: numbers.rate, spare: true })),
    what === 'ad' && {
      name: 'Share',
      numeric: true,
      spare: true,
      cell: ({ impressions }) => numbers.wholePercent(all > 0 ? impressions / all : 0),
    },
    ...[delivered, viewable, rate, clicks, ctr].map(updated),
    updated(numberColumn('Change', changeIn, { write: writeChange, spare: true })),
  ];
}

/** The page filtered by a row. Requests of slots are not counted by campaign, so these two filters are not combined. */
function filterBy(url: URL, what: keyof Filter, id: string): string {
  return withQuery(url, {
    ...(what !== 'placement' && { campaign: undefined, sponsor: undefined }),
    ...((what === 'campaign' || what === 'sponsor') && { ad: undefined, placement: undefined }),
    [what]: id,
  });
}

/** A bar behind a row, relative to the largest row. */
function Share({ part, of }: { part: number; of: number }) {
  return (
    <svg class="share" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true" focusable="false">
      <rect width={Math.round((part / of) * 1000) / 10} height="1" />
    </svg>
  );
}
