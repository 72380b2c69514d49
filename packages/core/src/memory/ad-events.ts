import { LIMITS } from '@broadsheet/contract';
import { admits, fillSlots, hourOf, periodOf, TRAFFIC_HOURS, weeklyTraffic } from '../ads/campaign.ts';
import { dayOf } from '../ads/day.ts';
import { isCountedByItself, OTHER_PLACEMENT } from '../ads/placement.ts';
import { codeUnitOrder } from '../content/fold.ts';
import {
  type Awaitable,
  type Click,
  type ClickOutcome,
  type DayCount,
  type DayRange,
  type Delivered,
  type Delivery,
  isExcluded,
  type Store,
  type ViewableImpression,
} from '../store.ts';
import type { AdEvents, BlogState } from './memory-blog.ts';

/** A port whose methods are all synchronous. */
export type Synchronous<Port> = {
  readonly [Verb in keyof Port]: Port[Verb] extends (...args: infer A) => Awaitable<infer R>
    ? (...args: A) => Awaited<R>
    : never;
};

/** The part of a store that counts ads. */
type AdVerb = 'deliver' | 'recordClick' | 'recordViewable' | Extract<keyof Store, `countsBy${string}`>;
export type AdEventStore = Synchronous<Pick<Store, AdVerb>>;

/** The blogs whose events are recorded. */
interface Blogs {
  stateOf(blogId: string): BlogState | undefined;
  setEvents(blogId: string, events: AdEvents): void;
}

const NO_EVENTS: AdEvents = {
  counts: new Map(),
  traffic: new Map(),
  campaignCounts: new Map(),
  hours: new Map(),
  placements: new Map(),
  usedTokens: new Map(),
  viewedTokens: new Map(),
  deliveries: new Map(),
  countedClicks: new Map(),
};

/** Counts the ads of blogs in memory. */
export function createAdEvents({ stateOf, setEvents }: Blogs): AdEventStore {
  const eventsOf = (blogId: string) => stateOf(blogId)?.events ?? NO_EVENTS;
  /** Makes one change in one atomic step. */
  function change<Outcome>(
    blogId: string,
    edit: (blog: RecordedBlog) => readonly [Outcome, Partial<AdEvents>],
  ): Outcome | undefined {
    const blog = stateOf(blogId);
    if (!blog) return undefined;
    const before = eventsOf(blogId);
    const [outcome, changes] = edit({ ...before, ads: blog.ads, campaigns: blog.campaigns });
    setEvents(blogId, { ...before, ...changes });
    return outcome;
  }
  return {
    deliver: (blogId, delivery, at) =>
      change(blogId, (blog) => deliver(blog, delivery, at)) ?? {
        outcome: 'counted',
        adIds: delivery.slots.map(({ candidates }) => candidates[0]),
      },
    recordClick: (blogId, click) =>
      change(blogId, (blog) => {
        const outcome = blog.usedTokens.has(click.tokenId) ? 'used' : isRepeat(blog, click) ? 'repeated' : 'counted';
        return [outcome, outcome === 'used' ? {} : afterClick(blog, click, outcome)];
      }) ?? 'used',
    recordViewable(blogId, impressions) {
      for (const impression of impressions) change(blogId, (blog) => [undefined, afterViewable(blog, impression)]);
    },
    // Days have a fixed width, and no character sorts before NUL.
    countsByDay: (blogId, days) => countsOf(eventsOf(blogId).counts, days, ({ day, adId }) => day + adId),
    countsByTraffic: (blogId, days) =>
      countsOf(eventsOf(blogId).traffic, days, ({ day, adId, traffic }) => `${day}${adId} ${traffic}`),
    countsByCampaign: (blogId, days) =>
      countsOf(eventsOf(blogId).campaignCounts, days, ({ day, campaignId }) => day + campaignId),
    countsByPlacement: (blogId, days) =>
      countsOf(eventsOf(blogId).placements, days, ({ day, placement, adId = '' }) => `${day}${placement}\0${adId}`),
  };
}

