/** @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx';
import { type BlogVisit, mayManage, panelPath } from '../door/visit.ts';
import { Chart, type ChartData } from '../figures/chart.tsx';
import { type AdFigures, type Count, changeOf, ctrOf, type Figures } from '../figures/figures.ts';
import { type Numbers, numbersOf } from '../figures/numbers.ts';
import { type Period, PRESETS, step } from '../figures/period.ts';
import { withQuery } from '../layout/address.ts';
import { Page } from '../layout/page.tsx';
import { type Column, readOrder, sorted, Table } from '../layout/table.tsx';

/** What the overview shows, read once for the page, for its live figures and for its files. */
export interface Overview {
  readonly visit: BlogVisit;
  readonly period: Period;
  readonly figures: Figures;
  /** The one ad that is looked at. */
  readonly ad: AdFigures['ad'] | undefined;
}

const METRICS = { impressions: 'Impressions', clicks: 'Clicks', ctr: 'CTR' } as const;
type Metric = keyof typeof METRICS;

const measure = (metric: Metric, count: Count): number => (metric === 'ctr' ? ctrOf(count) : count[metric]);

/** The metric of the chart, as the address names it. */
export function chartOf({ visit, period, figures }: Overview): ChartData {
  const numbers = numbersOf(visit.locale);
  const metric = metricOf(visit.url);
  const write = metric === 'ctr' ? numbers.percent : numbers.count;
  return {
    period,
    values: figures.series.map((count) => measure(metric, count)),
    before: figures.seriesBefore.map((count) => measure(metric, count)),
    write,
    writeShort: metric === 'ctr' ? numbers.percent : numbers.short,
    name: METRICS[metric],
  };
}

function metricOf(url: URL): Metric {
  const given = url.searchParams.get('metric') ?? '';
  return Object.hasOwn(METRICS, given) ? (given as Metric) : 'impressions';
}

/** Every number of the page that moves, by the name it has there. */
export function liveTexts({ visit, figures }: Overview): Record<string, string> {
  const numbers = numbersOf(visit.locale);
  const texts: Record<string, string> = {};
  const add = (name: string, count: Count) => {
    texts[`${name}-impressions`] = numbers.count(count.impressions);
    texts[`${name}-clicks`] = numbers.count(count.clicks);
    texts[`${name}-ctr`] = numbers.percent(ctrOf(count));
  };
  add('total', figures.total);
  for (const row of figures.ads) add(`ad-${row.ad.id}`, row);
  return texts;
}

export function OverviewPage({ overview }: { overview: Overview }) {
  const { visit, period, figures, ad } = overview;
  const numbers = numbersOf(visit.locale);
  const { blog, url } = visit;
  const query = new URLSearchParams(url.searchParams);
  const file = (name: string) => `${panelPath(blog.id, name)}${query.size > 0 ? `?${query}` : ''}`;
  return (
    <Page visit={visit} title="Overview" here="" lead={<PeriodBar url={url} period={period} numbers={numbers} />}>
      {blog.ads === 0 && <FirstSteps visit={visit} />}
      {ad && (
        <p class="filter">
          Only <strong>{ad.title ?? ad.id}</strong>{' '}
          <a href={withQuery(url, { ad: undefined })} aria-label="Show all ads again">
            × all ads
          </a>
          {visit.blog && (
            <>
              {' · '}
              <a href={panelPath(blog.id, 'ads', ad.id)}>Look at the ad</a>
            </>
          )}
        </p>
      )}
      <div data-live-from={file('live')}>
        <Totals url={url} figures={figures} numbers={numbers} />
        <Chart data={chartOf(overview)} numbers={numbers} />
        <p class="legend">
          <span class="key now" aria-hidden="true" /> {rangeOf(period.days, numbers)}
          <span class="key before" aria-hidden="true" /> {rangeOf(period.before, numbers)}, the same days of the week
        </p>
        <details class="behind">
          <summary>The days as a table</summary>
          <Days overview={overview} numbers={numbers} />
        </details>
        <section aria-labelledby="by-ad">
          <div class="heading">
            <h2 id="by-ad">By ad</h2>
            <a class="button small" href={file('ads.csv')} download>
              CSV
            </a>
            <a class="button small" href={file('days.csv')} download>
              CSV by day
            </a>
          </div>
          <Ads overview={overview} numbers={numbers} />
        </section>
      </div>
    </Page>
  );
}

