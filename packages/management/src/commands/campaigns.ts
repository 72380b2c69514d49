import { defaultsOf, flag, LIMITS, optional, SnapshotCampaign, text } from '@broadsheet/contract';
import { dayOf } from '@broadsheet/core';
import { randomText } from '@broadsheet/store';
import { type CampaignFigures, type CampaignReport, listCampaigns, readCampaign } from '../figures/campaigns.ts';
import { notFound, OperationError } from '../operations/operation-error.ts';
import { readExpiry } from '../operations/timestamps.ts';
import { deleteRow, restoreRow } from './bin.ts';
import { command, flagged, type ValuesOf } from './command.ts';
import { draftRows } from './drafts.ts';
import { requireScope } from './effects.ts';
import { CAMPAIGN_FIELDS } from './fields.ts';
import { cellsOf, dayTable, percent, tablesByKind, totalsTable } from './figures.ts';
import { idOf, KINDS, named, requireItem } from './items.ts';
import { readCampaignDraft } from './read-draft.ts';
import { readServerUrl } from './server-url.ts';
import { type Printed, table } from './text-table.ts';

const ADS = ['ads'] as const;
const FIGURES = ['ads', 'stats'] as const;
const EXAMPLE = `news ${KINDS.campaign.sample}`;

const drafts = draftRows({
  kind: 'campaign',
  touches: ['campaigns'],
  fields: CAMPAIGN_FIELDS,
  examples: {
    add: ['--sponsor "Tea & Co" --name Spring --goal-impressions 1000 --to 2030-12-24 --placement top'],
    edit: ['--goal-impressions 2000'],
  },
  create: (id): SnapshotCampaign => ({ ...defaultsOf(SnapshotCampaign), id, sponsor: '', name: '' }),
  fieldsOf: campaignFields,
  read: readCampaignDraft,
  put: ({ store, blog }, campaign) => store.putCampaign(blog, campaign),
});

/** The values of the fields of a campaign, two of which are in its goal. */
export function campaignFields({ goal, ...campaign }: SnapshotCampaign): Readonly<Record<string, unknown>> {
  return { ...campaign, goalImpressions: goal?.impressions, goalClicks: goal?.clicks };
}

/** The arguments of a report, and of the links to it. */
const REPORT = {
  campaign: idOf('campaign'),
  url: flagged(optional(text(LIMITS.url)), 'url', 'URL of the server (default: PUBLIC_URL)'),
  link: flagged(optional(flag), '', 'also create a link, which anyone can open'),
  expires: flagged(
    optional(text({ max: 100 })),
    'time',
    'also create a link that expires: days such as 90d, a date or a date-time',
  ),
  showPace: flagged(optional(flag), '', 'with a link: its report also says how far the campaign is ahead or behind'),
  links: flagged(optional(flag), '', 'list the links instead'),
  revoke: flagged(optional(text({ max: 100 })), 'link', 'revoke the link with this id instead'),
};

/** The commands for campaigns. */
export const campaigns = {
  'campaigns.list': command({
    effect: 'read',
    help: 'list the campaigns of a blog with their figures',
    scopes: FIGURES,
    args: {},
    run: ({ store, blog, now }) => listCampaigns(store, blog, now),
    text(all, _, blog) {
      if (all.length === 0) {
        return `${blog} has no campaigns yet; "broadsheet campaigns add ${blog} --sponsor … --name …" adds one.`;
      }
      return tablesByKind(
        { CAMPAIGN: 'id', SPONSOR: 'text', NAME: 'text', STATE: 'text', GOAL: 'text' },
        all,
        ({ campaign: { kind } }) => kind,
        (figures) => {
          const { campaign: of, state } = figures;
          return [of.id, of.sponsor, of.name, state, goalOf(figures)];
        },
      );
    },
  }),
  'campaigns.add': drafts.add,
  'campaigns.edit': drafts.edit,
  'campaigns.pause': pauseRow(true),
  'campaigns.resume': pauseRow(false),
  'campaigns.delete': deleteRow('campaign'),
  'campaigns.restore': restoreRow('campaign'),
  'campaigns.report': command({
    effect: 'write',
    touches: ['report links'],
    help: 'show the figures of a campaign, or create, list and revoke links to its report for the sponsor',
    examples: [`campaigns report ${EXAMPLE} --expires 90d`, `campaigns report ${EXAMPLE} --links`],
    scopes: FIGURES,
    args: REPORT,
    isRead: (args) => !createsLink(args) && args.revoke === undefined,
    async run({ store, blog, now, actor, hasPages }, args) {
      const { campaign: id, links = false, revoke, showPace = false, url = '', expires } = args;
      const isNew = createsLink(args);
      const key = { blog, campaign: id };
      if ([isNew, links, revoke !== undefined].filter(Boolean).length > 1) {
        throw new OperationError('Use only one of --link or --expires, --links, and --revoke.');
      }
      if (showPace && !isNew) throw new OperationError('--show-pace is for a new link: add --link or --expires.');
      if (isNew || links || revoke !== undefined) requireScope(actor, ADS, 'a link to a report');
      if (links || revoke !== undefined) {
        const campaign = await requireItem(store, 'campaign', blog, id);
        if (revoke === undefined) return store.listReportLinks(key, now);
        if (await store.revokeReportLink(key, revoke)) return { campaign, link: revoke, revoked: true };
        const message = `The campaign has no link ${JSON.stringify(revoke)}; it may be revoked already.`;
        throw new OperationError(message, 'NOT_FOUND');
      }
      if (!isNew) return readCampaign(store, blog, id, now);
      if (!hasPages) {
        throw new OperationError('A deployment on Workers has no report pages: leave out --link and --expires.');
      }
      const server = readServerUrl('url', url);
      const token = randomText();
      const report = await readCampaign(store, blog, id, now);
      const expiresAt = readExpiry('expires', expires, { now, timeZone: report.timeZone });
      const added = await store.addReportLink(key, token, now, { expiresAt, showsPace: showPace });
      const linkId = (added ?? notFound(blog, 'campaign', id)).id;
      return { ...report, link: `${server}/report/${token}`, linkId, expiresAt };
    },
    hasTimes: true,
    text(result, { campaign: id }, _, written) {
      if ('revoked' in result) return `Revoked the link ${result.link}: its page is no longer found.`;
      if ('days' in result) return reportText(result);
      return table(
        { LINK: 'id', CREATED: 'text', EXPIRES: 'text' },
        result.map(({ id: link, createdAt, expiresAt }) => [link, written(createdAt), written(expiresAt)]),
        `The report of ${id} has no links.`,
      );
    },
    log(result) {
      if ('revoked' in result) return `revoked a link to the report of the campaign ${named(result.campaign)}`;
      return 'linkId' in result ? `shared the report of the campaign ${named(result.campaign)}` : undefined;
    },
  }),
};

