import type { CampaignFigures } from '@broadsheet/management';
import { type BlogVisit, mayManage, panelPath } from '../access/visit.ts';
import { LinkButton } from '../layout/form.tsx';
import { Page } from '../layout/page.tsx';
import { List, matching } from '../layout/search.tsx';
import { type Columns, numberColumn, RowLink } from '../layout/table.tsx';
import { outlookOf, Progress, viewableColumns } from './progress.tsx';

export function CampaignsPage({ visit, campaigns }: { visit: BlogVisit; campaigns: readonly CampaignFigures[] }) {
  const { url, blog } = visit;
  const newCampaign = panelPath(blog.id, 'campaigns', 'new');
  const manages = mayManage(visit);
  const found = matching(url, campaigns, ({ campaign: { sponsor, name, id } }) => `${sponsor} ${name} ${id}`);
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
        <List caption="Campaigns" url={url} sort="name" columns={columnsOf(visit)} rows={found} />
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
        <RowLink
          to={panelPath(blog.id, 'campaigns', id)}
          name={name}
          note={kind === 'house' ? `${sponsor}, house` : sponsor}
        />
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
    numberColumn(
      { key: 'impressions', name: 'Valid impressions', spare: true },
      ({ impressions }) => impressions,
      numbers.count,
    ),
    viewableColumns(numbers)[1],
    numberColumn({ key: 'clicks', name: 'Clicks', spare: true }, ({ clicks }) => clicks, numbers.count),
    numberColumn({ key: 'ctr', name: 'CTR', spare: true }, ({ ctr }) => ctr, numbers.percent),
  ];
}
