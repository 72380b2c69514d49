import { defaultsOf, SnapshotCampaign, type SnapshotInput } from '@broadsheet/contract';
import { type CampaignCount, type DayCount, dayOf, type TrafficCount } from '@broadsheet/core';
import { adName, sha256Hex } from '@broadsheet/store';
import { missing, requireBlog } from '../operations/blogs.ts';
import { OperationError } from '../operations/operation-error.ts';
import type { ManagedStore } from '../remote/verbs.ts';
import { readCampaignDraft } from './campaign-draft.ts';
import type { CampaignDraft } from './campaign-fields.ts';

const DAY = 24 * 60 * 60 * 1000;
/** The number of past days on which the estimate of when a goal is reached is based. */
const RECENT = 7;

/** Whether a campaign delivers now: it is running, has not started, is over, or has reached its goal. */
export type CampaignState = 'running' | 'waiting' | 'ended' | 'reached';

/** What was delivered and seen. */
export interface Total {
  readonly impressions: number;
  /** All impressions, including those that do not come from readers. */
  readonly delivered: number;
  /** The impressions that come from readers. */
  readonly valid: number;
  /** The valid impressions of which half was visible for a second. */
  readonly viewable: number;
  /** Viewable divided by valid impressions; `null` if no viewable impression of the blog was ever reported. */
  readonly viewableRate: number | null;
  readonly clicks: number;
  /** Clicks divided by impressions; 0 without impressions. */
  readonly ctr: number;
}

/** A campaign with its figures; its `impressions` are the valid ones. */
export interface CampaignFigures extends Total {
  readonly campaign: SnapshotCampaign;
  readonly state: CampaignState;
  /** The reached share of the goal; absent without a goal. */
  readonly progress?: number;
  /** The elapsed share of its time; absent unless it has a start and an end. */
  readonly timePassed?: number;
  /** When the goal will be reached at the rate of the last seven days; absent without a goal or without progress. */
  readonly expectedAt?: string;
}

/** A campaign with its figures by ad and by day. */
export interface CampaignReport extends CampaignFigures {
  readonly blog: string;
  /** The time zone of its days; UTC by default. */
  readonly timeZone?: string | undefined;
  readonly ads: readonly (Total & { readonly id: string; readonly format: string; readonly title: string })[];
  readonly days: readonly (Total & { readonly day: string })[];
  /**
   * The counts of each ad by day. They are stored by ad, not by campaign: if an ad was also in another campaign on the
   * same day, its counts are capped at those of this campaign.
   */
  readonly adDays: readonly DayCount[];
  /** Impressions of its ads that were not counted, by reason. */
  readonly excluded: readonly { readonly reason: TrafficCount['traffic']; readonly impressions: number }[];
}

/** Every campaign of a blog with its figures, by sponsor and name. @throws OperationError */
export async function listCampaigns(
  store: ManagedStore,
  blog: string,
  now: number,
): Promise<readonly CampaignFigures[]> {
  const { timeZone } = await requireBlog(store, blog);
  const campaigns = await store.listCampaigns(blog);
  const all = await store.countsByCampaign(blog);
  const counts = Map.groupBy(all, ({ campaignId }) => campaignId);
  const nameOf = ({ campaign: { sponsor, name } }: CampaignFigures) => `${sponsor}\n${name}`;
  return campaigns
    .map((campaign) => ({
      ...stateOf(campaign, counts.get(campaign.id) ?? [], now, timeZone),
      ...campaignTotalOf(counts.get(campaign.id) ?? [], isMeasured(all)),
    }))
    .sort((a, b) => nameOf(a).localeCompare(nameOf(b), 'en'));
}

