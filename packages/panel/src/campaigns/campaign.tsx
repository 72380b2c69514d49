import type { SnapshotCampaign } from '@broadsheet/contract';
import { CAMPAIGN_FIELDS, type CampaignFieldName, type CampaignReport, type ReportLink } from '@broadsheet/management';
import { type BlogVisit, mayManage, panelPath } from '../access/visit.ts';
import { DraftInput, type Typed, typedOf } from '../layout/drafts.tsx';
import { Button, Form, LinkButton, ProblemList, type Problems } from '../layout/form.tsx';
import { Page, Secret, Section } from '../layout/page.tsx';
import { type Columns, numberColumn, RowLink, Table } from '../layout/table.tsx';
import { DeleteButton } from '../pages/bin.tsx';
import { outlookOf, Progress, viewableColumns } from './progress.tsx';
import { Share } from './share.tsx';

const NEW = { kind: 'paid', pace: 'even' } as const;
const LABELS = Object.fromEntries(CAMPAIGN_FIELDS.map(({ name, label }) => [name, label]));

export const fieldsOf = (campaign: Partial<SnapshotCampaign> = NEW): Typed<CampaignFieldName> =>
  typedOf(CAMPAIGN_FIELDS, {
    ...campaign,
    goalImpressions: campaign.goal?.impressions,
    goalClicks: campaign.goal?.clicks,
  });

interface CampaignFormProps {
  visit: BlogVisit;
  fields: Typed<CampaignFieldName>;
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

interface CampaignPageProps extends CampaignFormProps {
  report: CampaignReport;
  links: readonly ReportLink[];
  newLink?: string;
}

/** A campaign with its figures, its ads, its report links, and its form. */
export function CampaignPage({ report, links, newLink, ...form }: CampaignPageProps) {
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
      {newLink !== undefined && (
        <Secret name="the link" value={newLink}>
          Send this link to the sponsor. It is not shown again.
        </Secret>
      )}
      <p class="lead">
        {campaign.sponsor} · Valid impressions: {numbers.count(report.impressions)} · Clicks:{' '}
        {numbers.count(report.clicks)} · CTR: {numbers.percent(report.ctr)}
      </p>
      <p>
        <Progress figures={report} numbers={numbers} /> {outlookOf(report, numbers)}
      </p>
      <Section
        id="ads"
        title="Ads"
        lead={mayManage(visit) && <LinkButton kind="small" to={newAd} name="New ad in this campaign" />}
      >
        <Table
          caption="Ads"
          url={url}
          sort="impressions"
          columns={adColumns(visit)}
          rows={report.ads}
          empty="No ads yet. Nothing is delivered for this campaign until it has an ad."
        />
      </Section>
      {mayManage(visit) && <Share visit={visit} campaign={campaign.id} links={links} />}
      <Section id="edit" title={mayManage(visit) ? 'Edit' : 'Details'}>
        <CampaignForm {...form} />
      </Section>
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
      cell: ({ id, title, format }) => <RowLink to={panelPath(blog.id, 'ads', id)} name={title} note={format} />,
    },
    numberColumn({ key: 'impressions', name: 'Valid impressions' }, ({ impressions }) => impressions, numbers.count),
    ...viewableColumns(numbers),
    numberColumn({ key: 'clicks', name: 'Clicks' }, ({ clicks }) => clicks, numbers.count),
    numberColumn({ key: 'ctr', name: 'CTR' }, ({ ctr }) => ctr, numbers.percent),
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
