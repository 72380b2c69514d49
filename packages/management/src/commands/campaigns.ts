import { defaultsOf, flag, LIMITS, optional, SnapshotCampaign, text } from '@broadsheet/contract';
import { dayOf } from '@broadsheet/core';
import { randomText } from '@broadsheet/store';
import type { ReportLink } from '../campaigns/report-links.ts';
import { type CampaignFigures, type CampaignReport, listCampaigns, readCampaign } from '../figures/campaigns.ts';
import { named, notFound, requireItem } from '../operations/items.ts';
import { OperationError } from '../operations/operation-error.ts';
import { readExpiry } from '../operations/timestamps.ts';
import { deleteRow, restoreRow } from './bin.ts';
import { type CommandContext, command, flagged, type ValuesOf } from './command.ts';
import { draftRows } from './drafts.ts';
import { CAMPAIGN_FIELDS } from './fields.ts';
import { COUNTED, cellsOf, dayHeading, percent, tablesByKind } from './figures.ts';
import { idOf, KINDS } from './items.ts';
import { readCampaignDraft } from './read-draft.ts';
import { requireScope } from './run-command.ts';
import { readServerUrl } from './server-url.ts';
import { table } from './text-table.ts';

const ADS = ['ads'] as const;
const FIGURES = ['ads', 'stats'] as const;
const EXAMPLE = `news ${KINDS.campaign.sample}`;

const drafts = draftRows({
  kind: 'campaign',
  fields: CAMPAIGN_FIELDS,
  examples: {
    add: ['--sponsor "Tea & Co" --name Spring --goal-impressions 1000 --to 2030-12-24 --placement top'],
    edit: ['--goal-impressions 2000'],
  },
  create: (id): SnapshotCampaign => ({ ...defaultsOf(SnapshotCampaign), id, sponsor: '', name: '' }),
  read: readCampaignDraft,
  put: (store, blog, item, before) => store.putCampaign(blog, item, before),
});

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