/** The counts of some days, ordered by a string of each (by code unit). */
function countsOf<T extends { readonly day: string }>(
  counts: ReadonlyMap<string, T>,
  { from = '', to = '~' }: DayRange = {},
  textOf: (count: T) => string,
): T[] {
  return [...counts.values()]
    .filter(({ day }) => from <= day && day <= to)
    .sort((a, b) => codeUnitOrder(textOf(a), textOf(b)));
}

/** The events of a blog, and the parts of the blog that decide what is counted. */
type RecordedBlog = AdEvents & Pick<BlogState, 'ads' | 'campaigns'>;
type Counts = Pick<AdEvents, 'counts' | 'placements'>;

/** The outcome of a delivery, and the events that it changes. */
function deliver(state: RecordedBlog, delivery: Delivery, at: number): [Delivered, Partial<AdEvents>] {
  const { counts, placements } = state;
  const { slots, idempotency } = delivery;
  const excluded = isExcluded(delivery);
  const day = dayOf(at, delivery.timeZone);
  let { campaignCounts, deliveries } = state;
  const known = idempotency && deliveries.get(idempotency.keyHash);
  if (known && known.at > at - LIMITS.idempotencyWindow) {
    const outcome = known.requestHash === idempotency.requestHash ? 'replayed' : 'mismatched';
    return [{ outcome, adIds: known.adIds, deliveryId: known.deliveryId, excluded: known.excluded }, {}];
  }
  const adIds = fillSlots(delivery, (campaignId) => {
    const admitted = isAdmitted({ ...state, campaignCounts }, campaignId, { at, day });
    const counts = excluded ? { excluded: 1 } : { impressions: 1 };
    if (admitted) campaignCounts = campaignCountsAfter(campaignCounts, campaignId, day, counts);
    return admitted;
  });
  const counted = slots.reduce<Counts>(
    (before, { placement }, index) => {
      const adId = adIds[index];
      const filled = adId ? { impressions: 1, excluded: excluded ? 1 : 0 } : {};
      return countsAfter(before, { adId, placement }, day, { requests: 1, ...filled });
    },
    { counts, placements },
  );
  // Deliveries are never removed, for the reason given in `afterClick`.
  if (idempotency) deliveries = new Map(deliveries).set(idempotency.keyHash, { ...idempotency, adIds, excluded, at });
  return [
    { outcome: 'counted', adIds },
    {
      ...counted,
      traffic: trafficAfter(state.traffic, adIds, delivery.traffic, day),
      campaignCounts,
      hours: hoursAfter(state.hours, at),
      deliveries,
    },
  ];
}

function isAdmitted(
  { campaigns, campaignCounts, hours }: RecordedBlog,
  campaignId: string,
  { at, day }: { readonly at: number; readonly day: string },
): boolean {
  const campaign = campaigns.get(campaignId);
  const own = [...campaignCounts.values()].filter((count) => count.campaignId === campaignId);
  const sum = (what: 'impressions' | 'clicks') => own.reduce((total, count) => total + count[what], 0);
  const today = own.find((count) => count.day === day)?.impressions ?? 0;
  const progress = { impressions: sum('impressions'), clicks: sum('clicks'), today };
  if (!campaign) return false;
  return admits({ ...campaign, ...periodOf(campaign) }, progress, at, weeklyTraffic(hours, at));
}

function campaignCountsAfter(
  counts: AdEvents['campaignCounts'],
  campaignId: string,
  day: string,
  added: Added,
): AdEvents['campaignCounts'] {
  return new Map(counts).set(day + campaignId, { day, campaignId, ...sumOf(counts.get(day + campaignId), added) });
}

/** The counts that an event adds; those left out are 0. */
type Added = Partial<Omit<DayCount, 'day' | 'adId'>> & { readonly requests?: number };

function sumOf(before: Added | undefined, added: Added): Omit<DayCount, 'day' | 'adId'> {
  const sum = (of: keyof Added) => (before?.[of] ?? 0) + (added[of] ?? 0);
  return {
    impressions: sum('impressions'),
    excluded: sum('excluded'),
    viewable: sum('viewable'),
    clicks: sum('clicks'),
  };
}

