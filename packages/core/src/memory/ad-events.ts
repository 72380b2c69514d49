import { LIMITS } from '@broadsheet/contract';
import {
  admits,
  behindPlan,
  campaignsOf,
  fillSlots,
  hourOf,
  type Plan,
  periodOf,
  planOf,
  TRAFFIC_HOURS,
  weeklyTraffic,
} from '../ads/campaign.ts';
import { dayOf } from '../ads/day.ts';
import { isCountedByItself, OTHER_PLACEMENT } from '../ads/placement.ts';
import { codeUnitOrder } from '../content/fold.ts';
import {
  type Awaitable,
  type Click,
  type ClickOutcome,
  type Delivered,
  type Delivery,
  type Figure,
  type FigureKey,
  type FiguresQuery,
  type Impression,
  isExcluded,
  type Store,
  type ViewableImpression,
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
  /** Makes one change in one atomic step. */
  function change<Outcome>(
    blogId: string,
    edit: (blog: RecordedBlog) => readonly [Outcome, Partial<AdEvents>],
  ): Outcome | undefined {
    const blog = stateOf(blogId);
    if (!blog) return undefined;
    const before = eventsOf(blogId);
    const [outcome, changes] = edit({ ...before, campaigns: blog.campaigns });
    setEvents(blogId, { ...before, ...changes });
    return outcome;
  }
  return {
    deliver: (blogId, delivery, at) =>
      change(blogId, (blog) => deliver(blog, delivery, at)) ?? {
        outcome: 'counted',
        adIds: fillSlots(delivery, () => true),
      },
    recordClick: (blogId, click) =>
      change(blogId, (blog) => {
        const outcome = blog.usedTokens.has(click.tokenId) ? 'used' : isRepeat(blog, click) ? 'repeated' : 'counted';
        return [outcome, outcome === 'used' ? {} : afterClick(blog, click, outcome)];
      }) ?? 'used',
    recordViewable(blogId, impressions) {
      for (const impression of impressions) change(blogId, (blog) => [undefined, afterViewable(blog, impression)]);
    },
    figures: (blogId, query) => figuresOf([...eventsOf(blogId).counts.values()], query),
  };
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

/** The events of a blog, and its campaigns, which decide what is delivered. */
type RecordedBlog = AdEvents & Pick<BlogState, 'campaigns'>;

/** The outcome of a delivery, and the events that it changes. */
function deliver(state: RecordedBlog, delivery: Delivery, at: number): [Delivered, Partial<AdEvents>] {
  const { slots, idempotency, traffic = 'valid' } = delivery;
  const day = dayOf(at, delivery.timeZone);
  const known = idempotency && state.deliveries.get(idempotency.keyHash);
  if (known && known.at > at - LIMITS.idempotencyWindow) {
    const { adIds, deliveryId, day, traffic, campaigns } = known;
    const outcome = known.requestHash === idempotency.requestHash ? 'replayed' : 'mismatched';
    return [{ outcome, adIds, first: { deliveryId, day, traffic, campaigns } }, {}];
  }
  const admitted: string[] = [];
  const plans = plansOf(state, delivery, { at, day });
  const standingOf = (campaignId: string) => {
    const before = admitted.filter((id) => id === campaignId && !isExcluded(delivery)).length;
    return standing({ ...state, plans }, campaignId, { at, day, before });
  };
  const admit = (campaignId: string) => {
    const its = standingOf(campaignId);
    const isAdmitted = its !== undefined && admits(...its);
    if (isAdmitted) admitted.push(campaignId);
    return isAdmitted;
  };
  const behind = (campaignId: string) => {
    const its = standingOf(campaignId);
    return its ? behindPlan(...its) : 0;
  };
  const adIds = fillSlots(delivery, admit, behind);
  const campaigns = campaignsOf(delivery, adIds);
  const counts = slots.reduce((before, { placement }, index) => {
    const adId = adIds[index] ?? '';
    return countsAfter(before, day, { adId, campaignId: campaigns[adId], placement, traffic }, 'delivered');
  }, state.counts);
  const first = idempotency && { ...idempotency, adIds, day, traffic, campaigns, at };
  const deliveries = first
    ? added(state.deliveries, first.keyHash, first, (one) => one.at < at - KEPT)
    : state.deliveries;
  return [
    { outcome: 'counted', adIds },
    { counts, plans, hours: isExcluded(delivery) ? state.hours : hoursAfter(state.hours, at), deliveries },
  ];
}

/** The plans of campaigns, with those that the campaigns of a delivery follow now. */
function plansOf(
  { campaigns, counts, plans }: RecordedBlog,
  delivery: Delivery,
  { at, day }: { readonly at: number; readonly day: string },
): ReadonlyMap<string, Plan> {
  const current = new Map(plans);
  for (const id of new Set(delivery.campaigns?.values())) {
    const campaign = campaigns.get(id);
    const plan = campaign && planOf(campaign, current.get(id), progressOf(counts, id, { day, before: 0 }), at);
    if (plan) current.set(id, plan);
    else current.delete(id);
  }
  return current;
}

/** What a campaign has delivered, and `before` in the same delivery. */
function progressOf(
  counts: AdEvents['counts'],
  campaign: string,
  { day, before }: { readonly day: string; readonly before: number },
) {
  const days = figuresOf([...counts.values()], { by: ['day'], campaign });
  return {
    impressions: days.reduce((sum, { valid }) => sum + valid, before),
    clicks: days.reduce((sum, { clicks }) => sum + clicks, 0),
    today: (days.find((one) => one.day === day)?.valid ?? 0) + before,
  };
}

/** A campaign with its progress, as the rules of campaigns take them. */
function standing(
  { campaigns, counts, hours, plans }: RecordedBlog,
  campaignId: string,
  { at, day, before }: { readonly at: number; readonly day: string; readonly before: number },
): Parameters<typeof admits> | undefined {
  const campaign = campaigns.get(campaignId);
  if (!campaign) return undefined;
  const progress = { ...progressOf(counts, campaignId, { day, before }), plan: plans?.get(campaignId) };
  return [{ ...campaign, ...periodOf(campaign) }, progress, at, weeklyTraffic(hours, at)];
}

function hoursAfter(hours: AdEvents['hours'], at: number): AdEvents['hours'] {
  const hour = hourOf(at);
  const recent = [...hours].filter(([known]) => known >= hour - TRAFFIC_HOURS);
  return new Map(recent).set(hour, (hours.get(hour) ?? 0) + 1);
}

/** The counts after an event of an impression, or of a slot that stayed empty. */
function countsAfter(
  counts: AdEvents['counts'],
  day: string,
  { adId: ad, campaignId: campaign = '', placement = '', traffic = 'valid' }: Impression,
  what: 'delivered' | 'viewable' | 'clicks',
): AdEvents['counts'] {
  const known = new Set([...counts.values()].filter((row) => row.day === day).map((row) => row.placement));
  for (const name of ['', OTHER_PLACEMENT]) known.delete(name);
  const isOwn = placement === '' || isCountedByItself(placement, known);
  const key = { day, ad, campaign, placement: isOwn ? placement : OTHER_PLACEMENT, traffic };
  const text = JSON.stringify(Object.values(key));
  const before = counts.get(text) ?? { ...key, delivered: 0, viewable: 0, clicks: 0 };
  return new Map(counts).set(text, { ...before, [what]: before[what] + 1 });
}

const visitKey = ({ adId, visitor }: Click): string => `${adId} ${visitor}`;

/** Whether a click of this visitor on this ad was counted recently. */
function isRepeat({ countedClicks }: AdEvents, click: Click): boolean {
  const last = click.visitor === undefined ? undefined : countedClicks.get(visitKey(click));
  return last !== undefined && last >= click.repeatSince;
}

/** The events that a click changes. */
function afterClick(state: RecordedBlog, click: Click, outcome: ClickOutcome): Partial<AdEvents> {
  const isOver = (time: number) => time < click.at - KEPT;
  const usedTokens = added(state.usedTokens, click.tokenId, click.tokenExpiresAt, isOver);
  if (outcome !== 'counted') return { usedTokens };
  return {
    usedTokens,
    counts: countsAfter(state.counts, dayOf(click.at, click.timeZone), click, 'clicks'),
    countedClicks:
      click.visitor === undefined ? state.countedClicks : added(state.countedClicks, visitKey(click), click.at, isOver),
  };
}

/** The events that change when an impression is reported as viewable. */
function afterViewable(state: RecordedBlog, impression: ViewableImpression): Partial<AdEvents> {
  const { tokenId, tokenExpiresAt, day } = impression;
  if (state.viewedTokens.has(tokenId)) return {};
  const viewedTokens = added(state.viewedTokens, tokenId, tokenExpiresAt, (time) => time < tokenExpiresAt - KEPT);
  return { viewedTokens, counts: countsAfter(state.counts, day, impression, 'viewable') };
}
