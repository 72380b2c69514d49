/** @jsxImportSource hono/jsx */
import { type AdFigures, type Count, changeOf, ctrOf, fillOf, type PlacementFigures } from '../figures/figures.ts';
import { type Numbers, numbersOf } from '../figures/numbers.ts';
import { withQuery } from '../layout/address.ts';
import { type Column, readOrder, sorted, Table } from '../layout/table.tsx';
import type { Overview } from './overview-data.ts';

/** How an ad is called, also one that is gone. */
export const titleOf = ({ id, title }: AdFigures['ad']): string => title ?? id;

/** What each ad brought; a click on one shows it alone. */
export function AdTable({ overview: { visit, figures } }: { overview: Overview }) {
  const numbers = numbersOf(visit.locale);
  const { url } = visit;
  const all = figures.ads.reduce((sum, { impressions }) => sum + impressions, 0);
  const nameOf = ({ ad }: AdFigures) => `ad-${ad.id}`;
  const columns: Column<AdFigures>[] = [
    {
      key: 'title',
      name: 'Ad',
      by: ({ ad }) => titleOf(ad),
      cell: ({ ad, impressions }) => (
        <a class="row" href={withQuery(url, { ad: ad.id })}>
          {titleOf(ad)} <small>{ad.format}</small>
          <Share part={impressions} of={most(figures.ads)} />
        </a>
      ),
    },
    numeric('impressions', 'Impressions', ({ impressions }) => impressions, numbers.count, nameOf),
    {
      key: 'share',
      name: 'Share',
      numeric: true,
      spare: true,
      cell: ({ impressions }) => numbers.wholePercent(all > 0 ? impressions / all : 0),
    },
    numeric('clicks', 'Clicks', ({ clicks }) => clicks, numbers.count, nameOf),
    numeric('ctr', 'CTR', ctrOf, numbers.percent, nameOf),
    change(numbers, ({ impressions }) => impressions),
  ];
  const order = readOrder(url.searchParams, 'sort', 'impressions');
  return (
    <Table
      caption="Figures by ad"
      url={url}
      parameter="sort"
      order={order}
      columns={columns}
      rows={sorted(figures.ads, columns, order)}
    />
  );
}

/** What each placement asked for and brought. */
export function PlacementTable({ overview: { visit, figures, filter } }: { overview: Overview }) {
  const numbers = numbersOf(visit.locale);
  const { url } = visit;
  const nameOf = ({ placement }: PlacementFigures) => `placement-${placement}`;
  const columns: Column<PlacementFigures>[] = [
    {
      key: 'placement',
      name: 'Placement',
      by: ({ placement }) => placement,
      cell: ({ placement, impressions }) => (
        <a class="row" href={withQuery(url, { placement })}>
          {placement}
          <Share part={impressions} of={most(figures.placements)} />
        </a>
      ),
    },
    // Empty slots belong to no ad, so one ad alone has no fill rate.
    ...(filter.ad === undefined
      ? [
          { ...numeric<PlacementFigures>('asked', 'Asked', ({ asked }) => asked, numbers.count, nameOf), spare: true },
          numeric<PlacementFigures>('impressions', 'Filled', ({ impressions }) => impressions, numbers.count, nameOf),
          { ...numeric<PlacementFigures>('fill', 'Fill rate', fillOf, numbers.percent, nameOf), spare: true },
        ]
      : [
          numeric<PlacementFigures>(
            'impressions',
            'Impressions',
            ({ impressions }) => impressions,
            numbers.count,
            nameOf,
          ),
        ]),
    numeric('clicks', 'Clicks', ({ clicks }) => clicks, numbers.count, nameOf),
    numeric('ctr', 'CTR', ctrOf, numbers.percent, nameOf),
    change(numbers, ({ impressions }) => impressions),
  ];
  const order = readOrder(url.searchParams, 'by', 'impressions');
  return (
    <Table
      caption="Figures by placement"
      url={url}
      parameter="by"
      order={order}
      columns={columns}
      rows={sorted(figures.placements, columns, order)}
    />
  );
}

const most = (rows: readonly Count[]): number => rows.reduce((most, { impressions }) => Math.max(most, impressions), 1);

/** A column of numbers that move. */
function numeric<Row>(
  key: string,
  name: string,
  by: (row: Row) => number,
  write: (value: number) => string,
  nameOf: (row: Row) => string,
): Column<Row> {
  const cell = (row: Row) => <span data-live={`${nameOf(row)}-${key}`}>{write(by(row))}</span>;
  return { key, name, numeric: true, by, cell };
}

function change<Row extends Count & { readonly before: Count }>(
  numbers: Numbers,
  by: (count: Count) => number,
): Column<Row> {
  const of = (row: Row) => changeOf(by(row), by(row.before));
  return {
    key: 'change',
    name: 'Change',
    numeric: true,
    spare: true,
    by: (row) => of(row) ?? Number.NEGATIVE_INFINITY,
    cell: (row) => {
      const share = of(row);
      return share === undefined ? '–' : numbers.change(share);
    },
  };
}

/** A bar behind a row: how much of the largest it is. */
function Share({ part, of }: { part: number; of: number }) {
  return (
    <svg class="share" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true" focusable="false">
      <rect width={Math.round((part / of) * 1000) / 10} height="1" />
    </svg>
  );
}