function trafficAfter(
  counts: AdEvents['traffic'],
  adIds: Delivered['adIds'],
  traffic: Delivery['traffic'] = 'valid',
  day: string,
): AdEvents['traffic'] {
  if (traffic === 'valid') return counts;
  const after = new Map(counts);
  for (const adId of adIds) {
    if (adId === undefined) continue;
    const key = `${day}${adId} ${traffic}`;
    after.set(key, { day, adId, traffic, impressions: (after.get(key)?.impressions ?? 0) + 1 });
  }
  return after;
}

function hoursAfter(hours: AdEvents['hours'], at: number): AdEvents['hours'] {
  const hour = hourOf(at);
  const recent = [...hours].filter(([known]) => known >= hour - TRAFFIC_HOURS);
  return new Map(recent).set(hour, (hours.get(hour) ?? 0) + 1);
}

/** The counts after an event: those of its ad and those of its placement, if it has them. */
function countsAfter(
  { counts, placements }: Counts,
  { adId, placement }: { readonly adId?: string | undefined; readonly placement?: string | undefined },
  day: string,
  added: Added,
): Counts {
  if (adId !== undefined) {
    counts = new Map(counts).set(day + adId, { day, adId, ...sumOf(counts.get(day + adId), added) });
  }
  if (placement !== undefined) {
    const ofDay = [...placements.values()].filter((count) => count.day === day && count.placement !== OTHER_PLACEMENT);
    const name = isCountedByItself(placement, new Set(ofDay.map((count) => count.placement)))
      ? placement
      : OTHER_PLACEMENT;
    const key = JSON.stringify([day, name, adId]);
    const before = placements.get(key);
    const requests = (before?.requests ?? 0) + (added.requests ?? 0);
    const count = { day, placement: name, adId, requests, ...sumOf(before, added) };
    placements = new Map(placements).set(key, count);
  }
  return { counts, placements };
}

const visitKey = ({ adId, visitor }: Click): string => `${adId} ${visitor}`;

/** Whether a click of this visitor on this ad was counted recently. */
function isRepeat({ countedClicks }: AdEvents, click: Click): boolean {
  const last = click.visitor === undefined ? undefined : countedClicks.get(visitKey(click));
  return last !== undefined && last >= click.repeatSince;
}

/** The events that a click changes. */
function afterClick(state: RecordedBlog, click: Click, outcome: ClickOutcome): Partial<AdEvents> {
  // Tokens are never removed: a clock that was set to the future may be set back, and then a token is valid again.
  const usedTokens = new Map(state.usedTokens).set(click.tokenId, click.tokenExpiresAt);
  if (outcome !== 'counted') return { usedTokens };
  return {
    usedTokens,
    ...eventAfter(state, click, dayOf(click.at, click.timeZone), { clicks: 1 }),
    countedClicks:
      click.visitor === undefined ? state.countedClicks : new Map(state.countedClicks).set(visitKey(click), click.at),
  };
}

/** The events that change when an impression is reported as viewable. */
function afterViewable(state: RecordedBlog, impression: ViewableImpression): Partial<AdEvents> {
  const { tokenId, tokenExpiresAt, deliveredAt, timeZone } = impression;
  if (state.viewedTokens.has(tokenId)) return {};
  const viewedTokens = new Map(state.viewedTokens).set(tokenId, tokenExpiresAt);
  return { viewedTokens, ...eventAfter(state, impression, dayOf(deliveredAt, timeZone), { viewable: 1 }) };
}

/** The counts after an event of an ad, including those of its campaign. */
function eventAfter(
  state: RecordedBlog,
  event: Pick<Click, 'adId' | 'placement'>,
  day: string,
  added: Added,
): Counts & Pick<AdEvents, 'campaignCounts'> {
  const { campaignId } = state.ads.get(event.adId) ?? {};
  const { campaignCounts: before } = state;
  const campaignCounts = campaignId === undefined ? before : campaignCountsAfter(before, campaignId, day, added);
  return { campaignCounts, ...countsAfter(state, event, day, added) };
}
