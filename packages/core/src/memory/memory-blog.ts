import { accept, type SnapshotAd, SnapshotBlog, type SnapshotBlogInput } from '@broadsheet/contract';
import { isCountedByItself, OTHER_PLACEMENT } from '../ads/placement.ts';
import { checkPosts } from '../content/check-posts.ts';
import { dueTime, nextDueTime, publishedOnTime } from '../content/due-posts.ts';
import type { Blog, Click, ClickOutcome, DayCount, PlacementCount, SlotDelivery } from '../store.ts';
import { type Published, publish, type StoredCategory, type StoredPost, type StoredTag } from './published.ts';

/** One blog; replaced as a whole with every write, so that a state costs nothing to keep. */
export interface BlogState {
  readonly blog: Blog;
  readonly posts: ReadonlyMap<string, StoredPost>;
  readonly categories: ReadonlyMap<string, StoredCategory>;
  readonly tags: ReadonlyMap<string, StoredTag>;
  readonly ads: ReadonlyMap<string, SnapshotAd>;
  readonly published: Published;
  readonly counts: ReadonlyMap<string, DayCount>;
  readonly placements: ReadonlyMap<string, PlacementCount>;
  /** Token id to the instant it may be forgotten. */
  readonly usedTokens: ReadonlyMap<string, number>;
  /** Ad and visitor to the last click that was counted. */
  readonly countedClicks: ReadonlyMap<string, number>;
}

type Counts = Pick<BlogState, 'counts' | 'placements'>;

/** The counts after one slot was delivered. */
export function afterSlot({ counts, placements }: Counts, { adId, placement }: SlotDelivery, at: number): Counts {
  return {
    counts: adId === undefined ? counts : countsAfter(counts, adId, at, { impressions: 1 }),
    placements: placementsAfter(placements, { adId, placement }, at, {
      asked: 1,
      impressions: adId === undefined ? 0 : 1,
    }),
  };
}

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** The counts of placements after an event; those of what has no placement stay as they are. */
function placementsAfter(
  counts: BlogState['placements'],
  { adId, placement }: SlotDelivery,
  at: number,
  { asked = 0, impressions = 0, clicks = 0 }: { asked?: number; impressions?: number; clicks?: number },
): BlogState['placements'] {
  if (placement === undefined) return counts;
  const day = dayOf(at);
  const ofDay = [...counts.values()].filter((count) => count.day === day && count.placement !== OTHER_PLACEMENT);
  const known = new Set(ofDay.map((count) => count.placement));
  const name = isCountedByItself(placement, known) ? placement : OTHER_PLACEMENT;
  const key = JSON.stringify([day, name, adId]);
  const before = counts.get(key);
  return new Map(counts).set(key, {
    day,
    placement: name,
    adId,
    asked: (before?.asked ?? 0) + asked,
    impressions: (before?.impressions ?? 0) + impressions,
    clicks: (before?.clicks ?? 0) + clicks,
  });
}

/** The counts after an event of an ad. */
function countsAfter(
  counts: ReadonlyMap<string, DayCount>,
  adId: string,
  at: number,
  { impressions = 0, clicks = 0 }: { impressions?: number; clicks?: number },
): ReadonlyMap<string, DayCount> {
  const day = dayOf(at);
  const key = `${day} ${adId}`;
  const before = counts.get(key);
  return new Map(counts).set(key, {
    day,
    adId,
    impressions: (before?.impressions ?? 0) + impressions,
    clicks: (before?.clicks ?? 0) + clicks,
  });
}

const visitKey = ({ adId, visitor }: Click): string => `${adId} ${visitor}`;

/** Whether this visitor's click on this ad was counted lately. */
export function isRepeat({ countedClicks }: BlogState, click: Click): boolean {
  const last = click.visitor === undefined ? undefined : countedClicks.get(visitKey(click));
  return last !== undefined && last >= click.repeatSince;
}

/** The parts of a blog that a click changes. */
export function afterClick(state: BlogState, click: Click, outcome: ClickOutcome): Partial<BlogState> {
  // None is forgotten: a clock that went ahead may go back, and then a token is good again.
  const usedTokens = new Map(state.usedTokens).set(click.tokenId, click.tokenExpiresAt);
  if (outcome !== 'counted') return { usedTokens };
  return {
    usedTokens,
    counts: countsAfter(state.counts, click.adId, click.at, { clicks: 1 }),
    placements: placementsAfter(state.placements, click, click.at, { clicks: 1 }),
    ...(click.visitor !== undefined && {
      countedClicks: new Map(state.countedClicks).set(visitKey(click), click.at),
    }),
  };
}

/** A blog after a write: what has an id already is replaced, the rest is added. @throws Error when it does not fit */
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
  return {
    ...withPosts({ blog: { id: blog.id, domains: blog.domains, revision }, posts, categories, tags }),
    ads: new Map([...(before?.ads ?? []), ...blog.ads.map((ad) => [ad.id, ad] as const)]),
    counts: before?.counts ?? new Map(),
    placements: before?.placements ?? new Map(),
    usedTokens: before?.usedTokens ?? new Map(),
    countedClicks: before?.countedClicks ?? new Map(),
  };
}

/** A blog after its posts that are due were published; `undefined` when there are none. */
export function publishDuePosts(before: BlogState, now: number, revision: string): BlogState | undefined {
  const due = [...before.posts.values()].filter((post) => (dueTime(post) ?? Number.POSITIVE_INFINITY) <= now);
  if (due.length === 0) return undefined;
  const posts = new Map([...before.posts, ...due.map((post) => [post.id, publishedOnTime(post)] as const)]);
  return { ...before, ...withPosts({ ...before, blog: { ...before.blog, revision }, posts }) };
}

type Content = Pick<BlogState, 'blog' | 'posts' | 'categories' | 'tags'>;

/** Content with what follows from it. */
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
