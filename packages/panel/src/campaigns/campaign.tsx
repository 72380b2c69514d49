import type { SnapshotCampaign } from '@broadsheet/contract';
import { CAMPAIGN_FIELDS, type CampaignFieldName, type CampaignReport } from '@broadsheet/management';
import { type BlogVisit, mayManage, panelPath } from '../door/visit.ts';
import { Button, LinkButton } from '../layout/button.tsx';
import { DraftInput, type Typed, typedOf } from '../layout/drafts.tsx';
import { Form, ProblemList, type Problems } from '../layout/form.tsx';
import { Page } from '../layout/page.tsx';
import { type Columns, numberColumn, Table } from '../layout/table.tsx';
import { DeleteButton } from '../pages/bin.tsx';
import { Progress } from './list.tsx';
import { outlookOf } from './outlook.ts';
import { NewLink, Share, type ShareProps } from './share.tsx';

const NEW = { kind: 'paid', pace: 'even' } as const;
const LABELS = Object.fromEntries(CAMPAIGN_FIELDS.map(({ name, label }) => [name, label]));

/** The fields of the campaign form. */
export const fieldsOf = (campaign: Partial<SnapshotCampaign> = NEW): Typed<CampaignFieldName> =>
  typedOf(CAMPAIGN_FIELDS, {
    ...campaign,
    goalImpressions: campaign.goal?.impressions,
    goalClicks: campaign.goal?.clicks,
  });

interface CampaignFormProps {
  visit: BlogVisit;
  fields: Typed<CampaignFieldName>;
  /** The version of the edited campaign. */
  version?: string;
  problems?: Problems;
}

export function NewCampaign(props: CampaignFormProps) {
  return (
    <Page visit={props.visit} title="New campaign" here="campaigns">
      <CampaignForm {...props} />
    </Page>
  );
}

/** A campaign with its figures, its ads, its report links, and its form. */
export function CampaignPage({ report, links, newLink, ...form }: CampaignFormProps & ShareProps) {
  const { visit } = form;
  const { campaign, state } = report;
  const { blog, numbers, url } = visit;
  const newAd = `${panelPath(blog.id, 'ads', 'new')}?campaign=${encodeURIComponent(campaign.id)}`;
  const figures = `${panelPath(blog.id)}?campaign=${encodeURIComponent(campaign.id)}`;
  return (
    <Page
      visit={visit}
      title={campaign.name}
      here="campaigns"
      lead={
        <div class="actions">
          <span class={`state ${state}`}>{state}</span>
          <LinkButton kind="small" to={figures} name="Show figures" />
          {mayManage(visit) && <DeleteButton visit={visit} kind="campaign" item={campaign} />}
        </div>
      }
    >
      {newLink !== undefined && <NewLink link={newLink} />}
      <p class="lead">
        {campaign.sponsor} · Valid impressions: {numbers.count(report.impressions)} · Clicks:{' '}
        {numbers.count(report.clicks)} · CTR: {numbers.percent(report.ctr)}
      </p>
      <p>
        <Progress figures={report} numbers={numbers} /> {outlookOf(report, numbers)}
      </p>
      <section aria-labelledby="ads">
        <div class="heading">
          <h2 id="ads">Ads</h2>
          {mayManage(visit) && <LinkButton kind="small" to={newAd} name="New ad in this campaign" />}
        </div>
        {report.ads.length === 0 ? (
          <p class="empty">No ads yet. Nothing is delivered for this campaign until it has an ad.</p>
        ) : (
          <Table caption="Ads" url={url} sort="impressions" columns={adColumns(visit)} rows={report.ads} />
        )}
      </section>
      {mayManage(visit) && <Share visit={visit} report={report} links={links} newLink={newLink} />}
      <section aria-labelledby="edit">
        <h2 id="edit">{mayManage(visit) ? 'Edit' : 'Details'}</h2>
        <CampaignForm {...form} />
      </section>
    </Page>
  );
}

type AdRow = CampaignReport['ads'][number];

function adColumns({ blog, numbers }: BlogVisit): Columns<AdRow> {
  return [
    {
      key: 'title',
      name: 'Ad',
      words: true,
      by: ({ title }) => title,
      cell: ({ id, title, format }) => (
        <a class="row" href={panelPath(blog.id, 'ads', id)}>
          {title} <small>{format}</small>
        </a>
      ),
    },
    numberColumn({ key: 'impressions', name: 'Valid impressions' }, numbers, ({ impressions }) => impressions),
    numberColumn({ key: 'clicks', name: 'Clicks' }, numbers, ({ clicks }) => clicks),
    { key: 'ctr', name: 'CTR', numeric: true, by: ({ ctr }) => ctr, cell: ({ ctr }) => numbers.percent(ctr) },
  ];
}

function CampaignForm({ visit, fields, version, problems = [] }: CampaignFormProps) {
  const { url, blog } = visit;
  const inputs = (...names: CampaignFieldName[]) =>
    CAMPAIGN_FIELDS.filter(({ name }) => names.includes(name)).map((field) => (
      <DraftInput field={field} value={fields[field.name]} problems={problems} />
    ));
  return (
    <Form visit={visit} to={url.pathname} class="narrow">
      {version !== undefined && <input type="hidden" name="version" value={version} />}
      <ProblemList problems={problems} labels={LABELS} />
      <fieldset disabled={!mayManage(visit)}>
        {inputs('sponsor', 'name')}
        <div class="pair">{inputs('startsAt', 'endsAt')}</div>
        <div class="pair">{inputs('goalImpressions', 'goalClicks')}</div>
        <div class="pair">{inputs('perDay', 'pace')}</div>
        {inputs('kind')}
        {mayManage(visit) && (
          <div class="actions">
            <Button kind="first" name="Save" />
            <LinkButton to={panelPath(blog.id, 'campaigns')} name="Cancel" />
          </div>
        )}
      </fieldset>
    </Form>
  );
}