function rangeOf(days: readonly string[], numbers: Numbers): string {
  const [first = '', last = ''] = [days[0], days.at(-1)];
  return first === last ? numbers.longDay(first) : `${numbers.day(first)} – ${numbers.day(last)}`;
}

function PeriodBar({ url, period, numbers }: { url: URL; period: Period; numbers: Numbers }) {
  const at = (changes: Readonly<Record<string, string | undefined>>) =>
    withQuery(url, { period: undefined, from: undefined, to: undefined, ...changes });
  return (
    <div class="periods">
      <nav aria-label="Period">
        <a href={at(step(period, -1))} aria-label="The period before" rel="prev">
          ←
        </a>
        {PRESETS.map(([preset, name]) => (
          <a href={at({ period: preset })} aria-current={period.preset === preset ? 'true' : undefined}>
            {name}
          </a>
        ))}
        <a href={at(step(period, 1))} aria-label="The period after" rel="next">
          →
        </a>
      </nav>
      <details>
        <summary>{period.preset ? 'Any days' : rangeOf(period.days, numbers)}</summary>
        <form method="get" action={url.pathname} class="range">
          {[...url.searchParams]
            .filter(([name]) => !['from', 'to', 'period', 'done'].includes(name))
            .map(([name, value]) => (
              <input type="hidden" name={name} value={value} />
            ))}
          <label>
            From <input type="date" name="from" value={period.from} required />
          </label>
          <label>
            to <input type="date" name="to" value={period.to} required />
          </label>
          <button class="button small" type="submit">
            Show
          </button>
        </form>
      </details>
    </div>
  );
}

