import { LIMITS } from '@broadsheet/contract';
import { periodOf, planOf, TRAFFIC_HOURS, weeklyTraffic } from '../ads/campaign.ts';
import { dayOf, hourOf } from '../ads/day.ts';
import { type BlogCampaigns, type CampaignState, campaignsOf, fillSlots } from '../ads/fill-slots.ts';
import { isCountedByItself, OTHER_PLACEMENT } from '../ads/placements.ts';
import { isExcluded } from '../ads/traffic.ts';
import { codeUnitOrder } from '../content/fold.ts';
import type { Awaitable, Delivery, Figure, FigureKey, FiguresQuery, Impression, Store } from '../store.ts';
import { type AdEvents, type BlogState, type CountRow, copyEvents } from './memory-blog.ts';

/** A port with only synchronous methods. */
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

/** Counts the ads of blogs in memory. */
export function createAdEvents({ stateOf, setEvents }: Blogs): AdEventStore {
  /** The events of a blog, which are stored with the first one. Events of an unknown blog are discarded. */
  function eventsOf(blogId: string): AdEvents {
    const state = stateOf(blogId);
    const events = state?.events ?? copyEvents();
    if (state && !state.events) setEvents(blogId, events);
    return events;
  }
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
      const open = openCampaigns(events, stateOf(blogId)?.campaigns, delivery, at);
      const adIds = fillSlots(delivery, at, open);
      const [day, campaigns] = [dayOf(at, delivery.timeZone), campaignsOf(delivery, adIds)];
      for (const [index, adId = ''] of adIds.entries()) {
        const campaignId = campaigns[adId];
        bump(events.counts, { adId, campaignId, placement: slots[index]?.placement, traffic, day }, 'delivered');
      }
      if (!isExcluded(delivery)) countHour(events.hours, at);
      for (const [id, { plan }] of open.campaigns) events.plans.set(id, plan);
      if (idempotency) {
        const first = { ...idempotency, adIds, day, traffic, campaigns, at };
        add(events.deliveries, first.keyHash, first, (one) => one.at < at - KEPT_FOR);
      }
      return { outcome: 'counted', adIds };
    },
    recordClick(blogId, click) {
      const { tokenId, tokenExpiresAt, adId, visitor, at, repeatSince, timeZone } = click;
      const { counts, usedTokens, countedClicks } = eventsOf(blogId);
      if (!stateOf(blogId) || usedTokens.has(tokenId)) return 'used';
      const isExpired = (time: number) => time < at - KEPT_FOR;
      add(usedTokens, tokenId, tokenExpiresAt, isExpired);
      if (visitor !== undefined) {
        const visit = `${adId} ${visitor}`;
        if ((countedClicks.get(visit) ?? Number.NEGATIVE_INFINITY) >= repeatSince) return 'repeated';
        add(countedClicks, visit, at, isExpired);
      }
      bump(counts, { ...click, day: dayOf(at, timeZone) }, 'clicks');
      return 'counted';
    },
    recordViewable(blogId, impressions) {
      const { counts, viewedTokens } = eventsOf(blogId);
      for (const impression of impressions) {
        const { tokenId, tokenExpiresAt } = impression;
        if (viewedTokens.has(tokenId)) continue;
        add(viewedTokens, tokenId, tokenExpiresAt, (time) => time < tokenExpiresAt - KEPT_FOR);
        bump(counts, impression, 'viewable');
      }
    },
    figures: (blogId, query) => figuresOf([...eventsOf(blogId).counts.values()], query),
  };
}

/**
 * Milliseconds for which expired deliveries and tokens are kept, and the number of them that is always kept. If the
 * clock of a mock is set back, they are valid again.
 */
const KEPT_FOR = 60 * 60 * 1000;
const KEPT = 1000;

/** Adds an entry, and drops the oldest ones that have expired if there are many. */
function add<V>(map: Map<string, V>, key: string, value: V, isExpired: (value: V) => boolean): void {
  map.delete(key);
  map.set(key, value);
  for (const [oldest, one] of map) {
    if (map.size <= KEPT || !isExpired(one)) return;
    map.delete(oldest);
  }
}

/** Counts an event of an impression, or of a slot that stayed empty. */
function bump(
  counts: AdEvents['counts'],
  {
    day,
    adId: ad,
    campaignId: campaign = '',
    placement = '',
    traffic = 'valid',
  }: Impression & { readonly day: string },
  what: 'delivered' | 'viewable' | 'clicks',
): void {
  const known = placementsOf(counts, day);
  const isOwn =
    placement === '' || (isExcluded({ traffic }) ? known.has(placement) : isCountedByItself(placement, known));
  const key = { day, ad, campaign, placement: isOwn ? placement : OTHER_PLACEMENT, traffic };
  const text = JSON.stringify(Object.values(key));
  const row = counts.get(text) ?? { ...key, delivered: 0, viewable: 0, clicks: 0 };
  counts.set(text, { ...row, [what]: row[what] + 1 });
}

/** The placements that are counted separately on a day. */
function placementsOf(counts: AdEvents['counts'], day: string): ReadonlySet<string> {
  const known = new Set([...counts.values()].filter((row) => row.day === day).map((row) => row.placement));
  for (const name of ['', OTHER_PLACEMENT]) known.delete(name);
  return known;
}

/** The campaigns of a delivery, with the plans that they follow now. */
function openCampaigns(
  { counts, hours, plans }: AdEvents,
  campaigns: BlogState['campaigns'] | undefined,
  delivery: Delivery,
  at: number,
): BlogCampaigns {
  const open = new Map<string, CampaignState>();
  for (const id of new Set(delivery.campaigns?.values())) {
    const campaign = campaigns?.get(id);
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

function countHour(hours: AdEvents['hours'], at: number): void {
  const hour = hourOf(at);
  hours.set(hour, (hours.get(hour) ?? 0) + 1);
  for (const known of hours.keys()) if (known < hour - TRAFFIC_HOURS) hours.delete(known);
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
