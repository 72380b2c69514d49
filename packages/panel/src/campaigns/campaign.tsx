import type { SnapshotCampaign } from '@broadsheet/contract';
import {
  CAMPAIGN_FIELDS,
  type CampaignFieldName,
  type CampaignReport,
  type PlacementTotal,
  planProblems,
  RECENT_DAYS,
  type ReportLink,
  type Total,
} from '@broadsheet/management';
import { blogPath, currentVisit, mayManage, type Visit } from '../access/visit.ts';
import { DraftInputs, labelsOf, type Typed, typedOf } from '../layout/drafts.tsx';
import { Button, Choices, Field, Form, FormButton, LinkButton } from '../layout/form.tsx';
import { Page, Section } from '../layout/page.tsx';
import { actionColumn, type Column, type Columns, Moment, numberColumn, RowLink, Table } from '../layout/table.tsx';
import { DeleteButton } from '../pages/bin.tsx';
import { clickColumns, ctrOf, outlookOf, Progress, viewableColumns } from './progress.tsx';

const NEW = { kind: 'paid', pace: 'even' } as const;
const LABELS = labelsOf(CAMPAIGN_FIELDS);

export const fieldsOf = (
  campaign: Partial<SnapshotCampaign> = NEW,
  { blog }: Pick<Visit, 'blog'> = currentVisit(),
): Typed<typeof CAMPAIGN_FIELDS> => {
  const goals = { goalImpressions: campaign.goal?.impressions, goalClicks: campaign.goal?.clicks };
  return typedOf(CAMPAIGN_FIELDS, { ...campaign, ...goals }, blog?.timeZone);
};

export const NewCampaign = ({ places }: Pick<CampaignPageProps, 'places'>) => (
  <Page title="New campaign" here="campaigns" labels={LABELS}>
    <CampaignForm typed={fieldsOf()} places={places} />
  </Page>
);

interface CampaignPageProps {
  report: CampaignReport;
  links: readonly ReportLink[];
  version: string;
  /** The placements of the blog. */
  places: readonly PlacementTotal[];
}

/** A campaign with its figures, its ads, its report links, and its form. */
export function CampaignPage({ report, links, version, places }: CampaignPageProps) {
  const { campaign, state } = report;
  const { numbers, now } = currentVisit();
  const outlook = outlookOf(report, numbers, now);
  const isEditable = mayManage() && state !== 'deleted';
  const id = encodeURIComponent(campaign.id);
  const lead = (
    <div class="actions">
      <span class={`state ${state}`}>{state}</span>
      <LinkButton kind="small" to={`${blogPath()}?campaign=${id}`} name="Show figures" />
      {isEditable && <PauseButton campaign={campaign} />}
      {isEditable && <DeleteButton kind="campaign" item={campaign} />}
    </div>
  );
  const newAd = <LinkButton kind="small" to={`${blogPath('ads.add')}?campaign=${id}`} name="New ad in this campaign" />;
  const none = 'No ads yet. Nothing is delivered for this campaign until it has an ad.';
  return (
    <Page title={campaign.name} here="campaigns" labels={LABELS} lead={lead}>
      <p class="lead">
        <bdi>{campaign.sponsor}</bdi> · Valid impressions: {numbers.count(report.impressions)} · Clicks:{' '}
        {numbers.count(report.clicks)} · CTR: {numbers.rate(ctrOf(report))}
      </p>
      <p>
        <Progress figures={report} numbers={numbers} />
        {outlook && ` · ${outlook}`}
      </p>
      {planProblems(campaign, report.valid, now).map((problem) => (
        <p class="warn">{problem}</p>
      ))}
      <Section id="ads" title="Ads" lead={isEditable && newAd}>
        <Table caption="Ads" sort="impressions" columns={adColumns()} rows={report.ads} empty={none} />
      </Section>
      {report.placements.some(({ placement }) => placement !== '') && (
        <Section id="by-placement" title="By placement">
          <Table
            caption="Figures by placement"
            parameter="by"
            sort="impressions"
            columns={[placementColumn, ...countColumns()]}
            rows={report.placements}
          />
        </Section>
      )}
      {isEditable && <Share campaign={campaign.id} links={links} />}
      {state !== 'deleted' && (
        <Section id="edit" title={mayManage() ? 'Edit' : 'Details'}>
          <CampaignForm
            typed={fieldsOf(campaign)}
            edited={{ campaign: campaign.id, version }}
            named={campaign.placements}
            places={places}
          />
        </Section>
      )}
    </Page>
  );
}

const PauseButton = ({ campaign: { id, paused } }: { campaign: SnapshotCampaign }) => (
  <FormButton
    to={paused ? 'campaigns.resume' : 'campaigns.pause'}
    kind="small"
    name={paused ? 'Resume' : 'Pause'}
    fields={{ campaign: id }}
  />
);

type AdRow = CampaignReport['ads'][number];

