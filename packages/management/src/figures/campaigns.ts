import { defaultsOf, type SnapshotAd, SnapshotCampaign } from '@broadsheet/contract';
import { aheadOfPlan, dayOf, type Figure, fromLocalTime, periodOf, planOf, weeklyTraffic } from '@broadsheet/core';
import type { OperatorStore } from '@broadsheet/store';
import { requireBlog } from '../operations/blogs.ts';
import { notFound } from '../operations/operation-error.ts';
import { adTotals, deletedAdNames, excludedOf, measuredDays, totalOf, totalsBy } from './totals.ts';

const DAY = 24 * 60 * 60 * 1000;
/** The number of past days on which the estimate of when a goal is reached is based. */
const RECENT = 7;
/** The end of the year 9999: a later timestamp would sort before all others as text. */
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

/** A campaign that exists, or one that was deleted. */
export interface KnownCampaign {
  readonly campaign: SnapshotCampaign;
  readonly isDeleted: boolean;
}

/**
 * Whether a campaign delivers now: it is running, paused, not started, over, at its goal, at its cap for today, without
 * an ad that could be delivered, or deleted.
 */
export type CampaignState = 'running' | 'paused' | 'waiting' | 'ended' | 'reached' | 'capped' | 'empty' | 'deleted';

/** Whether an ad is delivered now: it is running, is paused, has not started or is over, or its campaign is not running. */
export type AdState = Exclude<CampaignState, 'empty' | 'deleted'>;

/**
 * The state of an ad at the time `now`, in milliseconds since the epoch. An ad that is over has ended, paused or not.
 *
 * @param campaign the state of its campaign
 */
export function adState(
  { active, startsAt, endsAt }: SnapshotAd,
  now: number,
  campaign: CampaignState = 'running',
): AdState {
  if (endsAt !== null && Date.parse(endsAt) <= now) return 'ended';
  if (!active) return 'paused';
  if (startsAt !== null && Date.parse(startsAt) > now) return 'waiting';
  // Its campaign is not empty, because it has this ad, and is not deleted, because the ad would be, too.
  return campaign === 'empty' || campaign === 'deleted' ? 'running' : campaign;
}

/**
 * The campaigns of a blog, and deleted ones that have figures: paid ones first, by sponsor and name. For thirty days, a
 * deleted campaign keeps its own name.
 *
 * @param counted the ids of campaigns that have figures
 */
export async function knownCampaigns(
  store: OperatorStore,
  blog: string,
  counted: readonly string[],
  now: number,
): Promise<KnownCampaign[]> {
  const campaigns = await store.listCampaigns(blog);
  const missing = new Set(counted);
  for (const id of ['', ...campaigns.map(({ id }) => id)]) missing.delete(id);
  const binned = missing.size > 0 ? await store.listDeletedCampaigns(blog, now) : [];
  const deleted = new Map(binned.map((campaign) => [campaign.id, campaign]));
  const unnamed = (id: string): SnapshotCampaign => {
    return { ...defaultsOf(SnapshotCampaign), id, sponsor: '', name: `Deleted campaign ${id.slice(0, 8)}` };
  };
  const nameOf = ({ campaign: { sponsor, name } }: KnownCampaign) => `${sponsor}\n${name}`;
  return [
    ...campaigns.map((campaign) => ({ campaign, isDeleted: false })),
    ...[...missing].map((id) => ({ campaign: deleted.get(id) ?? unnamed(id), isDeleted: true })),
  ].sort((a, b) => isHouse(a) - isHouse(b) || nameOf(a).localeCompare(nameOf(b), 'en'));
}

const isHouse = ({ campaign: { kind } }: KnownCampaign): number => Number(kind === 'house');

/** The campaigns of a blog with their figures; see {@link knownCampaigns}. @throws OperationError */
export async function listCampaigns(store: OperatorStore, blog: string, now: number) {
  const { timeZone } = await requireBlog(store, blog);
  const byDay = await store.figures(blog, { by: ['campaign', 'day'] });
  const ads = Map.groupBy(await store.listAllAds(blog), ({ campaignId }) => campaignId);
  const own = Map.groupBy(byDay, ({ campaign }) => campaign);
  const campaigns = await knownCampaigns(store, blog, [...own.keys()], now);
  const measured = measuredDays(byDay);
  const pace = await readPace(store, blog, now);
  return campaigns.map((known) => {
    const days = own.get(known.campaign.id) ?? [];
    const at = { now, timeZone, pace, ads: ads.get(known.campaign.id) ?? [] };
    return { ...stateOf(known, days, at), ...totalOf(days, measured) };
  });
}

export type CampaignFigures = Awaited<ReturnType<typeof listCampaigns>>[number];

/** The states of the campaigns of ads, by id. @throws OperationError */
export async function campaignStates(
  store: OperatorStore,
  blog: string,
  ads: readonly SnapshotAd[],
  now: number,
): Promise<ReadonlyMap<string | undefined, CampaignState>> {
  const isSold = ads.some(({ campaignId }) => campaignId !== undefined);
  const campaigns = isSold ? await listCampaigns(store, blog, now) : [];
  return new Map(campaigns.map(({ campaign, state }) => [campaign.id, state]));
}