function pauseRow(paused: boolean) {
  const [action, done] = paused ? ['pause', 'paused'] : ['resume', 'resumed'];
  return command({
    effect: 'write',
    touches: ['campaigns'],
    help: `${action} a campaign, with all its ads`,
    scopes: ADS,
    args: { campaign: idOf('campaign') },
    async run({ store, blog }, { campaign: id }): Promise<SnapshotCampaign> {
      const before = await requireItem(store, 'campaign', blog, id);
      if ((before.paused ?? false) === paused) return before;
      const { paused: _, ...others } = before;
      const after = paused ? { ...others, paused } : others;
      await store.putCampaign(blog, after);
      return after;
    },
    log: (changed) => `${done} the campaign ${named(changed)}`,
  });
}

/** `1,000 impressions, 42 %` */
function goalOf({ campaign: { goal }, progress = 0 }: CampaignFigures): string {
  if (!goal) return '';
  const [wanted, what] = goal.clicks === undefined ? [goal.impressions, 'impressions'] : [goal.clicks, 'clicks'];
  return `${wanted?.toLocaleString('en')} ${what}, ${Math.floor(progress * 100)} %`;
}

const createsLink = ({ link = false, expires }: ValuesOf<typeof REPORT>): boolean => link || expires !== undefined;

function reportText(report: CampaignReport & { readonly linkId?: string; readonly link?: string }): Printed {
  const { campaign: of, state, clicks, ctr, ads, days, excluded } = report;
  const day = (at: string) => dayOf(Date.parse(at), report.timeZone);
  const kind = of.kind === 'house' ? 'house, ' : '';
  const head = [
    `${of.sponsor ? `${of.sponsor}: ` : ''}${of.name} (${kind}${state})`,
    `Goal: ${goalOf(report) || 'none'}`,
  ];
  if (of.endsAt !== null) head.push(`Last day: ${day(of.endsAt)}`);
  if (of.placements) head.push(`Placements: ${of.placements.join(', ')}`);
  if (report.expectedAt) head.push(`The goal will be reached around ${day(report.expectedAt)}.`);
  const notCounted = excluded.map(({ reason, impressions }) => [reason, impressions]);
  const [, valid, viewable] = cellsOf(report).map((count) => count.toLocaleString('en'));
  head.push(`${valid} impressions, ${viewable} viewable, ${clicks.toLocaleString('en')} clicks, CTR ${percent(ctr)}`);
  return [
    head.join('\n'),
    ...totalsTable({ AD: 'text', FORMAT: 'text' }, ads, ({ title, format }) => [title, format]),
    ...dayTable(days, report.timeZone),
    ...totalsTable({ PLACEMENT: 'id' }, report.placements, ({ placement }) => [placement || '(none)']),
    ...(notCounted.length > 0 ? [table({ 'NOT COUNTED': 'text', IMPRESSIONS: 'text' }, notCounted)] : []),
    ...(report.link ? [`Anyone with this link (${report.linkId}) can see the report:\n${report.link}`] : []),
  ];
}
