import { previewMarkup } from '@broadsheet/ad-widget/server';
import type { SnapshotAd } from '@broadsheet/contract';
import { adName, type CampaignReport, type Total } from '@broadsheet/management';
import { raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import { outlookOf, Progress, viewableColumns } from '../campaigns/progress.tsx';
import type { Numbers } from '../figures/numbers.ts';
import { Section } from '../layout/page.tsx';
import { type Column, numberColumn, Table } from '../layout/table.tsx';

interface ReportProps {
  report: CampaignReport;
  ads: readonly SnapshotAd[];
  blogName: string;
  now: number;
  url: URL;
  numbers: Numbers;
  style: string;
}

/** With more days than this, the table is printed smaller, so that a quarter fits on one sheet. */
const MANY = 50;

const REASONS: Readonly<Record<string, string>> = {
  bot: 'Crawlers and tools, identified by their user agent',
  prefetch: 'Pages that a browser loaded in advance',
  foreign: 'Pages on other sites',
  burst: 'More than 60 ads in a minute for one visitor',
};

/** The report of a campaign for its sponsor. It contains no scripts and nothing about other campaigns. */
export function ReportPage(props: ReportProps) {
  const { report, ads, blogName, now, url, numbers, style } = props;
  const { campaign } = report;
  const title = `${campaign.name} · ${campaign.sponsor}`;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <meta name="referrer" content="no-referrer" />
        <title>{title}</title>
        <link rel="icon" href="data:," />
        <style>{raw(style)}</style>
      </head>
      <body>
        <header>
          <p class="from">{blogName}</p>
          <h1>{campaign.name}</h1>
          <p class="lead">
            Campaign report for <bdi>{campaign.sponsor}</bdi>
            {timeOf(campaign, numbers)}
            {campaign.placements && `, in ${campaign.placements.join(', ')}`}
          </p>
        </header>
        <main>
          <Totals report={report} numbers={numbers} now={now} />
          {ads.length > 0 && (
            <Section id="ads" title="Ads">
              <div class="previews">
                {ads.map((ad) => (
                  <figure class={ad.format}>
                    {raw(previewMarkup(ad, ad.format))}
                    <figcaption>
                      <bdi>{adName(ad)}</bdi> <small>{ad.format}</small>
                    </figcaption>
                  </figure>
                ))}
              </div>
            </Section>
          )}
          <Tables report={report} numbers={numbers} now={now} />
        </main>
        <footer>
          <p>
            As of {numbers.moment(new Date(now).toISOString())}. Dates and times are in {report.timeZone ?? 'UTC'}.{' '}
            <a class="file" href={`${url.pathname.split('/').at(-1)}.csv`} download>
              Download as CSV
            </a>
          </p>
        </footer>
      </body>
    </html>
  );
}

function timeOf({ startsAt, endsAt }: CampaignReport['campaign'], numbers: Numbers): string {
  if (startsAt === null && endsAt === null) return '';
  const from = startsAt === null ? '' : ` from ${numbers.fullDay(startsAt)}`;
  return `,${from}${endsAt === null ? '' : ` to ${numbers.fullDay(endsAt)}`}`;
}

function Totals({ report, numbers, now }: Pick<ReportProps, 'report' | 'numbers' | 'now'>) {
  const values: readonly (readonly [string, Child])[] = [
    ['Delivered', numbers.count(report.delivered)],
    ['Valid', numbers.count(report.valid)],
    ...viewableColumns(numbers).map(({ name, cell }) => [name, cell?.(report)] as const),
    ['Clicks', numbers.count(report.clicks)],
    ['CTR', numbers.percent(report.ctr)],
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
      <p class="outlook">
        <span class={`state ${report.state}`}>{report.state}</span>
        {report.campaign.goal && <Progress figures={report} numbers={numbers} />}
        {outlookOf(report, numbers, now)}
      </p>
    </>
  );
}

function Tables({ report, numbers, now }: Pick<ReportProps, 'report' | 'numbers' | 'now'>) {
  const [viewable, rate] = viewableColumns(numbers);
  const valid = numberColumn<Total>({ key: 'delivered', name: 'Valid' }, (row) => row.valid, numbers.count);
  const clicks: readonly Column<Total>[] = [
    numberColumn({ key: 'clicks', name: 'Clicks' }, ({ clicks }) => clicks, numbers.count),
    numberColumn({ key: 'ctr', name: 'CTR' }, ({ ctr }) => ctr, numbers.percent),
  ];
  const ad: Column<CampaignReport['ads'][number]> = {
    key: 'ad',
    name: 'Ad',
    by: ({ title }) => title,
    cell: ({ title, format }) => (
      <>
        {title} <small>{format}</small>
      </>
    ),
  };
  const day: Column<CampaignReport['days'][number]> = {
    key: 'day',
    name: 'Day',
    by: ({ day }) => day,
    cell: ({ day }) => <time datetime={day}>{numbers.day(day, now)}</time>,
  };
  return (
    <>
      <Section id="by-ad" title="By ad">
        <Table
          caption="Figures by ad"
          sort="delivered"
          columns={[ad, valid, viewable, rate, ...clicks]}
          rows={report.ads}
        />
      </Section>
      <Section id="by-day" title="By day">
        <div class={report.days.length > MANY ? 'days many' : 'days'}>
          <Table
            caption="Figures by day"
            parameter="by"
            sort="day"
            columns={[day, valid, viewable, ...clicks]}
            rows={report.days}
          />
        </div>
      </Section>
      {report.excluded.length > 0 && (
        <Section id="excluded" title="Not counted">
          <p>These impressions did not come from readers: they were delivered, and are not valid.</p>
          <dl class="excluded">
            {report.excluded.map(({ reason, impressions }) => (
              <div>
                <dt>{REASONS[reason]}</dt>
                <dd>{numbers.count(impressions)}</dd>
              </div>
            ))}
          </dl>
        </Section>
      )}
    </>
  );
}
