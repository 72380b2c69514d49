import type { Publisher, SnapshotAd } from '@broadsheet/contract';
import { dayOf } from '@broadsheet/core';
import type { CampaignReport, Total } from '@broadsheet/management';
import { raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import { clickColumns, ctrOf, outlookOf, Progress, viewableColumns, viewableRateOf } from '../campaigns/progress.tsx';
import { Chart } from '../figures/chart.tsx';
import type { Numbers } from '../figures/numbers.ts';
import { daysBetween } from '../figures/period.ts';
import { notCounted } from '../figures/reasons.ts';
import { Section } from '../layout/page.tsx';
import { type Column, numberColumn, Table } from '../layout/table.tsx';

interface ReportProps {
  report: CampaignReport;
  /** The ads of the campaign. */
  ads: readonly SnapshotAd[];
  blog: { readonly name: string; readonly domains: readonly string[]; readonly publisher?: Publisher | undefined };
  showsPace: boolean;
  now: number;
  url: URL;
  numbers: Numbers;
  style: string;
}

type Figures = Pick<ReportProps, 'report' | 'numbers' | 'now'>;

/** With more days than this, their table is closed, and paper shows the chart alone. */
const FEW_DAYS = 7;
/** The number of ads up to which their pictures are large, and above which paper has no room for them. */
const FEW_ADS = 3;
const MANY_ADS = 8;

/** The report of a campaign for its sponsor. It contains no scripts and nothing about other campaigns. */
export function ReportPage({ report, ads, blog, showsPace, now, url, numbers, style }: ReportProps) {
  const { campaign, state } = report;
  const outlook = outlookOf(report, numbers, now, showsPace);
  const status = state === 'running' || outlook === '' ? [state, outlook] : [outlook];
  const counted = daysOf(report, now);
  const period = [...new Set([counted[0], counted.at(-1)])].map((day) => day && numbers.dayWithYear(day)).join(' to ');
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <meta name="referrer" content="no-referrer" />
        <title>{`${campaign.name} · ${campaign.sponsor}`}</title>
        <link rel="icon" href="data:," />
        <style>{raw(style)}</style>
      </head>
      <body>
        <header>
          <div>
            <p>
              Campaign report for <bdi>{campaign.sponsor}</bdi>
            </p>
            <h1>{campaign.name}</h1>
            <p>
              {period && `${period} · `}
              {status.filter(Boolean).join(', ')}
              {campaign.placements && (
                <>
                  {' '}
                  · in <bdi>{campaign.placements.join(', ')}</bdi>
                </>
              )}
            </p>
          </div>
          <PublisherOf blog={blog} />
        </header>
        <main>
          <Totals report={report} numbers={numbers} />
          <Days report={report} numbers={numbers} now={now} />
          <p class="file">
            <a href={`${url.pathname.split('/').at(-1)}.csv`} download>
              Download as CSV
            </a>
          </p>
          <Section id="by-ad" title="By ad" class={`ads ${sizeOf(report.ads.length)}`}>
            <AdTable report={report} ads={ads} numbers={numbers} />
          </Section>
          <Definitions report={report} numbers={numbers} />
        </main>
        <footer>
          <p>
            As of {numbers.moment(new Date(now).toISOString())}. Dates and times are in {report.timeZone ?? 'UTC'}.
          </p>
          <p>Counted by Broadsheet</p>
        </footer>
      </body>
    </html>
  );
}

const sizeOf = (ads: number): string => (ads <= FEW_ADS ? 'few' : ads > MANY_ADS ? 'many' : '');

/** Who sends the report: the logo, the name, the first domain and the contact of the blog. */
function PublisherOf({ blog: { name, domains, publisher = {} } }: Pick<ReportProps, 'blog'>) {
  const { logoUrl, contact } = publisher;
  const site = domains.find((domain) => !/[*:]|^localhost$|^[\d.]+$/.test(domain));
  return (
    <address>
      {logoUrl && <img src={logoUrl} alt="" />}
      <strong>{name}</strong>
      {site && <a href={`https://${site}`}>{site}</a>}
      {contact &&
        (/^[^\s@/]+@[^\s@/]+$/.test(contact) ? <a href={`mailto:${contact}`}>{contact}</a> : <span>{contact}</span>)}
    </address>
  );
}

/** The days that the figures cover: a campaign that runs has figures until today, even if they are zero. */
function daysOf({ days, state, timeZone }: CampaignReport, now: number): string[] {
  const [first, last] = [days[0]?.day, days.at(-1)?.day];
  return first && last ? daysBetween(first, state === 'running' ? dayOf(now, timeZone) : last) : [];
}

