import { blogPath, currentNumbers, mayManage } from '../access/visit.ts';
import { EndingSoon, ImageProblems } from '../ads/list.tsx';
import { Chart } from '../figures/chart.tsx';
import type { Filter } from '../figures/figures.ts';
import { PRESETS, step } from '../figures/period.ts';
import { withQuery } from '../layout/address.ts';
import { Button, capitalized } from '../layout/form.tsx';
import { Page } from '../layout/page.tsx';
import { OtherParameters } from '../layout/search.tsx';
import { chartOf } from './metrics.ts';
import type { Overview } from './read.ts';
import { Breakdown } from './tables.tsx';
import { Days, HourTable, Totals } from './totals.tsx';

export function OverviewPage({ overview }: { overview: Overview }) {
  const { figures, filter, ads } = overview;
  const chart = chartOf(overview);
  const nothing = ads.length === 0 && figures.ads.length === 0 && figures.placements.length === 0;
  return (
    <Page title="Overview" here="" lead={<PeriodBar overview={overview} />}>
      <EndingSoon ads={ads} />
      <ImageProblems ads={ads} />
      <Filters overview={overview} />
      {nothing ? (
        <FirstSteps />
      ) : (
        <>
          <Totals overview={overview} />
          {chart && (
            <>
              <Chart data={chart} />
              <Legend overview={overview} />
            </>
          )}
          <details class="behind">
            <summary>Show as a table</summary>
            {overview.hours && <HourTable hours={overview.hours} />}
            <Days overview={overview} />
          </details>
          <Breakdown overview={overview} what="ad" empty="No ads were shown." />
          {figures.campaigns.length > 0 && filter.ad === undefined && filter.placement === undefined && (
            <>
              <Breakdown overview={overview} what="sponsor" />
              <Breakdown overview={overview} what="campaign" />
            </>
          )}
          {filter.campaign === undefined && filter.sponsor === undefined && (
            <Breakdown
              overview={overview}
              what="placement"
              empty={
                <>
                  No slot with a name has requested an ad. The tags on <a href={blogPath('embed')}>Embed</a> have names.
                </>
              }
            />
          )}
        </>
      )}
    </Page>
  );
}

/** The days of a range in the format of the reader. */
function rangeOf(days: readonly string[], { visit: { now } }: Overview): string {
  const numbers = currentNumbers();
  const [first = '', last = ''] = [days[0], days.at(-1)];
  return first === last ? numbers.longDay(first) : `${numbers.day(first, now)} – ${numbers.day(last, now)}`;
}

/** Selects the period: a preset, a step back or forward, or a custom range. */
function PeriodBar({ overview }: { overview: Overview }) {
  const {
    visit: { url },
    period,
  } = overview;
  const at = (changes: Readonly<Record<string, string | undefined>>) =>
    withQuery(url, { period: undefined, from: undefined, to: undefined, ...changes });
  return (
    <div class="periods">
      <nav aria-label="Period">
        <a href={at(step(period, -1))} aria-label="Previous period" rel="prev">
          ←
        </a>
        {PRESETS.map(([preset, name]) => (
          <a href={at({ period: preset })} aria-current={period.preset === preset ? 'true' : undefined}>
            {name}
          </a>
        ))}
        <a href={at(step(period, 1))} aria-label="Next period" rel="next">
          →
        </a>
      </nav>
      <details>
        <summary>{period.preset ? 'Custom range' : rangeOf(period.days, overview)}</summary>
        <form method="get" action={url.pathname} class="range">
          <OtherParameters except={['from', 'to', 'period']} />
          <label>
            From <input type="date" name="from" value={period.from} required />
          </label>
          <label>
            To <input type="date" name="to" value={period.to} required />
          </label>
          <Button kind="small" name="Show" />
        </form>
      </details>
    </div>
  );
}

function Legend({ overview }: { overview: Overview }) {
  const { period, hours } = overview;
  return (
    <>
      <p class="legend">
        <span class="entry">
          <span class="key now" aria-hidden="true" /> {rangeOf(period.days, overview)}
        </span>
        {(hours ?? period).current >= 0 && (
          <span class="entry">
            <span class="key current" aria-hidden="true" /> {hours ? 'this hour' : 'today'} so far
          </span>
        )}
        <span class="entry">
          <span class="key before" aria-hidden="true" /> {rangeOf(period.before, overview)}
          {!hours && ', matched by day of the week'}
        </span>
      </p>
      {hours && (
        <p class="hint">
          Readers’ requests for ads by hour. A page requests the ads of several slots at once, so there are fewer
          requests than impressions.
        </p>
      )}
      {period.current >= 0 && <p class="hint">Today is compared with the same hours.</p>}
    </>
  );
}

/** The filters of the page, with links to remove them. */
function Filters({ overview: { visit, figures, filter } }: { overview: Overview }) {
  const { url } = visit;
  const ad = figures.ads.find(({ id }) => id === filter.ad);
  const names: Readonly<Record<keyof Filter, string | undefined>> = {
    ad: ad?.name ?? filter.ad,
    campaign: figures.campaigns[0]?.name ?? filter.campaign,
    sponsor: filter.sponsor,
    placement: filter.placement,
  };
  const set = (Object.keys(names) as (keyof Filter)[]).filter((what) => filter[what] !== undefined);
  if (set.length === 0) return null;
  return (
    <p class="filter">
      {set.map((what) => (
        <span>
          {capitalized(what)} <strong>{names[what]}</strong>{' '}
          <a href={withQuery(url, { [what]: undefined })}>× all {what}s</a>{' '}
          {((what === 'ad' && ad?.note !== 'deleted') || what === 'campaign') && (
            <a href={blogPath(`${what}s`, filter[what] ?? '')}>Open {what}</a>
          )}
        </span>
      ))}
    </p>
  );
}

function FirstSteps() {
  return (
    <section class="empty" aria-labelledby="first">
      <h2 id="first">No ads delivered yet</h2>
      {mayManage() ? (
        <ol>
          <li>
            <a href={blogPath('ads.add')}>Create an ad</a>, with a preview as you type.
          </li>
          <li>
            <a href={blogPath('embed')}>Embed it</a>: copy the tags into your page.
          </li>
          <li>Come back to see its figures. They are updated while readers see the ad.</li>
        </ol>
      ) : (
        <p>The figures appear here once readers see an ad.</p>
      )}
    </section>
  );
}
