import { dayOf } from '@broadsheet/core';
import { loadAsset } from '@broadsheet/http';
import { readSponsorReport, type SponsorReport, type Total } from '@broadsheet/management';
import { raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import { REPORT_HEADERS, reportNotFound, reportPolicy } from '../access/headers.ts';
import { render } from '../access/send.tsx';
import { currentNumbers, currentUrl, type Routes } from '../access/visit.ts';
import { outlookOf, Progress } from '../campaigns/progress.tsx';
import { Chart } from '../figures/chart.tsx';
import { ctrOf, figureColumns, notCounted, viewableRateOf } from '../figures/columns.ts';
import { CLICKS, type CsvColumns, csv, csvHeaders, SEEN } from '../figures/csv.ts';
import { numbersFor } from '../figures/numbers.ts';
import { daysBetween } from '../figures/period.ts';
import { BaseMeta } from '../layout/head.tsx';
import { Section } from '../layout/page.tsx';
import { type Column, Table } from '../layout/table.tsx';
import { REPORT_STYLE } from '../panel-files.ts';

/** The report of a campaign for everybody who has a link to it, and its figures as a CSV file. */
export const reportRoutes: Routes = (app, { store, clock = Date }) => {
  app.get('/report/:name', async (c) => {
    const [token = '', isFile] = c.req.param('name').split('.');
    const now = clock.now();
    const key = await store.findReport(token, now);
    if (!key) return reportNotFound();
    const report = await readSponsorReport(store, { ...key, showsPace: Boolean(key.showsPace) }, now);
    if (isFile) return new Response(csvOf(report), { headers: { ...REPORT_HEADERS, ...csvHeaders(fileOf(report)) } });
    const style = String((await loadAsset(REPORT_STYLE)).body);
    c.set('numbers', numbersFor(c.req.header('accept-language'), report.timeZone));
    return new Response(render(c, <ReportPage report={report} style={style} now={now} />), {
      headers: {
        ...REPORT_HEADERS,
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': reportPolicy(style),
      },
    });
  });
};

const fileOf = ({ campaign }: SponsorReport): string => `${campaign.sponsor} ${campaign.name}`;

function csvOf({ ads, adDays }: SponsorReport): string {
  const byId = new Map(ads.map((ad) => [ad.id, ad]));
  const columns: CsvColumns<SponsorReport['adDays'][number]> = {
    day: ({ day }) => day,
    ad: ({ adId }) => byId.get(adId)?.title ?? '',
    format: ({ adId }) => byId.get(adId)?.format ?? '',
    ...{ ...SEEN, ...CLICKS },
    'not counted': ({ delivered, valid }) => delivered - valid,
  };
  return csv(columns, adDays);
}

interface ReportProps {
  report: SponsorReport;
  now: number;
  style: string;
}

/** With more days than this, the table is collapsed, and only the chart is printed. */
const FEW_DAYS = 7;
/** The number of ads up to which their pictures are large, and above which the pictures are not printed. */
const FEW_ADS = 3;
const MANY_ADS = 8;

/** The report of a campaign for its sponsor. It contains no scripts and nothing about other campaigns. */
function ReportPage({ report, now, style }: ReportProps) {
  const numbers = currentNumbers();
  const { campaign, state } = report;
  const outlook = outlookOf(report, numbers, now);
  const status = state === 'running' || outlook === '' ? [state, outlook] : [outlook];
  const counted = daysOf(report, now);
  const period = [...new Set([counted[0], counted.at(-1)])].map((day) => day && numbers.fullDay(day)).join(' to ');
  return (
    <html lang="en">
      <head>
        <BaseMeta />
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
          <PublisherOf publisher={report.publisher} />
        </header>
        <main>
          <Totals report={report} />
          <Days report={report} now={now} />
          <p class="file">
            <a href={`${currentUrl().pathname.split('/').at(-1)}.csv`} download>
              Download as CSV
            </a>
          </p>
          <Section id="by-ad" title="By ad" class={`ads ${sizeOf(report.ads.length)}`}>
            <AdTable report={report} />
          </Section>
          <Definitions report={report} />
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
function PublisherOf({ publisher }: Pick<SponsorReport, 'publisher'>) {
  const { name, domains, logoUrl, contact } = publisher;
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
function daysOf({ days, state, timeZone }: SponsorReport, now: number): string[] {
  const [first, last] = [days[0]?.day, days.at(-1)?.day];
  return first && last ? daysBetween(first, state === 'running' ? dayOf(now, timeZone) : last) : [];
}

function Totals({ report }: Pick<ReportProps, 'report'>) {
  const numbers = currentNumbers();
  const { valid, viewable, viewableRate, clicks } = report.total;
  const values: readonly (readonly [string, Child])[] = [
    ['valid impressions', numbers.count(valid)],
    [
      `viewable (${viewableRate === null ? 'not measured' : numbers.count(viewable)})`,
      numbers.rate(viewableRateOf(report.total)),
    ],
    ['clicks', numbers.count(clicks)],
    ['click-through rate', numbers.rate(ctrOf(report.total))],
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
          <Progress goal={report.campaign.goal} total={report.total} />
          <span>{numbers.wholePercent(report.progress ?? 0)}</span>
        </p>
      )}
    </>
  );
}

function Days({ report, now }: Pick<ReportProps, 'report' | 'now'>) {
  const numbers = currentNumbers();
  const days = daysOf(report, now);
  if (days.length === 0) return <p class="empty">No ad of this campaign was delivered yet.</p>;
  const byDay = new Map(report.days.map((row) => [row.day, row]));
  const of = (what: 'valid' | 'viewable') => days.map((day) => byDay.get(day)?.[what] ?? 0);
  const [valid, viewable] = [of('valid'), of('viewable')];
  const isMeasured = report.total.viewableRate !== null;
  const textOf = (index: number) => {
    const day = days[index] ?? '';
    const counted = `${numbers.longDay(day)}: ${numbers.count(valid[index] ?? 0)} valid`;
    const isKnown = isMeasured && byDay.get(day)?.viewableRate !== null;
    return isKnown ? `${counted}, ${numbers.count(viewable[index] ?? 0)} viewable` : counted;
  };
  const day: Column<SponsorReport['days'][number]> = {
    name: 'Day',
    by: ({ day }) => day,
    cell: ({ day }) => <time datetime={day}>{numbers.day(day, now)}</time>,
  };
  const isFew = days.length <= FEW_DAYS;
  const current = report.state === 'running' ? days.length - 1 : -1;
  const chart = {
    names: days.map((day) => numbers.day(day)),
    textOf,
    current,
    values: valid,
    before: isMeasured ? viewable.slice(0, current < 0 ? undefined : current) : [],
    print: numbers.count,
    writeShort: numbers.short,
    least: 4,
  };
  return (
    <Section id="by-day" title="By day">
      <p class="legend" aria-hidden="true">
        <span class="key now" /> Valid impressions{' '}
        {isMeasured && (
          <>
            <span class="key before" /> Viewable
          </>
        )}
      </p>
      <Chart data={chart} />
      <details class={isFew ? 'few' : undefined} open={isFew}>
        <summary>Show the days as a table</summary>
        <Table caption="Figures by day" parameter="by" sort="day" columns={[day, ...columnsOf()]} rows={report.days} />
      </details>
    </Section>
  );
}

function columnsOf(): readonly Column<Total>[] {
  const { valid, viewable, rate, clicks, ctr } = figureColumns();
  return [{ ...valid, name: 'Valid', key: 'valid' }, { ...viewable, spare: false }, rate, clicks, ctr];
}

type AdRow = SponsorReport['ads'][number];

function AdTable({ report }: Pick<ReportProps, 'report'>) {
  const column: Column<AdRow> = {
    name: 'Ad',
    by: ({ title }) => title,
    cell: ({ title, format = '', content, imageUrl }) => (
      <div class="ad">
        {imageUrl && <img src={imageUrl} alt="" />}
        <div>
          <bdi>{title}</bdi> <small>{format.toLowerCase()}</small>
          {content && content !== title && <p>{content}</p>}
        </div>
      </div>
    ),
  };
  const total: AdRow = { ...report.total, id: '', title: 'Total' };
  return (
    <Table
      caption="Figures by ad"
      sort="valid"
      columns={[column, ...columnsOf()]}
      rows={report.ads}
      total={total}
      empty="The campaign has no ads yet."
    />
  );
}

function Definitions({ report: { total, excluded } }: Pick<ReportProps, 'report'>) {
  const { delivered } = total;
  const numbers = currentNumbers();
  const { count, reasons } = notCounted(excluded);
  return (
    <dl class="definitions">
      <dt>Delivered</dt>
      <dd>
        Ads of the campaign were sent to pages {numbers.count(delivered)} {delivered === 1 ? 'time' : 'times'}. Each is
        counted before it is shown.
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
