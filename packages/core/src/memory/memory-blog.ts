import { accept, LIMITS, type SnapshotAd, SnapshotBlog, type SnapshotBlogInput } from '@broadsheet/contract';
import { admits, fillSlots, hourOf, TRAFFIC_HOURS, weeklyTraffic } from '../ads/campaign.ts';
import { isCountedByItself, OTHER_PLACEMENT } from '../ads/placement.ts';
import { checkPosts } from '../content/check-posts.ts';
import { dueTime, nextDueTime, publishedOnTime } from '../content/due-posts.ts';
import {
  type Blog,
  type Campaign,
  type CampaignCount,
  type Click,
  type ClickOutcome,
  type DayCount,
  type Delivered,
  type Delivery,
  type DeliveryKey,
  isExcluded,
  type PlacementCount,
  type TrafficCount,
  type ViewableImpression,
} from '../store.ts';
import { type Published, publish, type StoredCategory, type StoredPost, type StoredTag } from './published.ts';

/** One blog; every write replaces it as a whole, so that keeping an earlier state costs nothing. */
export interface BlogState {
  readonly blog: Blog;
  readonly posts: ReadonlyMap<string, StoredPost>;
  readonly categories: ReadonlyMap<string, StoredCategory>;
  readonly tags: ReadonlyMap<string, StoredTag>;
  readonly campaigns: ReadonlyMap<string, Campaign>;
  readonly ads: ReadonlyMap<string, SnapshotAd>;
  readonly published: Published;
  readonly counts: ReadonlyMap<string, DayCount>;
  readonly traffic: ReadonlyMap<string, TrafficCount>;
  readonly campaignCounts: ReadonlyMap<string, CampaignCount>;
  /** Deliveries by hour (see {@link hourOf}), as far back as the pace of campaigns needs them. */
  readonly hours: ReadonlyMap<number, number>;
  readonly placements: ReadonlyMap<string, PlacementCount>;
  /** Token id to the instant at which it may be forgotten. */
  readonly usedTokens: ReadonlyMap<string, number>;
  /** The same for the tokens of impressions that were viewable. */
  readonly viewedTokens: ReadonlyMap<string, number>;
  /** Deliveries with an idempotency key, by its hash. */
  readonly deliveries: ReadonlyMap<string, StoredDelivery>;
  /** Ad and visitor to the last click that was counted. */
  readonly countedClicks: ReadonlyMap<string, number>;
}

type Counts = Pick<BlogState, 'counts' | 'placements'>;

