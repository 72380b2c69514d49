import { accept, type SnapshotAd, SnapshotBlog, type SnapshotBlogInput } from '@broadsheet/contract';
import { type Plan, withStart } from '../ads/campaign.ts';
import { dueTime, nextDueTime, publishedOnTime } from '../content/due-posts.ts';
import { checkPosts, isChanged } from '../content/writing.ts';
import type { Blog, Campaign, Delivered, DeliveryKey, FigureKey, FirstDelivery, Traffic } from '../store.ts';
import { type Published, publish, type StoredCategory, type StoredPost, type StoredTag } from './published.ts';

/**
 * One blog. Every write replaces the whole object, so keeping an earlier state is free. Only events change in place.
 */
export interface BlogState {
  readonly blog: Blog;
  readonly posts: ReadonlyMap<string, StoredPost>;
  readonly categories: ReadonlyMap<string, StoredCategory>;
  readonly tags: ReadonlyMap<string, StoredTag>;
  readonly campaigns: ReadonlyMap<string, Campaign>;
  readonly ads: ReadonlyMap<string, SnapshotAd>;
  readonly published: Published;
  /** The deliveries and clicks of its ads; `undefined` before the first delivery. */
  readonly events?: AdEvents | undefined;
}

/** The deliveries and clicks of the ads of a blog; each of them changes the maps. */
export interface AdEvents {
  readonly counts: Map<string, CountRow>;
  /** Deliveries by hour (see `hourOf`), as far back as the pace of campaigns needs them. */
  readonly hours: Map<number, number>;
  /** The plans of campaigns as of their last delivery; see `planOf`. */
  readonly plans: Map<string, Plan | undefined>;
  /** Token id to the time at which it may be forgotten. */
  readonly usedTokens: Map<string, number>;
  /** The same for the tokens of impressions that were viewable. */
  readonly viewedTokens: Map<string, number>;
  /** Deliveries with an idempotency key, by its hash. */
  readonly deliveries: Map<string, StoredDelivery>;
  /** Ad and visitor to the last click that was counted. */
  readonly countedClicks: Map<string, number>;
}

/** Copies events, or creates empty ones. */
export const copyEvents = (events?: AdEvents): AdEvents => ({
  counts: new Map(events?.counts),
  hours: new Map(events?.hours),
  plans: new Map(events?.plans),
  usedTokens: new Map(events?.usedTokens),
  viewedTokens: new Map(events?.viewedTokens),
  deliveries: new Map(events?.deliveries),
  countedClicks: new Map(events?.countedClicks),
});

/** The counts of one day, ad, campaign, placement and kind of traffic. */
export interface CountRow extends Readonly<Record<FigureKey, string>> {
  readonly traffic: Traffic;
  readonly delivered: number;
  readonly viewable: number;
  readonly clicks: number;
}

interface StoredDelivery extends DeliveryKey, FirstDelivery {
  readonly adIds: Delivered['adIds'];
  /** Milliseconds since the epoch. */
  readonly at: number;
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
  const campaigns = new Map(before?.campaigns);
  for (const item of blog.campaigns) campaigns.set(item.id, withStart(item, now, before?.campaigns.get(item.id)));
  const lost = blog.ads.find(({ campaignId }) => campaignId !== undefined && !campaigns.has(campaignId));
  if (lost) throw new Error(`Ad ${lost.id} names the campaign ${lost.campaignId}, which does not exist.`);
  const domains = (input.domains ? undefined : before?.blog.domains) ?? blog.domains;
  const timeZone = blog.timeZone ?? before?.blog.timeZone;
  const ads = new Map([...(before?.ads ?? []), ...blog.ads.map((ad) => [ad.id, ad] as const)]);
  const content = { posts, categories, tags, campaigns, ads };
  return withPosts({ blog: { id: blog.id, domains, timeZone, revision }, ...content, events: before?.events });
}

/** A blog after its due posts were published; `undefined` when there are none. */
export function publishDuePosts(before: BlogState, now: number, revision: string): BlogState | undefined {
  const due = [...before.posts.values()].filter((post) => (dueTime(post) ?? Number.POSITIVE_INFINITY) <= now);
  if (due.length === 0) return undefined;
  const posts = new Map([...before.posts, ...due.map((post) => [post.id, publishedOnTime(post)] as const)]);
  return withPosts({ ...before, blog: { ...before.blog, revision }, posts });
}

/** A blog with the values that are derived from its posts. */
function withPosts(blog: Omit<BlogState, 'published'>): BlogState {
  const { posts, categories, tags } = blog;
  const nextDueAt = nextDueTime(posts.values());
  const published = publish(posts.values(), categories.values(), tags.values());
  return { ...blog, blog: { ...blog.blog, nextDueAt }, published };
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
    const updatedAt = item.updatedAt ?? (known && !isChanged<object>(known, item) ? known.updatedAt : stamp);
    merged.set(item.id, { ...item, blogId, createdAt, updatedAt });
  }
  return merged;
}
