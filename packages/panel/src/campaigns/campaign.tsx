import type { SnapshotCampaign } from '@broadsheet/contract';
import {
  CAMPAIGN_FIELDS,
  type CampaignFieldName,
  type CampaignReport,
  campaignFields,
  type PlacementTotal,
  planProblems,
  RECENT_DAYS,
  readCampaign,
  recentPlacements,
  shownText,
} from '@broadsheet/management';
import type { ReportLink } from '@broadsheet/store';
import { commandForms } from '../access/command-forms.ts';
import { managersOnly } from '../access/guard.tsx';
import { send } from '../access/send.tsx';
import { type FormFields, SEEN, textOf, textsOf } from '../access/sent.ts';
import { blogPath, currentNumbers, currentVisit, mayManage, partOf, type Routes } from '../access/visit.ts';
import { ctrOf, figureColumns } from '../figures/columns.ts';
import { DraftInputs, labelsOf } from '../layout/drafts.tsx';
import { Button, Choices, Field, Form, FormButton, Seen } from '../layout/form.tsx';
import { Page, Section } from '../layout/page.tsx';
import { actionColumn, type Columns, Moment, RowLink, State, Table } from '../layout/table.tsx';
import { DeleteButton } from '../pages/bin.tsx';
import { outlookOf, Progress } from './progress.tsx';

export const campaignRoutes: Routes = (app, options) => {
  const { store } = options;
  app.get('/panel/:blog/campaigns.add', managersOnly, async (c) => {
    const { blog, now } = c.get('blogVisit');
    return send(
      c,
      <Page title="New campaign" here="campaigns" labels={LABELS}>
        <CampaignForm places={await recentPlacements(store, blog, now)} />
      </Page>,
    );
  });

  app.get('/panel/:blog/campaigns/:campaign', async (c) => {
    const visit = c.get('blogVisit');
    const key = { blog: visit.blog.id, campaign: partOf(c, 'campaign') };
    const report = await readCampaign(store, key.blog, key.campaign, visit.now);
    const links = mayManage(visit) ? await store.listReportLinks(key, visit.now) : [];
    const places = await recentPlacements(store, visit.blog, visit.now);
    return send(c, <CampaignPage {...{ report, links, places }} />);
  });

  commandForms(app, options, 'campaigns.add', {
    'campaigns.add': {
      args: ({ form, typed }) => ({ ...typed, ...placementsIn(form) }),
      shows: ({ id }: SnapshotCampaign, { path }) => ({ to: path('campaigns', id), done: 'saved' }),
    },
  });
  commandForms(app, options, 'campaigns/:campaign', {
    'campaigns.edit': {
      args: ({ form, typed: { placements: _, ...typed } }) => ({ ...typed, ...placementsIn(form) }),
      shows: { done: 'saved' },
    },
    'campaigns.pause': { shows: { done: 'interrupted' } },
    'campaigns.resume': { shows: { done: 'continued' } },
    'campaigns.report': {
      args: ({ typed, visit }) => ('revoke' in typed ? typed : { ...typed, link: true, url: visit.origin }),
      shows: ({ link, linkId }: { readonly link: string; readonly linkId?: string }) => {
        const text = 'Send this link to the sponsor. It will not be shown again.';
        return linkId === undefined ? { done: 'revoked' } : { secret: { name: 'the link', value: link, text } };
      },
    },
  });
};

/** The placements of a form: those that were chosen, and others, one per line. A form without the field has none. */
function placementsIn(form: FormFields): { readonly placements?: readonly string[] } {
  const others = textsOf(form, 'otherPlacements');
  if (others.length === 0) return {};
  const typed = others.flatMap((text) => text.split('\n')).map((line) => line.trim());
  const placements = [...new Set([...textsOf(form, 'placements'), ...typed.filter((line) => line !== '')])];
  // The boxes are not in the order in which the placements were stored.
  const seen = textOf(form, `${SEEN}placements`).split('\n');
  return { placements: placements.toSorted((one, other) => placeIn(seen, one) - placeIn(seen, other)) };
}

const placeIn = (seen: readonly string[], name: string): number => (seen.indexOf(name) + 1 || seen.length + 1) - 1;

/** Whether the placements of a form differ from those that its page showed. */
const changesPlacements = (form: FormFields): boolean =>
  shownText(placementsIn(form).placements) !== textOf(form, `${SEEN}placements`);

const NEW = { kind: 'paid', pace: 'even' } as const;
const LABELS = labelsOf(CAMPAIGN_FIELDS);

interface CampaignPageProps {
  report: CampaignReport;
  links: readonly ReportLink[];
  places: readonly PlacementTotal[];
}

