import { LIMITS } from '@broadsheet/contract';
import { hourOf, periodOf, planOf, TRAFFIC_HOURS, weeklyTraffic } from '../ads/campaign.ts';
import { dayOf } from '../ads/day.ts';
import { type BlogCampaigns, type CampaignState, campaignsOf, fillSlots } from '../ads/fill-slots.ts';
import { isCountedByItself, OTHER_PLACEMENT } from '../ads/placement.ts';
import { codeUnitOrder } from '../content/fold.ts';
import {
  type Awaitable,
  type Delivery,
  type Figure,
  type FigureKey,
  type FiguresQuery,
  type Impression,
  isExcluded,
  type Store,
} from '../store.ts';
import { added } from './layered-map.ts';
import type { AdEvents, BlogState, CountRow } from './memory-blog.ts';

/** A port whose methods are all synchronous. */
export type Synchronous<Port> = {
  readonly [Verb in keyof Port]: Port[Verb] extends (...args: infer A) => Awaitable<infer R>
    ? (...args: A) => Awaited<R>
    : never;
};

/** The part of a store that counts ads. */
export interface AdEventStore extends Synchronous<Pick<Store, 'deliver' | 'recordClick' | 'recordViewable'>> {
  figures<const By extends FigureKey>(blogId: string, query: FiguresQuery<By>): Figure<By>[];
}

/** The blogs whose events are recorded. */
interface Blogs {
  stateOf(blogId: string): BlogState | undefined;
  setEvents(blogId: string, events: AdEvents): void;
}

const NO_EVENTS: AdEvents = {
  counts: new Map(),
  hours: new Map(),
  plans: new Map(),
  usedTokens: new Map(),
  viewedTokens: new Map(),
  deliveries: new Map(),
  countedClicks: new Map(),
};

/**
 * Milliseconds for which deliveries and tokens that are over are kept if there are many: the clock of a mock may be set
 * back, and then they are valid again.
 */
const KEPT = 60 * 60 * 1000;

/** Counts the ads of blogs in memory. */
export function createAdEvents({ stateOf, setEvents }: Blogs): AdEventStore {
  const eventsOf = (blogId: string) => stateOf(blogId)?.events ?? NO_EVENTS;
  return {
    deliver(blogId, delivery, at) {
      const events = eventsOf(blogId);
      const { slots, idempotency, traffic = 'valid' } = delivery;
      const known = idempotency && events.deliveries.get(idempotency.keyHash);
      if (known && known.at > at - LIMITS.idempotencyWindow) {
        const { adIds, deliveryId, day, traffic, campaigns } = known;
        const outcome = known.requestHash === idempotency.requestHash ? 'replayed' : 'mismatched';
        return { outcome, adIds, first: { deliveryId, day, traffic, campaigns } };
      }
      const blog = openCampaigns(stateOf(blogId), delivery, at);
      const adIds = fillSlots(delivery, at, blog);
      const [day, campaigns] = [dayOf(at, delivery.timeZone), campaignsOf(delivery, adIds)];
      const impressions = adIds.map((adId = '', index) => ({
        ...{ adId, campaignId: campaigns[adId], placement: slots[index]?.placement, traffic, day },
      }));
      const first = idempotency && { ...idempotency, adIds, day, traffic, campaigns, at };
      const isOver = (one: { readonly at: number }) => one.at < at - KEPT;
      setEvents(blogId, {
        ...events,
        counts: bump(events.counts, impressions, 'delivered'),
        hours: isExcluded(delivery) ? events.hours : hoursAfter(events.hours, at),
        plans: new Map([...events.plans, ...[...blog.campaigns].map(([id, { plan }]) => [id, plan] as const)]),
        deliveries: first ? added(events.deliveries, first.keyHash, first, isOver) : events.deliveries,
      });
      return { outcome: 'counted', adIds };
    },
    recordClick(blogId, click) {
      const { tokenId, tokenExpiresAt, adId, visitor, at, repeatSince, timeZone } = click;
      const events = eventsOf(blogId);
      if (!stateOf(blogId) || events.usedTokens.has(tokenId)) return 'used';
      const isOver = (time: number) => time < at - KEPT;
      const usedTokens = added(events.usedTokens, tokenId, tokenExpiresAt, isOver);
      const visit = visitor === undefined ? undefined : `${adId} ${visitor}`;
      const last = visit === undefined ? undefined : events.countedClicks.get(visit);
      if (last !== undefined && last >= repeatSince) {
        setEvents(blogId, { ...events, usedTokens });
        return 'repeated';
      }
      const { countedClicks } = events;
      setEvents(blogId, {
        ...{ ...events, usedTokens },
        countedClicks: visit === undefined ? countedClicks : added(countedClicks, visit, at, isOver),
        counts: bump(events.counts, [{ ...click, day: dayOf(at, timeZone) }], 'clicks'),
      });
      return 'counted';
    },
    recordViewable(blogId, impressions) {
      for (const impression of impressions) {
        const { tokenId, tokenExpiresAt } = impression;
        const events = eventsOf(blogId);
        if (events.viewedTokens.has(tokenId)) continue;
        const isOver = (time: number) => time < tokenExpiresAt - KEPT;
        const viewedTokens = added(events.viewedTokens, tokenId, tokenExpiresAt, isOver);
        setEvents(blogId, { ...events, viewedTokens, counts: bump(events.counts, [impression], 'viewable') });
      }
    },
    figures: (blogId, query) => figuresOf([...eventsOf(blogId).counts.values()], query),
  };
}

