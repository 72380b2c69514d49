import { type CampaignFigures, listCampaigns } from '@broadsheet/management';
import { send } from '../access/send.tsx';
import { blogPath, currentNumbers, currentVisit, mayManage, type Routes } from '../access/visit.ts';
import { figureColumns } from '../figures/columns.ts';
import { Button } from '../layout/form.tsx';
import { Page, Section } from '../layout/page.tsx';
import { List, matching } from '../layout/search.tsx';
import { type Columns, RowLink, State, Table } from '../layout/table.tsx';
import { outlookOf, Progress } from './progress.tsx';

export const campaignListRoutes: Routes = (app, { store }) => {
  app.get('/panel/:blog/campaigns', async (c) => {
    const { blog, now } = c.get('blogVisit');
    return send(c, <CampaignsPage campaigns={await listCampaigns(store, blog.id, now)} />);
  });
};

function CampaignsPage({ campaigns }: { campaigns: readonly CampaignFigures[] }) {
  const newCampaign = blogPath('campaigns.add');
  const found = matching(campaigns, ({ campaign: { sponsor, name, id } }) => `${sponsor} ${name} ${id}`);
  const isHouse = ({ campaign: { kind } }: CampaignFigures) => kind === 'house';
  const house = found.filter(isHouse);
  const lead = mayManage() && <Button kind="first" to={newCampaign} name="New campaign" />;
  const none = campaigns.length === 0 && (
    <>
      No campaigns yet. A campaign gives the ads of a sponsor a goal, dates and a daily cap.{' '}
      {mayManage() && <a href={newCampaign}>Create your first campaign.</a>}
    </>
  );
  const paid = { caption: 'Campaigns', none, sort: 'campaign', columns: columnsOf() };
  return (
    <Page title="Campaigns" here="campaigns" lead={lead}>
      <List
        {...paid}
        rows={found.filter((one) => !isHouse(one))}
        {...(campaigns.every(isHouse) && { empty: 'No paid campaigns.' })}
      />
      {house.length > 0 && (
        <Section id="house" title="House campaigns">
          <Table caption="House campaigns" parameter="house" sort="campaign" columns={columnsOf()} rows={house} />
        </Section>
      )}
    </Page>
  );
}

function columnsOf(): Columns<CampaignFigures> {
  const [numbers, { now }] = [currentNumbers(), currentVisit()];
  const { valid, rate, clicks, ctr } = figureColumns<CampaignFigures>();
  return [
    {
      name: 'Campaign',
      wraps: true,
      by: ({ campaign: { sponsor, name } }) => `${name}\n${sponsor}`,
      cell: ({ campaign: { id, sponsor, name } }) => (
        <RowLink to={blogPath('campaigns', id)} name={name} note={sponsor} />
      ),
    },
    {
      name: 'Status',
      by: ({ state }) => state,
      cell: (figures) => (
        <>
          <State is={figures.state} />
          <small>{outlookOf(figures, numbers, now)}</small>
        </>
      ),
    },
    {
      name: 'Goal',
      numeric: true,
      by: ({ progress = -1 }) => progress,
      cell: (figures) => <Progress goal={figures.campaign.goal} total={figures} />,
    },
    ...[valid, rate, clicks, ctr].map((column) => ({ ...column, spare: true })),
  ];
}
