import type { Child } from 'hono/jsx';
import { panelPath } from '../access/visit.ts';
import { ctrOf, viewableRateOf } from '../campaigns/progress.tsx';
import { changeOf, type Figure, type Filter } from '../figures/figures.ts';
import { withQuery } from '../layout/address.ts';
import { LinkButton } from '../layout/form.tsx';
import { Section } from '../layout/page.tsx';
import { type Column, type Columns, type Live, orderIn, RowLink, sorted, Table } from '../layout/table.tsx';
import type { Overview } from './metrics.ts';

interface BreakdownProps {
  overview: Overview;
  what: keyof Filter;
  /** Shown instead of the table if nothing was counted. */
  empty?: Child;
}

/** The query parameters with the order of the tables. */
const ORDERS = { ad: 'sort', campaign: 'order', sponsor: 'sponsors', placement: 'by' } as const;

/** The number of rows that are shown of a table; its CSV file has all. */
const MAX_ROWS = 100;

/** The rows that are shown, in the order of the URL. */
const rowsOf = ({ visit, figures }: Overview, what: keyof Filter, columns: Columns<Figure>): readonly Figure[] =>
  sorted(figures[`${what}s`], columns, orderIn(visit.url, ORDERS[what], 'impressions')).slice(0, MAX_ROWS);

/** The cells of a table that are updated while the page is open. */
export function liveCells(overview: Overview, what: keyof Filter): Live[] {
  const columns = columnsOf(overview, what);
  const cells = columns.filter((column) => column !== false).flatMap(({ live }) => live ?? []);
  return rowsOf(overview, what, columns).flatMap((row) => cells.map((live) => live(row)));
}

/** The figures of each ad, campaign, sponsor or placement; a click on one filters the page by it. */
export function Breakdown({ overview, what, empty }: BreakdownProps) {
  const { visit, figures } = overview;
  const columns = columnsOf(overview, what);
  const rows = rowsOf(overview, what, columns);
  const count = figures[`${what}s`].length;
  const file = (name: string) => panelPath(visit.blog.id, `${name}.csv`) + visit.url.search;
  const files = (
    <>
      <LinkButton kind="small" to={file(`${what}s`)} name="CSV" about={`of ${what}s`} download />
      {what === 'ad' && <LinkButton kind="small" to={file('days')} name="CSV by day" download />}
    </>
  );
  return (
    <Section id={`by-${what}`} title={`By ${what}`} lead={files}>
      <Table
        caption={`Figures by ${what}`}
        parameter={ORDERS[what]}
        sort="impressions"
        columns={columns}
        rows={rows}
        inOrder
        empty={empty}
      />
      {count > rows.length && (
        <p class="hint">
          The first {visit.numbers.count(rows.length)} of {visit.numbers.count(count)}; the CSV file has all.
        </p>
      )}
    </Section>
  );
}

function columnsOf(overview: Overview, what: keyof Filter): Columns<Figure> {
  const { visit, figures, filter } = overview;
  const { numbers, url } = visit;
  const rows = figures[`${what}s`];
  const all = rows.reduce((sum, { impressions }) => sum + impressions, 0);
  const most = rows.reduce((most, { impressions }) => Math.max(most, impressions), 1);
  const { requests, impressions, fill, ...rest } = countColumns(overview, what);
  // Empty slots belong to no ad, so a single ad has no fill rate.
  const slots = what === 'placement' && filter.ad === undefined;
  return [
    {
      key: what === 'ad' ? 'title' : what,
      name: `${what[0]?.toUpperCase()}${what.slice(1)}`,
      by: ({ name }) => name,
      cell: ({ id, name, note, sponsor, impressions }) => (
        <RowLink to={filterBy(url, what, id)} name={name} note={note}>
          {what === 'campaign' && <small class="brief">{sponsor}</small>}
          <Share part={impressions} of={most} />
        </RowLink>
      ),
    },
    what === 'campaign' && {
      key: 'sponsor',
      name: 'Sponsor',
      words: true,
      spare: true,
      by: ({ sponsor }) => sponsor,
      cell: ({ sponsor }) => sponsor && <a href={filterBy(url, 'sponsor', sponsor)}>{sponsor}</a>,
    },
    ...(slots ? [requests, impressions, fill] : [impressions]),
    what === 'ad' && {
      name: 'Share',
      numeric: true,
      spare: true,
      cell: ({ impressions }) => numbers.wholePercent(all > 0 ? impressions / all : 0),
    },
    ...Object.values(rest),
  ];
}

/** The columns with counts, which are updated while the page is open. */
function countColumns({ visit: { numbers }, figures: { measured } }: Overview, what: keyof Filter) {
  const column = (key: string, name: string, by: (row: Figure) => number, write = numbers.count): Column<Figure> => ({
    key,
    name,
    numeric: true,
    spare: !['impressions', 'clicks', 'ctr'].includes(key),
    by,
    live: (row) => [`${what}-${row.id}-${key}`, write(by(row))],
  });
  const changeIn = (row: Figure) => changeOf(row.impressions, row.before.impressions) ?? Number.NEGATIVE_INFINITY;
  const writeChange = (change: number) => (Number.isFinite(change) ? numbers.change(change) : '–');
  return {
    requests: column('requests', 'Requests', ({ requests }) => requests),
    impressions: column('impressions', 'Impressions', ({ impressions }) => impressions),
    fill: column('fill', 'Fill rate', ({ fill }) => fill, numbers.percent),
    delivered: column('delivered', 'Delivered', ({ delivered }) => delivered),
    viewable: column('viewable', 'Viewable', ({ viewable }) => viewable, measured ? numbers.count : () => '–'),
    rate: column('rate', 'Viewable rate', viewableRateOf, numbers.rate),
    clicks: column('clicks', 'Clicks', ({ clicks }) => clicks),
    ctr: column('ctr', 'CTR', ctrOf, numbers.rate),
    change: column('change', 'Change', changeIn, writeChange),
  };
}

/** The page filtered by a row. Requests of slots are not counted by campaign, so neither is combined with the other. */
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