function Totals({ url, figures, numbers }: { url: URL; figures: Figures; numbers: Numbers }) {
  const current = metricOf(url);
  return (
    <ul class="totals">
      {(Object.keys(METRICS) as Metric[]).map((metric) => {
        const [now, before] = [measure(metric, figures.total), measure(metric, figures.before)];
        const write = metric === 'ctr' ? numbers.percent : numbers.count;
        const change = changeOf(now, before);
        return (
          <li>
            <a href={withQuery(url, { metric })} aria-current={metric === current ? 'true' : undefined}>
              <span class="name">{METRICS[metric]}</span>
              <span class="value" data-live={`total-${metric}`}>
                {write(now)}
              </span>
              <span class="change">
                {change === undefined ? (
                  'nothing before'
                ) : (
                  <>
                    <span class={change < 0 ? 'down' : 'up'}>{numbers.change(change)}</span> vs.{' '}
                    {metric === 'ctr' ? numbers.percent(before) : numbers.short(before)}
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

function Days({ overview: { period, figures }, numbers }: { overview: Overview; numbers: Numbers }) {
  return (
    <section class="scroll" aria-label="Days">
      <table data-days>
        <caption class="unseen">Impressions, clicks and click-through rate by day</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            {['Impressions', 'Clicks', 'CTR'].map((name) => (
              <th scope="col" class="number">
                {name}
              </th>
            ))}
            <th scope="col" class="number">
              Impressions before
            </th>
          </tr>
        </thead>
        <tbody>
          {period.days.map((day, index) => {
            const count = figures.series[index] ?? { impressions: 0, clicks: 0 };
            return (
              <tr>
                <th scope="row">{numbers.longDay(day)}</th>
                <td class="number">{numbers.count(count.impressions)}</td>
                <td class="number">{numbers.count(count.clicks)}</td>
                <td class="number">{numbers.percent(ctrOf(count))}</td>
                <td class="number">{numbers.count(figures.seriesBefore[index]?.impressions ?? 0)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

function Ads({ overview: { visit, figures }, numbers }: { overview: Overview; numbers: Numbers }) {
  const { url } = visit;
  const most = Math.max(1, ...figures.ads.map(({ impressions }) => impressions));
  const all = Math.max(
    1,
    figures.ads.reduce((sum, row) => sum + row.impressions, 0),
  );
  const live = (row: AdFigures, name: string, text: Child) => <span data-live={`ad-${row.ad.id}-${name}`}>{text}</span>;
  const columns: Column<AdFigures>[] = [
    {
      key: 'title',
      name: 'Ad',
      by: ({ ad }) => ad.title ?? ad.id,
      cell: (row) => (
        <a class="row" href={withQuery(url, { ad: row.ad.id })}>
          {row.ad.title ?? row.ad.id} <small>{row.ad.format}</small>
          <Share part={row.impressions} of={most} />
        </a>
      ),
    },
    {
      key: 'impressions',
      name: 'Impressions',
      numeric: true,
      by: ({ impressions }) => impressions,
      cell: (row) => live(row, 'impressions', numbers.count(row.impressions)),
    },
    {
      key: 'share',
      name: 'Share',
      numeric: true,
      spare: true,
      cell: (row) => `${Math.round((row.impressions / all) * 100)} %`,
    },
    {
      key: 'clicks',
      name: 'Clicks',
      numeric: true,
      by: ({ clicks }) => clicks,
      cell: (row) => live(row, 'clicks', numbers.count(row.clicks)),
    },
    { key: 'ctr', name: 'CTR', numeric: true, by: ctrOf, cell: (row) => live(row, 'ctr', numbers.percent(ctrOf(row))) },
    {
      key: 'change',
      name: 'Change',
      numeric: true,
      spare: true,
      by: (row) => changeOf(row.impressions, row.before.impressions) ?? Number.NEGATIVE_INFINITY,
      cell: (row) => {
        const change = changeOf(row.impressions, row.before.impressions);
        return change === undefined ? '–' : numbers.change(change);
      },
    },
  ];
  const order = readOrder(url.searchParams, 'sort', 'impressions');
  const search = (url.searchParams.get('q') ?? '').toLowerCase();
  const rows = figures.ads.filter(({ ad }) => `${ad.title} ${ad.format} ${ad.id}`.toLowerCase().includes(search));
  if (figures.ads.length === 0) return <p class="empty">No ad yet.</p>;
  return (
    <Table
      caption="Figures by ad"
      url={url}
      parameter="sort"
      order={order}
      columns={columns}
      rows={sorted(rows, columns, order)}
    />
  );
}

/** A bar behind a row: how much of the largest it is. */
export function Share({ part, of }: { part: number; of: number }) {
  return (
    <svg class="share" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true" focusable="false">
      <rect width={of > 0 ? Math.round((part / of) * 1000) / 10 : 0} height="1" />
    </svg>
  );
}

function FirstSteps({ visit }: { visit: BlogVisit }) {
  const { blog } = visit;
  return (
    <section class="empty" aria-labelledby="first">
      <h2 id="first">Nothing was delivered yet</h2>
      {mayManage(visit) ? (
        <ol>
          <li>
            <a href={panelPath(blog.id, 'ads', 'new')}>Make an ad</a>: you see it as you write it.
          </li>
          <li>
            <a href={panelPath(blog.id, 'embed')}>Embed it</a>: a tag for your page, ready to be pasted.
          </li>
          <li>Come back: the figures move while readers see it.</li>
        </ol>
      ) : (
        <p>As soon as readers see an ad, its figures stand here.</p>
      )}
    </section>
  );
}