/** A campaign with its figures by day and by ad. @throws OperationError */
export async function readCampaign(store: OperatorStore, blog: string, id: string, now: number) {
  const { timeZone } = await requireBlog(store, blog);
  const measured = measuredDays(await store.figures(blog, { by: ['day'] }));
  const figures = await store.figures(blog, { by: ['day', 'ad', 'traffic'], campaign: id });
  const campaigns = await knownCampaigns(store, blog, figures.length > 0 ? [id] : [], now);
  const known = campaigns.find(({ campaign }) => campaign.id === id) ?? notFound(blog, 'campaign', id);
  const delivered = new Set(figures.map(({ ad }) => ad));
  const pace = await readPace(store, blog, now);
  const ads = (await store.listAllAds(blog)).filter((ad) => ad.campaignId === id || delivered.has(ad.id));
  return {
    blog,
    /** The time zone of its days; UTC by default. */
    ...(timeZone !== undefined && { timeZone }),
    ...stateOf(known, figures, { now, timeZone, pace, ads: ads.filter(({ campaignId }) => campaignId === id) }),
    ...totalOf(figures, measured),
    /** Its ads, and the ads that were delivered for it. */
    ads: adTotals(ads, figures, measured, await deletedAdNames(store, blog, now)),
    days: totalsBy(['day'], figures, measured),
    /** Its figures by placement; single deliveries have an empty one. */
    placements: totalsBy(
      ['placement'],
      await store.figures(blog, { by: ['placement', 'day'], campaign: id }),
      measured,
    ),
    adDays: totalsBy(['day', 'ad'], figures, measured).map(({ ad: adId, ...total }) => ({ ...total, adId })),
    excluded: excludedOf(figures),
  };
}

export type CampaignReport = Awaited<ReturnType<typeof readCampaign>>;

/**
 * The data that determine the pace of a blog's campaigns: the plans at the last deliveries, by campaign, and the
 * traffic.
 */
const readPace = async (store: OperatorStore, blog: string, now: number) => ({
  plans: await store.readPlans(blog),
  traffic: weeklyTraffic(await store.readHours(blog, now), now),
});

/** The data that determine the state of a campaign, including its ads. */
interface Circumstances {
  readonly pace: Awaited<ReturnType<typeof readPace>>;
  readonly now: number;
  readonly timeZone: string | undefined;
  readonly ads: readonly SnapshotAd[];
}

/** The state of a campaign and its progress. */
function stateOf(
  { campaign, isDeleted }: KnownCampaign,
  figures: readonly Figure<'day'>[],
  { now, timeZone, pace, ads }: Circumstances,
) {
  const total = totalOf(figures, new Set());
  const { goal, startsAt, endsAt } = campaign;
  const what = goal?.clicks === undefined ? 'impressions' : 'clicks';
  const wanted = goal?.[what];
  const [from, until] = [Date.parse(startsAt ?? ''), Date.parse(endsAt ?? '')];
  const timePassed = Math.min(1, Math.max(0, (now - from) / (until - from)));
  const isReached = wanted !== undefined && total[what] >= wanted;
  const today = totalOf(
    figures.filter(({ day }) => day === dayOf(now, timeZone)),
    new Set(),
  );
  const states: readonly (readonly [CampaignState, boolean])[] = [
    ['deleted', isDeleted],
    ['reached', isReached],
    ['ended', until <= now],
    ['paused', campaign.paused === true],
    ['waiting', from > now],
    ['empty', !ads.some((ad) => adState(ad, now) === 'running')],
    ['capped', campaign.perDay !== null && today.valid >= campaign.perDay],
  ];
  const [state] = states.find(([, applies]) => applies) ?? ['running' as const];
  const since = dayOf(now - RECENT * DAY, timeZone);
  const recent = figures.filter(({ day }) => day > since);
  const [first] = figures;
  const age = first ? (now - fromLocalTime(`${first.day}T00:00`, timeZone)) / DAY : RECENT;
  const rate = totalOf(recent, new Set())[what] / Math.max(1, Math.min(RECENT, age));
  const expectedAt = wanted !== undefined && rate > 0 ? now + ((wanted - total[what]) / rate) * DAY : LAST;
  const isExpected = ['running', 'capped'].includes(state) && expectedAt < (endsAt === null ? LAST : until);
  const plan = planOf(campaign, pace.plans.get(campaign.id), total, now);
  const ahead = aheadOfPlan({ ...campaign, ...periodOf(campaign) }, { ...total, plan }, now, pace.traffic);
  return {
    campaign,
    state,
    /** The reached share of the goal, and how far the campaign is ahead of its plan, or behind it if negative. */
    ...(wanted !== undefined && { progress: total[what] / wanted, ahead }),
    /** The elapsed share of its time, if it has a start and an end. */
    ...(!Number.isNaN(timePassed) && { timePassed }),
    /** When the goal will be reached at the rate of the last seven days, unless the campaign ends before. */
    ...(isExpected && { expectedAt: new Date(expectedAt).toISOString() }),
  };
}