function Totals({ report, numbers }: Omit<Figures, 'now'>) {
  const { valid, viewable, viewableRate, clicks } = report;
  const values: readonly (readonly [string, Child])[] = [
    ['valid impressions', numbers.count(valid)],
    [
      `viewable (${viewableRate === null ? 'not measured' : numbers.count(viewable)})`,
      numbers.rate(viewableRateOf(report)),
    ],
    ['clicks', numbers.count(clicks)],
    ['click-through rate', numbers.rate(ctrOf(report))],
  ];
  return (
    <>
      <dl class="totals">
        {values.map(([name, value]) => (
          <div>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {report.campaign.goal && (
        <p class="progress">
          <Progress figures={report} numbers={numbers} />
          <span>{numbers.wholePercent(report.progress ?? 0)}</span>
        </p>
      )}
    </>
  );
}

function Days({ report, numbers, now }: Figures) {
  const days = daysOf(report, now);
  if (days.length === 0) return <p class="empty">No ad of this campaign was delivered yet.</p>;
  const byDay = new Map(report.days.map((row) => [row.day, row]));
  const of = (what: 'valid' | 'viewable') => days.map((day) => byDay.get(day)?.[what] ?? 0);
  const [valid, viewable] = [of('valid'), of('viewable')];
  const textOf = (index: number) =>
    `${numbers.longDay(days[index] ?? '')}: ${numbers.count(valid[index] ?? 0)} valid, ${numbers.count(viewable[index] ?? 0)} viewable`;
  const day: Column<CampaignReport['days'][number]> = {
    key: 'day',
    name: 'Day',
    by: ({ day }) => day,
    cell: ({ day }) => <time datetime={day}>{numbers.day(day, now)}</time>,
  };
  const isFew = days.length <= FEW_DAYS;
  const current = report.state === 'running' ? days.length - 1 : -1;
  const chart = {
    ...{ names: days.map((day) => numbers.day(day)), textOf, current },
    values: valid,
    before: viewable.slice(0, current < 0 ? undefined : current),
    print: numbers.count,
    writeShort: numbers.short,
    least: 4,
  };
  return (
    <Section id="by-day" title="By day">
      <p class="legend" aria-hidden="true">
        <span class="key now" /> Valid impressions <span class="key before" /> Viewable
      </p>
      <Chart data={chart} />
      <details class={isFew ? 'few' : undefined} open={isFew}>
        <summary>Show the days as a table</summary>
        <Table
          caption="Figures by day"
          parameter="by"
          sort="day"
          columns={[day, ...columnsOf(numbers)]}
          rows={report.days}
        />
      </details>
    </Section>
  );
}

const columnsOf = (numbers: Numbers): readonly Column<Total>[] => [
  numberColumn({ key: 'valid', name: 'Valid' }, ({ valid }) => valid, numbers.count),
  ...viewableColumns(numbers),
  ...clickColumns(numbers),
];

type AdRow = CampaignReport['ads'][number];

function AdTable({ report, ads, numbers }: Pick<ReportProps, 'report' | 'ads' | 'numbers'>) {
  const byId = new Map(ads.map((ad) => [ad.id, ad]));
  const column: Column<AdRow> = {
    key: 'ad',
    name: 'Ad',
    by: ({ title }) => title,
    cell: ({ id, title, format }) => {
      const { imageUrl, content } = byId.get(id) ?? {};
      return (
        <div class="ad">
          {imageUrl && <img src={imageUrl} alt="" />}
          <div>
            <bdi>{title}</bdi> <small>{format.toLowerCase()}</small>
            {content && content !== title && <p>{content}</p>}
          </div>
        </div>
      );
    },
  };
  const total: AdRow = { ...report, id: '', title: 'Total', format: '' };
  return (
    <Table
      caption="Figures by ad"
      sort="valid"
      columns={[column, ...columnsOf(numbers)]}
      rows={report.ads}
      total={total}
      empty="The campaign has no ads yet."
    />
  );
}

function Definitions({ report, numbers }: Omit<Figures, 'now'>) {
  const { delivered, excluded } = report;
  const { count, reasons } = notCounted(excluded, numbers);
  return (
    <dl class="definitions">
      <dt>Delivered</dt>
      <dd>
        {numbers.count(delivered)} times, an ad of the campaign was sent to a page. It is counted before it is shown.
      </dd>
      <dt>Valid</dt>
      <dd>
        Delivered to a reader.{' '}
        {count > 0 && `${numbers.count(count)} ${count === 1 ? 'was' : 'were'} not counted: ${reasons}.`}
      </dd>
      <dt>Viewable</dt>
      <dd>
        At least half of the ad was on screen for one second, as the Media Rating Council defines it. The rate is the
        share of the valid impressions.
      </dd>
      <dt>Clicks</dt>
      <dd>
        At most one per reader and ad within 30 minutes. The click-through rate (CTR) is relative to the valid
        impressions.
      </dd>
    </dl>
  );
}