interface StoredDelivery extends DeliveryKey {
  readonly adIds: Delivered['adIds'];
  readonly excluded: boolean;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** The outcome of a delivery, and the parts of the blog that it changes. */
export function deliver(state: BlogState, delivery: Delivery, at: number): [Delivered, Partial<BlogState>] {
  const { counts, placements } = state;
  const { slots, idempotency } = delivery;
  const excluded = isExcluded(delivery);
  let { campaignCounts, deliveries } = state;
  const known = idempotency && deliveries.get(idempotency.keyHash);
  if (known && known.at > at - LIMITS.idempotencyWindow) {
    const outcome = known.requestHash === idempotency.requestHash ? 'replayed' : 'mismatched';
    return [{ outcome, adIds: known.adIds, deliveryId: known.deliveryId, excluded: known.excluded }, {}];
  }
  const adIds = fillSlots(delivery, (campaignId) => {
    const admitted = isAdmitted({ ...state, campaignCounts }, campaignId, at);
    const counts = excluded ? { excluded: 1 } : { impressions: 1 };
    if (admitted) campaignCounts = campaignCountsAfter(campaignCounts, campaignId, at, counts);
    return admitted;
  });
  const counted = slots.reduce<Counts>(
    (before, { placement }, index) => {
      const adId = adIds[index];
      const filled = adId ? { impressions: 1, excluded: excluded ? 1 : 0 } : {};
      return countsAfter(before, { adId, placement }, at, { asked: 1, ...filled });
    },
    { counts, placements },
  );
  // Deliveries are never removed, for the reason given in `afterClick`.
  if (idempotency) deliveries = new Map(deliveries).set(idempotency.keyHash, { ...idempotency, adIds, excluded, at });
  return [
    { outcome: 'counted', adIds },
    {
      ...counted,
      traffic: trafficAfter(state.traffic, adIds, delivery.traffic, at),
      campaignCounts,
      hours: hoursAfter(state.hours, at),
      deliveries,
    },
  ];
}

function isAdmitted({ campaigns, campaignCounts, hours }: BlogState, campaignId: string, at: number): boolean {
  const campaign = campaigns.get(campaignId);
  const own = [...campaignCounts.values()].filter((count) => count.campaignId === campaignId);
  const sum = (what: 'impressions' | 'clicks') => own.reduce((total, count) => total + count[what], 0);
  const today = own.find(({ day }) => day === dayOf(at))?.impressions ?? 0;
  const progress = { impressions: sum('impressions'), clicks: sum('clicks'), today };
  return campaign !== undefined && admits(campaign, progress, at, weeklyTraffic(hours, at));
}

function campaignCountsAfter(
  counts: BlogState['campaignCounts'],
  campaignId: string,
  at: number,
  added: Added,
): BlogState['campaignCounts'] {
  const day = dayOf(at);
  return new Map(counts).set(day + campaignId, { day, campaignId, ...sumOf(counts.get(day + campaignId), added) });
}

/** The counts that an event adds; those left out are 0. */
type Added = Partial<Omit<DayCount, 'day' | 'adId'>> & { readonly asked?: number };

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
  counts: BlogState['traffic'],
  adIds: Delivered['adIds'],
  traffic: Delivery['traffic'] = 'valid',
  at: number,
): BlogState['traffic'] {
  if (traffic === 'valid') return counts;
  const day = dayOf(at);
  const after = new Map(counts);
  for (const adId of adIds) {
    if (adId === undefined) continue;
    const key = `${day}${adId} ${traffic}`;
    after.set(key, { day, adId, traffic, impressions: (after.get(key)?.impressions ?? 0) + 1 });
  }
  return after;
}

function hoursAfter(hours: BlogState['hours'], at: number): BlogState['hours'] {
  const hour = hourOf(at);
  const recent = [...hours].filter(([known]) => known >= hour - TRAFFIC_HOURS);
  return new Map(recent).set(hour, (hours.get(hour) ?? 0) + 1);
}

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** The counts after an event: those of its ad and those of its placement, if it has them. */
function countsAfter(
  { counts, placements }: Counts,
  { adId, placement }: { readonly adId?: string | undefined; readonly placement?: string | undefined },
  at: number,
  added: Added,
): Counts {
  const day = dayOf(at);
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
    const asked = (before?.asked ?? 0) + (added.asked ?? 0);
    const count = { day, placement: name, adId, asked, ...sumOf(before, added) };
    placements = new Map(placements).set(key, count);
  }
  return { counts, placements };
}

const visitKey = ({ adId, visitor }: Click): string => `${adId} ${visitor}`;

/** Whether a click of this visitor on this ad was counted recently. */
export function isRepeat({ countedClicks }: BlogState, click: Click): boolean {
  const last = click.visitor === undefined ? undefined : countedClicks.get(visitKey(click));
  return last !== undefined && last >= click.repeatSince;
}

/** The parts of a blog that a click changes. */
export function afterClick(state: BlogState, click: Click, outcome: ClickOutcome): Partial<BlogState> {
  // Tokens are never removed: a clock that was set to the future may be set back, and then a token is valid again.
  const usedTokens = new Map(state.usedTokens).set(click.tokenId, click.tokenExpiresAt);
  if (outcome !== 'counted') return { usedTokens };
  return {
    usedTokens,
    ...eventAfter(state, click, click.at, { clicks: 1 }),
    countedClicks:
      click.visitor === undefined ? state.countedClicks : new Map(state.countedClicks).set(visitKey(click), click.at),
  };
}

/** A blog after an impression was reported as viewable. */
export function afterViewable(state: BlogState, impression: ViewableImpression): BlogState {
  const { tokenId, tokenExpiresAt, deliveredAt } = impression;
  if (state.viewedTokens.has(tokenId)) return state;
  const viewedTokens = new Map(state.viewedTokens).set(tokenId, tokenExpiresAt);
  return { ...state, viewedTokens, ...eventAfter(state, impression, deliveredAt, { viewable: 1 }) };
}