/** What operators do with campaigns. */
export const campaigns = {
  'campaigns.list': command({
    help: 'list the campaigns of a blog with their figures',
    scopes: FIGURES,
    args: {},
    run: ({ store, blog, now }) => listCampaigns(store, blog, now),
    text(all, _, blog) {
      if (all.length === 0) {
        return `${blog} has no campaigns yet; "broadsheet campaigns add ${blog} --sponsor … --name …" adds one.`;
      }
      const write = (some: typeof all, heading: string) => {
        const rows = some.map((figures) => {
          const { campaign: of, state } = figures;
          return [of.id, of.sponsor, of.name, state, ...cellsOf(figures), goalOf(figures)];
        });
        return table([heading, 'SPONSOR', 'NAME', 'STATE', ...COUNTED, 'GOAL'], rows);
      };
      return tablesByKind(all, ({ campaign: { kind } }) => kind, write).join('\n');
    },
  }),
  'campaigns.add': drafts.add,
  'campaigns.edit': drafts.edit,
  'campaigns.pause': pauseRow(true),
  'campaigns.resume': pauseRow(false),
  'campaigns.delete': deleteRow('campaign'),
  'campaigns.restore': restoreRow('campaign'),
  'campaigns.report': command({
    help: 'show the figures of a campaign, or create, list and revoke links to its report for the sponsor',
    examples: [`campaigns report ${EXAMPLE} --expires 90d`, `campaigns report ${EXAMPLE} --links`],
    scopes: FIGURES,
    args: REPORT,
    isRead: (args) => !createsLink(args) && args.revoke === undefined,
    run(context, args): Promise<CampaignReport | SharedReport | RevokedLink | readonly ReportLink[]> {
      const { links, revoke } = args;
      if ([createsLink(args), links, revoke !== undefined].filter(Boolean).length > 1) {
        throw new OperationError('Give only one of --link or --expires, --links, and --revoke.');
      }
      if (args.showPace && !createsLink(args))
        throw new OperationError('--show-pace is for a new link: add --link or --expires.');
      if (!createsLink(args) && !links && revoke === undefined) {
        return readCampaign(context.store, context.blog, args.campaign, context.now);
      }
      requireScope(context.actor, ADS, 'a link to a report');
      if (revoke !== undefined) return revokeLink(context, args.campaign, revoke);
      return links ? listLinks(context, args.campaign) : share(context, args);
    },
    hasTimes: true,
    text(result, { campaign: id }, _, written) {
      if ('revoked' in result) return `Revoked the link ${result.link}: its page is no longer found.`;
      if ('days' in result) return reportText(result);
      return table(
        ['LINK', 'CREATED', 'EXPIRES'],
        result.map(({ id: link, createdAt, expiresAt }) => [
          link,
          written(createdAt),
          expiresAt === null ? 'never' : written(expiresAt),
        ]),
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
  const [action, done] = paused ? ['pause', 'Paused'] : ['resume', 'Resumed'];
  return command({
    help: `${action} a campaign, with all its ads`,
    scopes: ADS,
    args: { campaign: idOf('campaign') },
    async run({ store, blog }, { campaign: id }): Promise<SnapshotCampaign> {
      for (;;) {
        const before = await requireItem(store, 'campaign', blog, id);
        const { paused: _, ...others } = before;
        const after = paused ? { ...others, paused } : others;
        // After a concurrent write, the change is applied again, to its result.
        if (await store.putCampaign(blog, after, before)) return after;
      }
    },
    text: ({ id }) => `${done} ${id}.`,
    log: (changed) => `${done.toLowerCase()} the campaign ${named(changed)}`,
  });
}

/** `1,000 impressions, 42 %` */
function goalOf({ campaign: { goal }, progress = 0 }: CampaignFigures): string {
  if (!goal) return '';
  const [wanted, what] = goal.clicks === undefined ? [goal.impressions, 'impressions'] : [goal.clicks, 'clicks'];
  return `${wanted?.toLocaleString('en')} ${what}, ${Math.floor(progress * 100)} %`;
}

/** A report, and a new link to it. */
export interface SharedReport extends CampaignReport {
  readonly link: string;
  readonly linkId: string;
  readonly expiresAt: string | null;
}

export interface RevokedLink {
  readonly campaign: SnapshotCampaign;
  readonly link: string;
  readonly revoked: true;
}

const createsLink = ({ link = false, expires }: ValuesOf<typeof REPORT>): boolean => link || expires !== undefined;

async function share(
  context: CommandContext,
  { campaign: id, url = '', expires, showPace = false }: ValuesOf<typeof REPORT>,
): Promise<SharedReport> {
  const { store, blog, now, hasPages } = context;
  if (!hasPages) {
    throw new OperationError('A deployment on Workers has no pages of reports: leave out --link and --expires.');
  }
  const server = readServerUrl('url', url);
  const report = await readCampaign(store, blog, id, now);
  const token = randomText();
  const until = readExpiry('expires', expires, { now, timeZone: report.timeZone });
  const added = await store.addReportLink({ blog, campaign: id }, token, now, {
    expiresAt: until,
    showsPace: showPace,
  });
  const { id: linkId, expiresAt } = added ?? notFound(blog, 'campaign', id);
  return { ...report, link: `${server}/report/${token}`, linkId, expiresAt };
}

async function listLinks({ store, blog, now }: CommandContext, id: string): Promise<readonly ReportLink[]> {
  await requireItem(store, 'campaign', blog, id);
  return store.listReportLinks({ blog, campaign: id }, now);
}

async function revokeLink({ store, blog }: CommandContext, id: string, link: string): Promise<RevokedLink> {
  const of = await requireItem(store, 'campaign', blog, id);
  if (await store.revokeReportLink({ blog, campaign: id }, link)) return { campaign: of, link, revoked: true };
  const message = `The campaign has no link ${JSON.stringify(link)}; it may be revoked already.`;
  throw new OperationError(message, 'NOT_FOUND');
}

function reportText(report: CampaignReport | SharedReport): string {
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
  const [, valid, viewable] = cellsOf(report).map((count) => count.toLocaleString('en'));
  head.push(`${valid} impressions, ${viewable} viewable, ${clicks.toLocaleString('en')} clicks, CTR ${percent(ctr)}`);
  const ofAds = ads.map((ad) => [ad.title, ad.format, ...cellsOf(ad)]);
  const ofDays = days.map((day) => [day.day, ...cellsOf(day)]);
  const places = report.placements.map((place) => [place.placement || '(none)', ...cellsOf(place)]);
  const notCounted = excluded.map(({ reason, impressions }) => [reason, impressions]);
  return [
    head.join('\n'),
    table(['AD', 'FORMAT', ...COUNTED], ofAds),
    table([dayHeading(report.timeZone), ...COUNTED], ofDays),
    ...(places.length > 0 ? [table(['PLACEMENT', ...COUNTED], places)] : []),
    ...(notCounted.length > 0 ? [table(['NOT COUNTED', 'IMPRESSIONS'], notCounted)] : []),
    ...('linkId' in report ? [`Anyone with this link (${report.linkId}) can see the report:\n${report.link}`] : []),
  ].join('\n\n');
}