function adColumns(): Columns<AdRow> {
  return [
    {
      key: 'title',
      name: 'Ad',
      words: true,
      by: ({ title }) => title,
      cell: ({ id, title, format }) => {
        const figures = `${blogPath()}?ad=${encodeURIComponent(id)}`;
        return <RowLink to={format === 'deleted' ? figures : blogPath('ads', id)} name={title} note={format} />;
      },
    },
    ...countColumns(),
  ];
}

const placementColumn: Column<CampaignReport['placements'][number]> = {
  key: 'placement',
  name: 'Placement',
  words: true,
  by: ({ placement }) => placement || 'none',
};

function countColumns(): Column<Total>[] {
  const { numbers } = currentVisit();
  return [
    numberColumn({ key: 'impressions', name: 'Valid impressions' }, ({ impressions }) => impressions, numbers.count),
    ...viewableColumns(numbers),
    ...clickColumns(numbers),
  ];
}

interface CampaignFormProps extends Pick<CampaignPageProps, 'places'> {
  typed: Typed<typeof CAMPAIGN_FIELDS>;
  /** The campaign that is edited, and the version that the person has seen; a new one without it. */
  edited?: { readonly campaign: string; readonly version: string };
  /** The placements that the campaign names. */
  named?: readonly string[] | undefined;
}

function CampaignForm({ typed, edited, named, places }: CampaignFormProps) {
  const inputs = (...names: CampaignFieldName[]) => (
    <DraftInputs fields={CAMPAIGN_FIELDS} names={names} typed={typed} />
  );
  const form = { submit: 'Save', submitKind: 'first', cancel: blogPath('campaigns'), class: 'narrow' } as const;
  return (
    <Form to={edited ? 'campaigns.edit' : 'campaigns.add'} fields={edited} {...form}>
      {inputs('sponsor', 'name')}
      <div class="pair">{inputs('startsAt', 'endsAt')}</div>
      <div class="pair">{inputs('goalImpressions', 'goalClicks')}</div>
      <div class="pair">{inputs('perDay', 'pace')}</div>
      {inputs('kind')}
      <Placements named={named} places={places} />
    </Form>
  );
}

/** The number of placements to choose from; others can be typed. */
const MAX_PLACES = 30;

/** Which slots get the ads of a campaign; what they had recently is what the campaign may expect. */
function Placements({ named = [], places }: Pick<CampaignFormProps, 'named' | 'places'>) {
  const { numbers } = currentVisit();
  const known = places.slice(0, MAX_PLACES);
  const options = known.map(({ placement, impressions, requests }) => {
    const counts = `impressions ${numbers.count(impressions)}, requests ${numbers.count(requests)}`;
    const text = (
      <span>
        <bdi>{placement}</bdi>: {counts}
      </span>
    );
    return [placement, text] as const;
  });
  const others = named.filter((name) => !known.some(({ placement }) => placement === name));
  const hint =
    'Names of slots, one per line. With * at the end: all slots whose names start like that, such as letterpress-*. Without any placement, the ads are shown everywhere.';
  return (
    <>
      {known.length === 0 ? (
        <span id="placements" />
      ) : (
        <Choices
          legend={`${LABELS['placements']}, with their figures of the last ${RECENT_DAYS} days`}
          type="checkbox"
          name="placements"
          options={options}
          chosen={named}
        />
      )}
      <Field
        name="otherPlacements"
        of="placements"
        label={known.length === 0 ? (LABELS['placements'] ?? '') : 'Other placements'}
        hint={hint}
        value={others.join('\n')}
        rows={2}
      />
    </>
  );
}

interface ShareProps {
  /** The id of the campaign. */
  campaign: string;
  links: readonly ReportLink[];
}

const EXPIRIES = [
  ['', 'never'],
  ['30d', 'in 30 days'],
  ['90d', 'in 90 days'],
  ['365d', 'in a year'],
] as const;

function Share({ campaign, links }: ShareProps) {
  const columns: Columns<ReportLink> = [
    { name: 'Link', cell: ({ id }) => <code>{id}</code> },
    { name: 'Created', spare: true, cell: ({ createdAt }) => <Moment at={createdAt} /> },
    { name: 'Expires', cell: ({ expiresAt }) => (expiresAt ? <Moment at={expiresAt} /> : 'never') },
    actionColumn(({ id }) => {
      const button = { kind: 'small danger', name: 'Revoke', about: id } as const;
      return <FormButton to="campaigns.report" fields={{ campaign, revoke: id }} {...button} />;
    }),
  ];
  return (
    <Section id="share" title="Share">
      <p>
        A report link shows the ads and the figures of this campaign, and nothing else, to everybody who has it, without
        signing in.
      </p>
      {links.length > 0 && <Table caption="Report links" columns={columns} rows={links} />}
      <Form to="campaigns.report" fields={{ campaign }} class="narrow">
        <Field name="expires" label="Expires" value="" options={EXPIRIES} />
        <Choices
          legend="In the report"
          type="checkbox"
          name="showPace"
          options={[['true', 'say how far the campaign is ahead or behind']]}
          chosen={[]}
        />
        <Button name="Share report" />
      </Form>
    </Section>
  );
}