/** The counts after an event of an ad, including those of its campaign. */
function eventAfter(
  state: BlogState,
  event: Pick<Click, 'adId' | 'placement'>,
  at: number,
  added: Added,
): Counts & Pick<BlogState, 'campaignCounts'> {
  const { campaignId } = state.ads.get(event.adId) ?? {};
  const { campaignCounts: before } = state;
  const campaignCounts = campaignId === undefined ? before : campaignCountsAfter(before, campaignId, at, added);
  return { campaignCounts, ...countsAfter(state, event, at, added) };
}

/** A blog after a write: items with a known id are replaced, the others added. @throws Error when it is inconsistent */
export function putBlog(
  before: BlogState | undefined,
  input: SnapshotBlogInput,
  now: number,
  revision: string,
): BlogState {
  const read = accept(SnapshotBlog, input);
  if (!read.ok) throw new Error(`blog ${input.id}: ${read.fields.map(({ message }) => message).join('; ')}`);
  const blog = read.value;
  const stamp = new Date(now).toISOString();
  const categories: ReadonlyMap<string, StoredCategory> = merge(blog.id, before?.categories, blog.categories, stamp);
  const tags: ReadonlyMap<string, StoredTag> = merge(blog.id, before?.tags, blog.tags, stamp);
  const posts: ReadonlyMap<string, StoredPost> = merge(blog.id, before?.posts, blog.posts, stamp);
  checkPosts(posts.values(), categories, tags);
  const campaigns = new Map([...(before?.campaigns ?? []), ...blog.campaigns.map((item) => [item.id, item] as const)]);
  const lost = blog.ads.find(({ campaignId }) => campaignId !== undefined && !campaigns.has(campaignId));
  if (lost) throw new Error(`Ad ${lost.id} names the campaign ${lost.campaignId}, which does not exist.`);
  const domains = (input.domains ? undefined : before?.blog.domains) ?? blog.domains;
  return {
    ...withPosts({ blog: { id: blog.id, domains, revision }, posts, categories, tags }),
    campaigns,
    ads: new Map([...(before?.ads ?? []), ...blog.ads.map((ad) => [ad.id, ad] as const)]),
    counts: before?.counts ?? new Map(),
    traffic: before?.traffic ?? new Map(),
    campaignCounts: before?.campaignCounts ?? new Map(),
    hours: before?.hours ?? new Map(),
    placements: before?.placements ?? new Map(),
    usedTokens: before?.usedTokens ?? new Map(),
    viewedTokens: before?.viewedTokens ?? new Map(),
    deliveries: before?.deliveries ?? new Map(),
    countedClicks: before?.countedClicks ?? new Map(),
  };
}

/** A blog after its due posts were published; `undefined` when there are none. */
export function publishDuePosts(before: BlogState, now: number, revision: string): BlogState | undefined {
  const due = [...before.posts.values()].filter((post) => (dueTime(post) ?? Number.POSITIVE_INFINITY) <= now);
  if (due.length === 0) return undefined;
  const posts = new Map([...before.posts, ...due.map((post) => [post.id, publishedOnTime(post)] as const)]);
  return { ...before, ...withPosts({ ...before, blog: { ...before.blog, revision }, posts }) };
}

type Content = Pick<BlogState, 'blog' | 'posts' | 'categories' | 'tags'>;

/** Content with the values that are derived from it. */
function withPosts({ blog, posts, categories, tags }: Content): Content & Pick<BlogState, 'published'> {
  return {
    blog: { ...blog, nextDueAt: nextDueTime(posts.values()) },
    posts,
    categories,
    tags,
    published: publish(posts.values(), categories.values(), tags.values()),
  };
}

interface Stamped {
  readonly blogId: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

function merge<
  T extends { readonly id: string; readonly createdAt?: string | undefined; readonly updatedAt?: string | undefined },
>(
  blogId: string,
  before: ReadonlyMap<string, Omit<T, keyof Stamped> & Stamped> | undefined,
  items: readonly T[],
  stamp: string,
): Map<string, Omit<T, keyof Stamped> & Stamped> {
  const merged = new Map(before);
  for (const item of items) {
    const known = before?.get(item.id);
    const createdAt = item.createdAt ?? known?.createdAt ?? stamp;
    const updatedAt = item.updatedAt ?? known?.updatedAt ?? stamp;
    merged.set(item.id, { ...item, blogId, createdAt, updatedAt });
  }
  return merged;
}
