import {
  addCampaign as add,
  CAMPAIGN_FIELDS,
  type CampaignDraft,
  type CampaignFigures,
  type CampaignReport,
  editCampaign as edit,
  listCampaigns as list,
  OperationError,
  readCampaign,
  requireCampaign,
  revokeReport,
  type ServerStore,
  shareReport,
} from '@broadsheet/management';
import { newPanelToken } from '@broadsheet/panel';
import { type CommandFlags, withOwnStore, withStore } from '../database/database.ts';
import { dayHeading, percent, SEEN, seen } from '../program/figures.ts';
import { changesOf, draftOf, type FieldFlags } from '../program/flags.ts';
import { printResult } from '../program/output.ts';
import { table } from '../program/table.ts';
import { logChange, requireUrl } from './panel.ts';

export async function listCampaigns(blog: string, flags: CommandFlags): Promise<void> {
  const campaigns = await withStore(flags, {}, (store) => list(store, blog, Date.now()));
  const rows = campaigns.map((figures) => {
    const { campaign, state, delivered, clicks } = figures;
    return [campaign.id, campaign.sponsor, campaign.name, state, delivered, ...seen(figures), clicks, goalOf(figures)];
  });
  const headings = ['CAMPAIGN', 'SPONSOR', 'NAME', 'STATE', 'IMPRESSIONS', ...SEEN, 'CLICKS', 'GOAL'];
  const none = `${blog} has no campaigns yet; "broadsheet campaigns add ${blog} --sponsor … --name …" adds one.`;
  printResult(flags, campaigns, rows.length > 0 ? table(headings, rows) : none);
}

/** `1,000 impressions, 42 %` */
function goalOf({ campaign: { goal }, progress = 0 }: CampaignFigures): string {
  if (!goal) return '';
  const [wanted, what] = goal.clicks === undefined ? [goal.impressions, 'impressions'] : [goal.clicks, 'clicks'];
  return `${wanted?.toLocaleString('en')} ${what}, ${Math.floor(progress * 100)} %`;
}

export async function addCampaign(blog: string, flags: FieldFlags): Promise<void> {
  const draft: CampaignDraft = draftOf(CAMPAIGN_FIELDS, flags);
  const campaign = await withStore(flags, {}, (store) => add(store, blog, draft, Date.now()));
  printResult(flags, campaign, `Added ${campaign.id}.`);
}

export async function editCampaign(blog: string, id: string, flags: FieldFlags): Promise<void> {
  const changes: CampaignDraft = draftOf(CAMPAIGN_FIELDS, flags);
  if (Object.keys(changes).length === 0) {
    throw new OperationError('Nothing to change: give at least one of the flags that --help lists.');
  }
  const { before, after } = await withStore(flags, {}, (store) => edit(store, { blog, id }, changes, Date.now()));
  printResult(flags, after, changesOf(id, before, after));
}

type ReportFlags = CommandFlags & {
  readonly url: string;
  readonly expires?: string;
  readonly link: boolean;
  readonly links?: boolean;
  readonly revoke?: string;
};

export async function reportCampaign(blog: string, id: string, flags: ReportFlags): Promise<void> {
  if (flags.links) return listLinks(blog, id, flags);
  if (flags.revoke !== undefined) return revokeLink(blog, id, flags.revoke, flags);
  const { report, shared } = await withStore(flags, {}, async (store) => {
    const report = await readCampaign(store, blog, id, Date.now());
    // A deployment has no pages of reports.
    return { report, shared: flags.link && isServerStore(store) ? await share(store, report, flags) : undefined };
  });
  const link = shared ? `\n\nAnyone with this link (${shared.linkId}) can see the report:\n${shared.link}` : '';
  printResult(flags, { ...report, ...shared }, reportText(report) + link);
}

const isServerStore = (store: object): store is ServerStore => 'addReportLink' in store;

async function share(store: ServerStore, { blog, campaign }: CampaignReport, { url, expires }: ReportFlags) {
  requireUrl(url);
  const [token, now] = [newPanelToken(), Date.now()];
  const { id: linkId, expiresAt } = await shareReport(store, { blog, campaign: campaign.id }, { token, expires }, now);
  await logChange(store, blog, `shared the report of the campaign “${campaign.name}”`);
  return { link: `${url.replace(/\/+$/, '')}/report/${token}`, linkId, expiresAt };
}

async function listLinks(blog: string, campaign: string, flags: ReportFlags): Promise<void> {
  const links = await withOwnStore(flags, async (store) => {
    await requireCampaign(store, blog, campaign);
    return store.listReportLinks({ blog, campaign }, Date.now());
  });
  const rows = links.map(({ id, createdAt, expiresAt }) => [id, createdAt, expiresAt ?? 'never']);
  const none = `The report of ${campaign} has no links.`;
  printResult(flags, links, rows.length > 0 ? table(['LINK', 'CREATED', 'EXPIRES'], rows) : none);
}

async function revokeLink(blog: string, id: string, link: string, flags: ReportFlags): Promise<void> {
  await withOwnStore(flags, async (store) => {
    const campaign = await requireCampaign(store, blog, id);
    await revokeReport(store, { blog, campaign: id }, link);
    await logChange(store, blog, `revoked a link to the report of the campaign “${campaign.name}”`);
  });
  printResult(flags, { link, revoked: true }, `Revoked the link ${link}: its page is no longer found.`);
}

function reportText(report: CampaignReport): string {
  const { campaign, state, clicks, ctr, ads, days, excluded } = report;
  const head = [`${campaign.sponsor}: ${campaign.name} (${state})`, `Goal: ${goalOf(report) || 'none'}`];
  if (report.expectedAt) head.push(`The goal will be reached around ${report.expectedAt.slice(0, 10)}.`);
  const [valid, viewable] = seen(report).map((count) => count.toLocaleString('en'));
  head.push(`${valid} impressions, ${viewable} viewable, ${clicks.toLocaleString('en')} clicks, CTR ${percent(ctr)}`);
  const ofAds = ads.map((ad) => [ad.title, ad.format, ad.delivered, ...seen(ad), ad.clicks, percent(ad.ctr)]);
  const ofDays = days.map((day) => [day.day, day.delivered, ...seen(day), day.clicks]);
  const notCounted = excluded.map(({ reason, impressions }) => [reason, impressions]);
  const tables = [
    table(['AD', 'FORMAT', 'IMPRESSIONS', ...SEEN, 'CLICKS', 'CTR'], ofAds),
    table([dayHeading(report.timeZone), 'IMPRESSIONS', ...SEEN, 'CLICKS'], ofDays),
    ...(notCounted.length > 0 ? [table(['NOT COUNTED', 'IMPRESSIONS'], notCounted)] : []),
  ];
  return [head.join('\n'), ...tables].join('\n\n');
}
