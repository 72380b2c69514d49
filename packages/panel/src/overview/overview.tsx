/** @jsxImportSource hono/jsx */
import { type BlogVisit, mayManage, panelPath } from '../door/visit.ts';
import { Chart } from '../figures/chart.tsx';
import { numbersOf } from '../figures/numbers.ts';
import { dayOf } from '../figures/period.ts';
import { withQuery } from '../layout/address.ts';
import { Page } from '../layout/page.tsx';
import { chartOf, type Overview } from './metrics.ts';
import { PeriodBar, rangeOf } from './period-bar.tsx';
import { AdTable, PlacementTable, titleOf } from './tables.tsx';
import { Days, Totals } from './totals.tsx';

export function OverviewPage({ overview }: { overview: Overview }) {
  const { visit, period, figures } = overview;
  const numbers = numbersOf(visit.locale);
  const { blog, url } = visit;
  const file = (name: string) => panelPath(blog.id, name) + url.search;
  const nothing = blog.ads === 0 && figures.ads.length === 0 && figures.placements.length === 0;
  return (
    <Page visit={visit} title="Overview" here="" lead={<PeriodBar url={url} period={period} numbers={numbers} />}>
      <Filters overview={overview} />
      {nothing ? (
        <FirstSteps visit={visit} />
      ) : (
        <div data-live-from={file('live')}>
          <Totals url={url} figures={figures} numbers={numbers} />
          <Chart data={chartOf(overview)} numbers={numbers} />
          <p class="legend">
            <span class="key now" aria-hidden="true" /> {rangeOf(period.days, numbers)}
            {period.days.indexOf(dayOf(visit.now)) > 0 && (
              <>
                <span class="key today" aria-hidden="true" /> today, so far
              </>
            )}
            <span class="key before" aria-hidden="true" /> {rangeOf(period.before, numbers)}, the same days of the week
          </p>
          <details class="behind">
            <summary>The days as a table</summary>
            <Days period={period} figures={figures} numbers={numbers} />
          </details>
          <section aria-labelledby="by-ad">
            <div class="heading">
              <h2 id="by-ad">By ad</h2>
              <CsvLink href={file('ads.csv')} of="ads" />
              <a class="button small" href={file('days.csv')} download>
                CSV by day
              </a>
            </div>
            {figures.ads.length > 0 ? <AdTable overview={overview} /> : <p class="empty">No ad stood there.</p>}
          </section>
          <section aria-labelledby="by-placement">
            <div class="heading">
              <h2 id="by-placement">By placement</h2>
              <CsvLink href={file('placements.csv')} of="placements" />
            </div>
            {figures.placements.length > 0 ? (
              <PlacementTable overview={overview} />
            ) : (
              <p class="empty">
                No slot with a name asked for an ad. The tags on <a href={panelPath(blog.id, 'embed')}>Embed</a> have
                names.
              </p>
            )}
          </section>
        </div>
      )}
    </Page>
  );
}

function CsvLink({ href, of }: { href: string; of: string }) {
  return (
    <a class="button small" href={href} download>
      CSV<span class="unseen"> of {of}</span>
    </a>
  );
}

/** What the page is narrowed to, and the way out of it. */
function Filters({ overview: { visit, figures, filter } }: { overview: Overview }) {
  const { url, blog } = visit;
  if (filter.ad === undefined && filter.placement === undefined) return null;
  const ad = figures.ads.find((row) => row.ad.id === filter.ad)?.ad ?? { id: filter.ad ?? '', title: null, format: '' };
  return (
    <p class="filter">
      {filter.ad !== undefined && (
        <span>
          Ad <strong>{titleOf(ad)}</strong> <a href={withQuery(url, { ad: undefined })}>× all ads</a>{' '}
          <a href={panelPath(blog.id, 'ads', filter.ad)}>look at it</a>
        </span>
      )}
      {filter.placement !== undefined && (
        <span>
          Placement <strong>{filter.placement}</strong>{' '}
          <a href={withQuery(url, { placement: undefined })}>× all placements</a>
        </span>
      )}
    </p>
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