/** A campaign with its figures by day, and those of the ads that are in it now. @throws OperationError */
export async function readCampaign(
  store: ManagedStore,
  blog: string,
  id: string,
  now: number,
): Promise<CampaignReport> {
  const { timeZone } = await requireBlog(store, blog);
  const campaign = await requireCampaign(store, blog, id);
  const all = await store.countsByCampaign(blog);
  const days = all.filter(({ campaignId }) => campaignId === id);
  const ads = (await store.listAllAds(blog)).filter(({ campaignId }) => campaignId === id);
  const ids = new Set(ads.map((ad) => ad.id));
  const ownDays = new Set(days.map(({ day }) => day));
  const traffic = (await store.countsByTraffic(blog)).filter(
    (count) => ids.has(count.adId) && ownDays.has(count.day) && count.traffic !== 'unknown',
  );
  const excluded = Map.groupBy(traffic, (count) => count.traffic);
  const adDays = limited(
    (await store.countsByDay(blog)).filter(({ adId }) => ids.has(adId)),
    days,
  );
  const byAd = Map.groupBy(adDays, ({ adId }) => adId);
  const measured = isMeasured(all);
  return {
    blog,
    ...(timeZone !== undefined && { timeZone }),
    ...stateOf(campaign, days, now, timeZone),
    ...campaignTotalOf(days, measured),
    ads: ads.map((ad) => {
      return { id: ad.id, format: ad.format, title: adName(ad), ...validTotalOf(byAd.get(ad.id) ?? [], measured) };
    }),
    days: days.map((count) => ({ day: count.day, ...campaignTotalOf([count], measured) })),
    adDays,
    excluded: [...excluded].map(([reason, counts]) => ({ reason, impressions: sumOf(counts) })),
  };
}

const sumOf = (counts: readonly { readonly impressions: number }[]): number =>
  counts.reduce((sum, { impressions }) => sum + impressions, 0);

/** The counts of ads on the days of their campaign, capped at the counts of the campaign. */
function limited(counts: readonly DayCount[], days: readonly CampaignCount[]): DayCount[] {
  const byDay = new Map(days.map((count) => [count.day, count]));
  return counts.flatMap((count) => {
    const most = byDay.get(count.day);
    if (!most) return [];
    const excluded = Math.min(count.excluded, most.excluded);
    return {
      ...count,
      impressions: Math.min(count.impressions - count.excluded, most.impressions) + excluded,
      excluded,
      viewable: Math.min(count.viewable, most.viewable),
      clicks: Math.min(count.clicks, most.clicks),
    };
  });
}

/** Adds a campaign. @throws OperationError with every problem of the draft */
export async function addCampaign(
  store: ManagedStore,
  blog: string,
  draft: CampaignDraft,
  now: number,
): Promise<SnapshotCampaign> {
  const empty = { ...defaultsOf(SnapshotCampaign), id: crypto.randomUUID(), sponsor: '', name: '' };
  const campaign = readCampaignDraft(empty, { sponsor: '', name: '', ...draft }, now);
  if (!(await store.putCampaign(blog, campaign))) await requireBlog(store, blog);
  return campaign;
}

/** The version on which an edit is based: it changes with every field of the campaign. */
export const campaignVersion = (campaign: SnapshotCampaign): Promise<string> => sha256Hex(JSON.stringify(campaign));

/**
 * Changes the given fields of a campaign; an empty string removes a field.
 *
 * @param version the version that the editor has seen; any version by default
 * @throws OperationError with the code `CONFLICT` when the campaign has another version by now
 */
export async function editCampaign(
  store: ManagedStore,
  { blog, id, version }: { readonly blog: string; readonly id: string; readonly version?: string | undefined },
  changes: CampaignDraft,
  now: number,
): Promise<{ readonly before: SnapshotCampaign; readonly after: SnapshotCampaign }> {
  for (;;) {
    const before = await requireCampaign(store, blog, id);
    if (version !== undefined && version !== (await campaignVersion(before))) {
      const message =
        'Somebody else has changed this campaign in the meantime, so it was not saved. Save again to replace their version.';
      throw new OperationError(message, 'CONFLICT');
    }
    const after = readCampaignDraft(before, changes, now);
    // After a concurrent write, the changes are applied again, to its result.
    if (await store.putCampaign(blog, after, before)) return { before, after };
  }
}