/** The counts after events of impressions, or of slots that stayed empty. */
function bump(
  before: AdEvents['counts'],
  impressions: readonly (Impression & { readonly day: string })[],
  what: 'delivered' | 'viewable' | 'clicks',
): AdEvents['counts'] {
  const counts = new Map(before);
  for (const { day, adId: ad, campaignId: campaign = '', placement = '', traffic = 'valid' } of impressions) {
    const isOwn = placement === '' || isCountedByItself(placement, placementsOf(counts, day));
    const key = { day, ad, campaign, placement: isOwn ? placement : OTHER_PLACEMENT, traffic };
    const text = JSON.stringify(Object.values(key));
    const row = counts.get(text) ?? { ...key, delivered: 0, viewable: 0, clicks: 0 };
    counts.set(text, { ...row, [what]: row[what] + 1 });
  }
  return counts;
}

/** The placements that are counted separately on a day. */
function placementsOf(counts: AdEvents['counts'], day: string): ReadonlySet<string> {
  const known = new Set([...counts.values()].filter((row) => row.day === day).map((row) => row.placement));
  for (const name of ['', OTHER_PLACEMENT]) known.delete(name);
  return known;
}

/** The campaigns of a delivery, with the plans that they follow now. */
function openCampaigns(blog: BlogState | undefined, delivery: Delivery, at: number): BlogCampaigns {
  const { counts, hours, plans } = blog?.events ?? NO_EVENTS;
  const open = new Map<string, CampaignState>();
  for (const id of new Set(delivery.campaigns?.values())) {
    const campaign = blog?.campaigns.get(id);
    if (!campaign) continue;
    const figures = figuresOf([...counts.values()], { by: ['day'], campaign: id });
    const progress = {
      impressions: figures.reduce((sum, { valid }) => sum + valid, 0),
      clicks: figures.reduce((sum, { clicks }) => sum + clicks, 0),
      days: new Map(figures.map(({ day, valid }) => [day, valid])),
    };
    const plan = planOf(campaign, plans.get(id), progress, at);
    open.set(id, { campaign: { ...campaign, ...periodOf(campaign) }, ...progress, plan });
  }
  return { campaigns: open, traffic: open.size > 0 ? weeklyTraffic(hours, at) : undefined };
}

function hoursAfter(hours: AdEvents['hours'], at: number): AdEvents['hours'] {
  const hour = hourOf(at);
  const recent = [...hours].filter(([known]) => known >= hour - TRAFFIC_HOURS);
  return new Map(recent).set(hour, (hours.get(hour) ?? 0) + 1);
}

function figuresOf<By extends FigureKey>(rows: readonly CountRow[], query: FiguresQuery<By>): Figure<By>[] {
  const { by, from = '', to = '~', ...wanted } = query;
  const isWanted = (row: CountRow) =>
    (['ad', 'campaign', 'placement'] as const).every((name) => (wanted[name] ?? row[name]) === row[name]);
  const own = rows.filter((row) => from <= row.day && row.day <= to && isWanted(row));
  const groups = Map.groupBy(own, (row) => JSON.stringify(by.map((name) => row[name])));
  const figures = [...groups.values()].map((group): Figure<By> => {
    const sum = (of: (row: CountRow) => number) => group.reduce((total, row) => total + of(row), 0);
    // There is one entry for each name.
    const keys = Object.fromEntries(by.map((name) => [name, group[0]?.[name]])) as Record<By, string>;
    return {
      ...keys,
      requests: sum(({ delivered }) => delivered),
      delivered: sum(({ ad, delivered }) => (ad === '' ? 0 : delivered)),
      valid: sum((row) => (row.ad === '' || isExcluded(row) ? 0 : row.delivered)),
      viewable: sum(({ viewable }) => viewable),
      clicks: sum((row) => (isExcluded(row) ? 0 : row.clicks)),
    };
  });
  return figures.sort((a, b) => by.reduce((order, name) => order || codeUnitOrder(a[name], b[name]), 0));
}