function CampaignPage({ report, links, places }: CampaignPageProps) {
  const { campaign, state } = report;
  const [numbers, { now }] = [currentNumbers(), currentVisit()];
  const outlook = outlookOf(report, numbers, now);
  const isEditable = mayManage() && state !== 'deleted';
  const id = encodeURIComponent(campaign.id);
  const lead = (
    <div class="actions">
      <State is={state} />
      <Button kind="small" to={`${blogPath()}?campaign=${id}`} name="Show figures" />
      {isEditable && <PauseButton campaign={campaign} />}
      {isEditable && <DeleteButton kind="campaign" item={campaign} />}
    </div>
  );
  const newAd = <Button kind="small" to={`${blogPath('ads.add')}?campaign=${id}`} name="New ad in this campaign" />;
  const none = 'No ads yet. Nothing is delivered for this campaign until it has an ad.';
  return (
    <Page title={campaign.name} here="campaigns" labels={LABELS} lead={lead}>
      <p class="lead">
        <bdi>{campaign.sponsor}</bdi> · Valid impressions: {numbers.count(report.impressions)} · Clicks:{' '}
        {numbers.count(report.clicks)} · CTR: {numbers.rate(ctrOf(report))}
      </p>
      <p>
        <Progress goal={campaign.goal} total={report} />
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
            columns={placementColumns()}
            rows={report.placements}
          />
        </Section>
      )}
      {isEditable && <Share campaign={campaign.id} links={links} />}
      {state !== 'deleted' && (
        <Section id="edit" title={mayManage() ? 'Edit' : 'Details'}>
          <CampaignForm campaign={campaign} places={places} />
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

function adColumns(): Columns<CampaignReport['ads'][number]> {
  return [
    {
      name: 'Ad',
      wraps: true,
      by: ({ title }) => title,
      cell: ({ id, title, format }) => {
        const figures = `${blogPath()}?ad=${encodeURIComponent(id)}`;
        return <RowLink to={format === 'deleted' ? figures : blogPath('ads', id)} name={title} note={format} />;
      },
    },
    ...countColumns(),
  ];
}

const placementColumns = (): Columns<CampaignReport['placements'][number]> => [
  { name: 'Placement', wraps: true, by: ({ placement }) => placement || 'none' },
  ...countColumns(),
];

function countColumns() {
  const { delivered: _, valid, ...columns } = figureColumns();
  return [{ ...valid, name: 'Valid' }, ...Object.values(columns)];
}

interface CampaignFormProps extends Pick<CampaignPageProps, 'places'> {
  /** The edited campaign; absent for a new one. */
  campaign?: SnapshotCampaign;
}

function CampaignForm({ campaign, places }: CampaignFormProps) {
  const values = campaign ? campaignFields(campaign) : NEW;
  const inputs = (...names: CampaignFieldName[]) => (
    <DraftInputs fields={CAMPAIGN_FIELDS} names={names} values={values} />
  );
  const form = { submit: 'Save', submitKind: 'first', cancel: blogPath('campaigns'), class: 'narrow' } as const;
  return (
    <Form to={campaign ? 'campaigns.edit' : 'campaigns.add'} fields={campaign && { campaign: campaign.id }} {...form}>
      {inputs('sponsor', 'name')}
      <div class="pair">{inputs('startsAt', 'endsAt')}</div>
      <div class="pair">{inputs('goalImpressions', 'goalClicks')}</div>
      <div class="pair">{inputs('perDay', 'pace')}</div>
      {inputs('kind')}
      <Placements named={campaign?.placements} places={places} />
    </Form>
  );
}

/** The number of placements to choose from; others can be typed. */
const MAX_PLACES = 30;

interface PlacementsProps extends Pick<CampaignPageProps, 'places'> {
  named?: readonly string[] | undefined;
}

/** Selects the slots that get the ads of a campaign. Their recent figures show what the campaign can expect. */
function Placements({ named = [], places }: PlacementsProps) {
  const numbers = currentNumbers();
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
    'Names of slots, one per line. A * at the end matches every slot whose name starts that way, such as letterpress-*. Without placements, the ads are shown in all slots.';
  return (
    <>
      {known.length === 0 ? (
        <span id="placements">
          <Seen name="placements" value={shownText(named)} />
        </span>
      ) : (
        <Choices
          legend={`${LABELS['placements']}, with their figures for the last ${RECENT_DAYS} days`}
          type="checkbox"
          name="placements"
          options={options}
          chosen={named}
          isChanged={changesPlacements}
        />
      )}
      <Field
        name="otherPlacements"
        of="placements"
        label={known.length === 0 ? (LABELS['placements'] ?? '') : 'Other placements'}
        hint={hint}
        value={others.join('\n')}
        isChanged={changesPlacements}
        rows={2}
      />
    </>
  );
}

const EXPIRIES = [
  ['', 'never'],
  ['30d', 'in 30 days'],
  ['90d', 'in 90 days'],
  ['365d', 'in a year'],
] as const;

function Share({ campaign, links }: { campaign: string; links: readonly ReportLink[] }) {
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