/** A snapshot whose import restores a campaign and its ads. @throws OperationError */
export async function exportCampaign(store: ManagedStore, blog: string, id: string): Promise<SnapshotInput> {
  const part = await store.exportCampaign(blog, id);
  return part ? { blogs: [part] } : missing(store, blog, 'campaign', id);
}

/** Moves a campaign and its ads to the recycle bin of their blog; its figures stay. @throws OperationError */
export async function deleteCampaign(store: ManagedStore, blog: string, id: string, now: number): Promise<void> {
  if (!(await store.deleteCampaign(blog, id, now))) await missing(store, blog, 'campaign', id);
}

/** The campaign with this id. @throws OperationError */
export async function requireCampaign(store: ManagedStore, blog: string, id: string): Promise<SnapshotCampaign> {
  const campaign = (await store.listCampaigns(blog)).find((candidate) => candidate.id === id);
  return campaign ?? missing(store, blog, 'campaign', id);
}

type Count = Pick<DayCount, 'impressions' | 'excluded' | 'viewable' | 'clicks'>;

/** Whether any impression was ever reported as viewable; otherwise, pages do not measure it. */
export const isMeasured = (counts: readonly Pick<Count, 'viewable'>[]): boolean =>
  counts.some(({ viewable }) => viewable > 0);

/** The sums of some counts. */
export function totalOf(counts: readonly Count[], measured: boolean): Total {
  const sum = (of: keyof Count) => counts.reduce((total, count) => total + count[of], 0);
  const [impressions, viewable, clicks] = [sum('impressions'), sum('viewable'), sum('clicks')];
  const valid = impressions - sum('excluded');
  const viewableRate = measured ? share(viewable, valid) : null;
  return {
    impressions,
    delivered: impressions,
    valid,
    viewable,
    viewableRate,
    clicks,
    ctr: share(clicks, impressions),
  };
}

/** Like {@link totalOf}, but `impressions` are the valid ones: only they count for a campaign. */
function validTotalOf(counts: readonly Count[], measured: boolean): Total {
  const total = totalOf(counts, measured);
  return { ...total, impressions: total.valid, ctr: share(total.clicks, total.valid) };
}

const campaignTotalOf = (days: readonly CampaignCount[], measured: boolean): Total =>
  validTotalOf(
    days.map((count) => ({ ...count, impressions: count.impressions + count.excluded })),
    measured,
  );

/** A part divided by the whole; 0 if there is nothing. */
export const share = (part: number, of: number): number => (of > 0 ? part / of : 0);

/** The state of a campaign and its progress. */
function stateOf(
  campaign: SnapshotCampaign,
  days: readonly CampaignCount[],
  now: number,
  timeZone: string | undefined,
): Omit<CampaignFigures, keyof Total> {
  const total = campaignTotalOf(days, false);
  const { goal, startsAt, endsAt } = campaign;
  const what = goal?.clicks === undefined ? 'impressions' : 'clicks';
  const wanted = goal?.[what];
  const [from, until] = [Date.parse(startsAt ?? ''), Date.parse(endsAt ?? '')];
  const timePassed = Math.min(1, Math.max(0, (now - from) / (until - from)));
  const isReached = wanted !== undefined && total[what] >= wanted;
  const state = isReached ? 'reached' : until <= now ? 'ended' : from > now ? 'waiting' : 'running';
  const since = dayOf(now - RECENT * DAY, timeZone);
  const recent = days.filter(({ day }) => day > since);
  const first = Date.parse(days[0]?.day ?? '');
  const rate = campaignTotalOf(recent, false)[what] / Math.max(1, Math.min(RECENT, (now - first) / DAY));
  const isExpected = wanted !== undefined && state === 'running' && rate > 0;
  return {
    campaign,
    state,
    ...(wanted !== undefined && { progress: total[what] / wanted }),
    ...(!Number.isNaN(timePassed) && { timePassed }),
    ...(isExpected && { expectedAt: new Date(now + ((wanted - total[what]) / rate) * DAY).toISOString() }),
  };
}
