import type { CampaignFigures } from '@broadsheet/management';
import { blogPath, currentVisit, mayManage } from '../access/visit.ts';
import { LinkButton } from '../layout/form.tsx';
import { Page, Section } from '../layout/page.tsx';
import { List, matching } from '../layout/search.tsx';
import { type Columns, numberColumn, RowLink, Table } from '../layout/table.tsx';
import { clickColumns, outlookOf, Progress, viewableColumns } from './progress.tsx';

export function CampaignsPage({ campaigns }: { campaigns: readonly CampaignFigures[] }) {
  const newCampaign = blogPath('campaigns.add');
  const found = matching(campaigns, ({ campaign: { sponsor, name, id } }) => `${sponsor} ${name} ${id}`);
  const isHouse = ({ campaign: { kind } }: CampaignFigures) => kind === 'house';
  const house = found.filter(isHouse);
  const lead = mayManage() && <LinkButton kind="first" to={newCampaign} name="New campaign" />;
  return (
    <Page title="Campaigns" here="campaigns" lead={lead}>
      {campaigns.length === 0 ? (
        <p class="empty">
          No campaigns yet. A campaign gives the ads of a sponsor a goal, dates and a daily cap.{' '}
          {mayManage() && <a href={newCampaign}>Create your first campaign.</a>}
        </p>
      ) : (
        <List
          caption="Campaigns"
          sort="name"
          columns={columnsOf()}
          rows={found.filter((one) => !isHouse(one))}
          {...(campaigns.every(isHouse) && { empty: 'No paid campaigns.' })}
        />
      )}
      {house.length > 0 && (
        <Section id="house" title="House campaigns">
          <Table caption="House campaigns" parameter="house" sort="name" columns={columnsOf()} rows={house} />
        </Section>
      )}
    </Page>
  );
}

function columnsOf(): Columns<CampaignFigures> {
  const { numbers, now } = currentVisit();
  return [
    {
      key: 'name',
      name: 'Campaign',
      words: true,
      by: ({ campaign: { sponsor, name } }) => `${name}\n${sponsor}`,
      cell: ({ campaign: { id, sponsor, name } }) => (
        <RowLink to={blogPath('campaigns', id)} name={name} note={sponsor} />
      ),
    },
    {
      key: 'state',
      name: 'Status',
      by: ({ state }) => state,
      cell: (figures) => (
        <>
          <span class={`state ${figures.state}`}>{figures.state}</span>
          <small>{outlookOf(figures, numbers, now)}</small>
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
    ...clickColumns(numbers, { spare: true }),
  ];
}
