import type { CampaignFigures } from '@broadsheet/management';
import { type BlogVisit, mayManage, panelPath } from '../door/visit.ts';
import type { Numbers } from '../figures/numbers.ts';
import { LinkButton } from '../layout/button.tsx';
import { Page } from '../layout/page.tsx';
import { SearchBar, searchIn } from '../layout/search.tsx';
import { type Columns, numberColumn, Table } from '../layout/table.tsx';
import { outlookOf } from './outlook.ts';

/** The campaigns of a blog, with their figures, their progress and when they end. */
export function CampaignsPage({ visit, campaigns }: { visit: BlogVisit; campaigns: readonly CampaignFigures[] }) {
  const { url, blog } = visit;
  const newCampaign = panelPath(blog.id, 'campaigns', 'new');
  const manages = mayManage(visit);
  const search = searchIn(url);
  const found = campaigns.filter(({ campaign: { sponsor, name, id } }) =>
    `${sponsor} ${name} ${id}`.toLowerCase().includes(search),
  );
  return (
    <Page
      visit={visit}
      title="Campaigns"
      here="campaigns"
      lead={manages && <LinkButton kind="first" to={newCampaign} name="New campaign" />}
    >
      {campaigns.length === 0 ? (
        <p class="empty">
          No campaigns yet. A campaign gives the ads of a sponsor a goal, dates and a daily cap.{' '}
          {manages && <a href={newCampaign}>Create your first campaign.</a>}
        </p>
      ) : (
        <>
          <SearchBar url={url} label="Search campaigns" />
          {found.length === 0 ? (
            <p class="empty">
              No matching campaigns. <a href={url.pathname}>Show all campaigns</a>
            </p>
          ) : (
            <Table caption="Campaigns" url={url} sort="name" columns={columnsOf(visit)} rows={found} />
          )}
        </>
      )}
    </Page>
  );
}

function columnsOf({ blog, numbers }: BlogVisit): Columns<CampaignFigures> {
  return [
    {
      key: 'name',
      name: 'Campaign',
      words: true,
      by: ({ campaign: { sponsor, name } }) => `${sponsor}\n${name}`,
      cell: ({ campaign: { id, sponsor, name, kind } }) => (
        <a class="row" href={panelPath(blog.id, 'campaigns', id)}>
          {name} <small>{kind === 'house' ? `${sponsor}, house` : sponsor}</small>
        </a>
      ),
    },
    {
      key: 'state',
      name: 'Status',
      by: ({ state }) => state,
      cell: (figures) => (
        <>
          <span class={`state ${figures.state}`}>{figures.state}</span>
          <small>{outlookOf(figures, numbers)}</small>
        </>
      ),
    },
    {
      key: 'progress',
      name: 'Goal',
      numeric: true,
      by: ({ progress = -1 }) => progress,
      cell: (figures) => <Progress figures={figures} numbers={numbers} />,
    },
    {
      ...numberColumn({ key: 'impressions', name: 'Valid impressions' }, numbers, ({ impressions }) => impressions),
      spare: true,
    },
    {
      key: 'viewable',
      name: 'Viewable rate',
      numeric: true,
      spare: true,
      by: ({ viewableRate }) => viewableRate ?? -1,
      cell: ({ viewableRate }) => (viewableRate === null ? '–' : numbers.percent(viewableRate)),
    },
    { ...numberColumn({ key: 'clicks', name: 'Clicks' }, numbers, ({ clicks }) => clicks), spare: true },
    {
      key: 'ctr',
      name: 'CTR',
      numeric: true,
      spare: true,
      by: ({ ctr }) => ctr,
      cell: ({ ctr }) => numbers.percent(ctr),
    },
  ];
}

/** The progress of a campaign towards its goal. */
export function Progress({ figures, numbers }: { figures: CampaignFigures; numbers: Numbers }) {
  const { goal } = figures.campaign;
  if (!goal) return <>no goal</>;
  const [wanted = 0, what] = goal.clicks === undefined ? [goal.impressions, 'impressions'] : [goal.clicks, 'clicks'];
  const done = goal.clicks === undefined ? figures.impressions : figures.clicks;
  const text = `${numbers.count(done)} of ${numbers.count(wanted)} ${what}`;
  return (
    <span class="goal">
      <progress value={done} max={wanted} aria-label={text} />
      {text}
    </span>
  );
}
