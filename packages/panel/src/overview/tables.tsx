import {
  type AdFigures,
  type CampaignFigures,
  type Count,
  changeOf,
  ctrOf,
  fillOf,
  type PlacementFigures,
  type SponsorFigures,
  sponsorsOf,
  viewableOf,
} from '../figures/figures.ts';
import { withQuery } from '../layout/address.ts';
import { type Column, type Columns, Table } from '../layout/table.tsx';
import type { Overview } from './metrics.ts';

/** The figures of each ad; a click on one filters the page by it. */
export function AdTable({ overview: { visit, figures } }: { overview: Overview }) {
  const { numbers, url } = visit;
  const all = figures.ads.reduce((sum, { impressions }) => sum + impressions, 0);
  const counts = countColumns<AdFigures>(visit, figures.measured, ({ ad }) => `ad-${ad.id}`);
  const columns: Columns<AdFigures> = [
    {
      key: 'title',
      name: 'Ad',
      by: ({ ad }) => ad.title,
      cell: ({ ad, impressions }) => (
        <a class="row" href={withQuery(url, { ad: ad.id, campaign: undefined, sponsor: undefined })}>
          {ad.title} <small>{ad.format}</small>
          <Share part={impressions} of={most(figures.ads)} />
        </a>
      ),
    },
    counts.impressions,
    {
      key: 'share',
      name: 'Share',
      numeric: true,
      spare: true,
      cell: ({ impressions }) => numbers.wholePercent(all > 0 ? impressions / all : 0),
    },
    ...counts.seen,
    counts.clicks,
    counts.ctr,
    counts.change,
  ];
  return <Table caption="Figures by ad" url={url} sort="impressions" columns={columns} rows={figures.ads} />;
}

/** The figures of each campaign; a click on one or on its sponsor filters the page by it. */
export function CampaignTable({ overview: { visit, figures } }: { overview: Overview }) {
  const { url } = visit;
  const counts = countColumns<CampaignFigures>(visit, figures.measured, ({ campaign }) => `campaign-${campaign.id}`);
  const to = (filter: { campaign?: string; sponsor?: string }) =>
    withQuery(url, { ad: undefined, placement: undefined, campaign: undefined, sponsor: undefined, ...filter });
  const columns: Columns<CampaignFigures> = [
    {
      key: 'campaign',
      name: 'Campaign',
      by: ({ campaign }) => campaign.name,
      cell: ({ campaign: { id, name }, impressions }) => (
        <a class="row" href={to({ campaign: id })}>
          {name}
          <Share part={impressions} of={most(figures.campaigns)} />
        </a>
      ),
    },
    {
      key: 'sponsor',
      name: 'Sponsor',
      words: true,
      by: ({ campaign }) => campaign.sponsor,
      cell: ({ campaign: { sponsor } }) => <a href={to({ sponsor })}>{sponsor}</a>,
    },
    counts.impressions,
    ...counts.seen,
    counts.clicks,
    counts.ctr,
    counts.change,
  ];
  const order = { parameter: 'order', sort: 'impressions' };
  return <Table caption="Figures by campaign" url={url} {...order} columns={columns} rows={figures.campaigns} />;
}

/** The figures of each sponsor; a click on one filters the page by it. */
export function SponsorTable({ overview: { visit, figures } }: { overview: Overview }) {
  const { url } = visit;
  const rows = sponsorsOf(figures.campaigns);
  const counts = countColumns<SponsorFigures>(visit, figures.measured, ({ sponsor }) => `sponsor-${sponsor}`);
  const columns: Columns<SponsorFigures> = [
    {
      key: 'sponsor',
      name: 'Sponsor',
      by: ({ sponsor }) => sponsor,
      cell: ({ sponsor, impressions }) => (
        <a class="row" href={withQuery(url, { ad: undefined, placement: undefined, campaign: undefined, sponsor })}>
          {sponsor}
          <Share part={impressions} of={most(rows)} />
        </a>
      ),
    },
    counts.impressions,
    ...counts.seen,
    counts.clicks,
    counts.ctr,
    counts.change,
  ];
  const order = { parameter: 'sponsors', sort: 'impressions' };
  return <Table caption="Figures by sponsor" url={url} {...order} columns={columns} rows={rows} />;
}

/** The figures of each placement; a click on one filters the page by it. */
export function PlacementTable({ overview: { visit, figures, filter } }: { overview: Overview }) {
  const { url } = visit;
  const counts = countColumns<PlacementFigures>(visit, figures.measured, ({ placement }) => `placement-${placement}`);
  const columns: Columns<PlacementFigures> = [
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
    // Empty slots belong to no ad, so a single ad has no fill rate.
    ...(filter.ad === undefined ? [counts.asked, counts.filled, counts.fill] : [counts.impressions]),
    ...counts.seen,
    counts.clicks,
    counts.ctr,
    counts.change,
  ];
  return (
    <Table
      caption="Figures by placement"
      url={url}
      parameter="by"
      sort="impressions"
      columns={columns}
      rows={figures.placements}
    />
  );
}

const most = (rows: readonly Count[]): number => rows.reduce((most, { impressions }) => Math.max(most, impressions), 1);

/** The columns with counts, which are updated while the page is open. */
function countColumns<Row extends Count & { readonly before: Count }>(
  { numbers }: Pick<Overview['visit'], 'numbers'>,
  measured: boolean,
  nameOf: (row: Row) => string,
) {
  const column = (key: string, name: string, by: (row: Row) => number, write = numbers.count): Column<Row> => ({
    key,
    name,
    numeric: true,
    by,
    cell: (row) => <span data-live={`${nameOf(row)}-${key}`}>{write(by(row))}</span>,
  });
  const changeIn = (row: Row) => changeOf(row.impressions, row.before.impressions);
  const impressions = column('impressions', 'Impressions', (row) => row.impressions);
  const change: Column<Row> = {
    key: 'change',
    name: 'Change',
    numeric: true,
    spare: true,
    by: (row) => changeIn(row) ?? Number.NEGATIVE_INFINITY,
    cell: (row) => {
      const share = changeIn(row);
      return share === undefined ? '–' : numbers.change(share);
    },
  };
  const unlessMeasured = (write: (value: number) => string) => (measured ? write : () => '–');
  return {
    /** The valid impressions, and how many of them were viewable. */
    seen: [
      { ...column('valid', 'Valid', (row) => row.valid), spare: true },
      { ...column('viewable', 'Viewable', (row) => row.viewable, unlessMeasured(numbers.count)), spare: true },
      { ...column('rate', 'Viewable rate', viewableOf, unlessMeasured(numbers.percent)), spare: true },
    ],
    asked: { ...column('asked', 'Requests', (row) => row.asked), spare: true },
    impressions,
    filled: { ...impressions, name: 'Filled' },
    fill: { ...column('fill', 'Fill rate', fillOf, numbers.percent), spare: true },
    clicks: column('clicks', 'Clicks', (row) => row.clicks),
    ctr: column('ctr', 'CTR', ctrOf, numbers.percent),
    change,
  };
}

/** A bar behind a row, relative to the largest row. */
function Share({ part, of }: { part: number; of: number }) {
  return (
    <svg class="share" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true" focusable="false">
      <rect width={Math.round((part / of) * 1000) / 10} height="1" />
    </svg>
  );
}
