import { EndingSoon, ImageProblems } from '../ads/list.tsx';
import { type BlogVisit, mayManage, panelPath } from '../door/visit.ts';
import { Chart } from '../figures/chart.tsx';
import type { Filter } from '../figures/figures.ts';
import { dayOf } from '../figures/period.ts';
import { withQuery } from '../layout/address.ts';
import { LinkButton } from '../layout/button.tsx';
import { Page } from '../layout/page.tsx';
import { chartOf, type Overview } from './metrics.ts';
import { PeriodBar, rangeOf } from './period-bar.tsx';
import { AdTable, CampaignTable, PlacementTable, SponsorTable } from './tables.tsx';
import { Days, Totals } from './totals.tsx';

export function OverviewPage({ overview }: { overview: Overview }) {
  const { visit, period, figures, filter, ads } = overview;
  const { url, numbers } = visit;
  const nothing = ads.length === 0 && figures.ads.length === 0 && figures.placements.length === 0;
  return (
    <Page visit={visit} title="Overview" here="" lead={<PeriodBar url={url} period={period} numbers={numbers} />}>
      <EndingSoon visit={visit} ads={ads} />
      <ImageProblems visit={visit} ads={ads} />
      <Filters overview={overview} />
      {nothing ? (
        <FirstSteps visit={visit} />
      ) : (
        <>
          <Totals url={url} figures={figures} numbers={numbers} />
          <Chart data={chartOf(overview)} numbers={numbers} />
          <Legend overview={overview} />
          <details class="behind">
            <summary>Show as a table</summary>
            <Days url={url} period={period} figures={figures} numbers={numbers} />
          </details>
          <ByAd overview={overview} />
          {figures.campaigns.length > 0 && filter.ad === undefined && filter.placement === undefined && (
            <ByCampaign overview={overview} />
          )}
          {filter.campaign === undefined && filter.sponsor === undefined && <ByPlacement overview={overview} />}
        </>
      )}
    </Page>
  );
}

/** The URL of a CSV file with the figures of this page. */
const fileAt = ({ blog, url }: BlogVisit, name: string): string => panelPath(blog.id, name) + url.search;

function Legend({ overview: { visit, period } }: { overview: Overview }) {
  const { numbers, now } = visit;
  return (
    <p class="legend">
      <span class="key now" aria-hidden="true" /> {rangeOf(period.days, numbers)}
      {period.days.indexOf(dayOf(now)) > 0 && (
        <>
          <span class="key today" aria-hidden="true" /> today so far
        </>
      )}
      <span class="key before" aria-hidden="true" /> {rangeOf(period.before, numbers)}, matched by day of the week
    </p>
  );
}

function ByAd({ overview }: { overview: Overview }) {
  const { visit, figures } = overview;
  return (
    <section aria-labelledby="by-ad">
      <div class="heading">
        <h2 id="by-ad">By ad</h2>
        <LinkButton kind="small" to={fileAt(visit, 'ads.csv')} name="CSV" about="of ads" download />
        <LinkButton kind="small" to={fileAt(visit, 'days.csv')} name="CSV by day" download />
      </div>
      {figures.ads.length > 0 ? <AdTable overview={overview} /> : <p class="empty">No ads were shown.</p>}
    </section>
  );
}

function ByCampaign({ overview }: { overview: Overview }) {
  const { visit } = overview;
  return (
    <>
      <section aria-labelledby="by-sponsor">
        <div class="heading">
          <h2 id="by-sponsor">By sponsor</h2>
          <LinkButton kind="small" to={fileAt(visit, 'sponsors.csv')} name="CSV" about="of sponsors" download />
        </div>
        <SponsorTable overview={overview} />
      </section>
      <section aria-labelledby="by-campaign">
        <div class="heading">
          <h2 id="by-campaign">By campaign</h2>
          <LinkButton kind="small" to={fileAt(visit, 'campaigns.csv')} name="CSV" about="of campaigns" download />
        </div>
        <CampaignTable overview={overview} />
      </section>
    </>
  );
}

function ByPlacement({ overview }: { overview: Overview }) {
  const { visit, figures } = overview;
  return (
    <section aria-labelledby="by-placement">
      <div class="heading">
        <h2 id="by-placement">By placement</h2>
        <LinkButton kind="small" to={fileAt(visit, 'placements.csv')} name="CSV" about="of placements" download />
      </div>
      {figures.placements.length > 0 ? (
        <PlacementTable overview={overview} />
      ) : (
        <p class="empty">
          No slot with a name has requested an ad. The tags on <a href={panelPath(visit.blog.id, 'embed')}>Embed</a>{' '}
          have names.
        </p>
      )}
    </section>
  );
}

/** The filters of the page, with links to remove them. */
function Filters({ overview: { visit, figures, filter } }: { overview: Overview }) {
  const { url, blog } = visit;
  const names: Readonly<Record<keyof Filter, string | undefined>> = {
    ad: figures.ads.find(({ ad }) => ad.id === filter.ad)?.ad.title ?? filter.ad,
    campaign: figures.campaigns[0]?.campaign.name ?? filter.campaign,
    sponsor: filter.sponsor,
    placement: filter.placement,
  };
  const set = (Object.keys(names) as (keyof Filter)[]).filter((what) => filter[what] !== undefined);
  if (set.length === 0) return null;
  return (
    <p class="filter">
      {set.map((what) => (
        <span>
          {what[0]?.toUpperCase()}
          {what.slice(1)} <strong>{names[what]}</strong>{' '}
          <a href={withQuery(url, { [what]: undefined })}>× all {what}s</a>{' '}
          {(what === 'ad' || what === 'campaign') && (
            <a href={panelPath(blog.id, `${what}s`, filter[what] ?? '')}>Open {what}</a>
          )}
        </span>
      ))}
    </p>
  );
}

function FirstSteps({ visit }: { visit: BlogVisit }) {
  const { blog } = visit;
  return (
    <section class="empty" aria-labelledby="first">
      <h2 id="first">No ads delivered yet</h2>
      {mayManage(visit) ? (
        <ol>
          <li>
            <a href={panelPath(blog.id, 'ads', 'new')}>Create an ad</a>, with a preview as you type.
          </li>
          <li>
            <a href={panelPath(blog.id, 'embed')}>Embed it</a>: copy the tags into your page.
          </li>
          <li>Come back to see its figures. They are updated while readers see the ad.</li>
        </ol>
      ) : (
        <p>The figures appear here once readers see an ad.</p>
      )}
    </section>
  );
}
