import type {
  Category,
  Post,
  SearchResultItem,
  SnapshotAd,
  SnapshotBlogInput,
  SnapshotCampaign,
  Tag,
} from '@broadsheet/contract';
import type { MaybeEncoded } from './http/encoded.ts';

/** A value, or a promise of it: memory answers at once, a database does not. */
export type Awaitable<T> = T | Promise<T>;

/** Whether there is something to wait for. Not every promise is of the global class: some libraries replace that. */
export function isPromise<T>(value: Awaitable<T>): value is Promise<T> {
  return typeof (value as Partial<Promise<T>> | null | undefined)?.then === 'function';
}

/** The blog a key opens, with what every request needs of it. */
export interface Blog {
  readonly id: string;
  /** Hosts whose pages may report clicks; empty allows every page. See {@link originAllowed}. */
  readonly domains: readonly string[];
  /** Changes with every write to the blog's content or ads, and never returns to an earlier value. */
  readonly revision: string;
  /** When its next scheduled post is due, in milliseconds since the epoch; absent when there is none. */
  readonly nextDueAt?: number | undefined;
}

/** A blog as it was when a request came: lists of it may be remembered until its revision changes. */
export type BlogVersion = Pick<Blog, 'id' | 'revision'>;

/** A cut of a list. */
export interface Range {
  readonly offset: number;
  readonly limit: number;
}

/** Part of a list of posts, and how many posts the whole list has. */
export interface CountedPosts {
  readonly items: MaybeEncoded<readonly Post[]>;
  readonly total: number;
}

/** An ad as it is stored. */
export type Ad = SnapshotAd;

/** A campaign as it is stored. */
export type Campaign = SnapshotCampaign;

/** One slot of a delivery. */
export interface DeliverySlot {
  /** The ids of the ads that may fill it, in the order of choice; none leaves it empty. */
  readonly candidates: readonly string[];
  /** The place on the page, which is the id of the slot; a single delivery has none. */
  readonly placement?: string | undefined;
}

/** What allows a delivery to be repeated. */
export interface DeliveryKey {
  /** Stands for the API key and the idempotency key of the request; it is in use for `LIMITS.idempotencyWindow`. */
  readonly keyHash: string;
  /** Stands for what is requested. */
  readonly requestHash: string;
  /** The id of the delivery, unless this is a replay. */
  readonly deliveryId: string;
}

/** Why an impression is not one of a reader. */
export const EXCLUDED = ['bot', 'prefetch', 'foreign', 'burst'] as const;

/**
 * From where a delivery comes: from a reader, or from one of {@link EXCLUDED}. Of `unknown`, a server's call without the
 * headers of its visitor, it cannot be said; it counts like a reader's, and is shown apart.
 */
export type Traffic = 'valid' | 'unknown' | (typeof EXCLUDED)[number];

/** Slots that are to be filled, and counted. */
export interface Delivery {
  readonly slots: readonly DeliverySlot[];
  /** The campaigns of candidates, by the id of the ad; absent when none of them has one. */
  readonly campaigns?: ReadonlyMap<string, string> | undefined;
  readonly idempotency?: DeliveryKey | undefined;
  /** `valid` by default; what is excluded does not count for goals, caps and the pace of campaigns. */
  readonly traffic?: Traffic | undefined;
}

/** Whether a delivery counts for campaigns. */
export const isExcluded = ({ traffic }: Delivery): boolean => (EXCLUDED as readonly unknown[]).includes(traffic);

/** What became of a delivery. */
export interface Delivered {
  /** `counted`; `replayed`: it was counted before; `mismatched`: its key was used for another request. */
  readonly outcome: 'counted' | 'replayed' | 'mismatched';
  /** The ad of each slot, in order; `undefined` for one that stays empty. */
  readonly adIds: readonly (string | undefined)[];
  /** The id of the delivery that is replayed. */
  readonly deliveryId?: string;
}

/** A click that passed every check of the API and is to be counted, once. */
export interface Click {
  /** The token's own id: valid for one click. */
  readonly tokenId: string;
  /** When the token may be forgotten, in milliseconds since the epoch. */
  readonly tokenExpiresAt: number;
  readonly adId: string;
  /** The placement of the delivery that the click follows. */
  readonly placement?: string | undefined;
  /** Who clicked, as an opaque word; `undefined` when that is not known, which never counts as a repeat. */
  readonly visitor: string | undefined;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** A click of this visitor on this ad that was counted at or after this instant makes the new one a repeat. */
  readonly repeatSince: number;
}

/** What became of a click: `counted`; `repeated` (accepted, not counted); `used` (the token had its click). */
export type ClickOutcome = 'counted' | 'repeated' | 'used';

/** What one ad earned on one day (UTC, `YYYY-MM-DD`). */
export interface DayCount {
  readonly day: string;
  readonly adId: string;
  readonly impressions: number;
  readonly clicks: number;
}

/** Impressions of an ad on one day (UTC) that did not come from a known reader. */
export interface TrafficCount {
  readonly day: string;
  readonly adId: string;
  readonly traffic: Exclude<Traffic, 'valid'>;
  readonly impressions: number;
}

/** What one campaign brought on one day (UTC, `YYYY-MM-DD`). */
export interface CampaignCount {
  readonly day: string;
  readonly campaignId: string;
  readonly impressions: number;
  readonly clicks: number;
}

/** What one placement brought on one day (UTC, `YYYY-MM-DD`), by the ads that filled it. */
export interface PlacementCount {
  readonly day: string;
  readonly placement: string;
  /** `undefined` for the slots that stayed empty. */
  readonly adId: string | undefined;
  /** Slots that were requested: with an ad as many as its impressions. */
  readonly asked: number;
  readonly impressions: number;
  readonly clicks: number;
}

/** Days from one to another, both included (`YYYY-MM-DD`); without an end that is left out. */
export interface DayRange {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/**
 * Where blogs are stored: a port without logic, whose methods are atomic, each one statement or one transaction. It
 * knows neither HTTP nor a rule of the API. Every method is bound to one blog; only published posts ever leave it, as values or as their JSON.
 *
 * Order of posts: `publishedAt` descending, nulls last, then `id` descending (by code unit). Order of categories and
 * tags, in lists and embedded in posts: folded name (see {@link fold}) ascending, then `id` ascending, both by code
 * unit. `_count.posts` counts published posts.
 */
export interface Store {
  /** The blog an API key opens, or `undefined` for a key that is unknown or revoked. */
  findBlog(apiKey: string): Awaitable<Blog | undefined>;

  listPosts(blog: BlogVersion, range: Range): Awaitable<MaybeEncoded<readonly Post[]>>;
  getPost(blogId: string, id: string): Awaitable<MaybeEncoded<Post> | undefined>;
  getPostBySlug(blogId: string, slug: string): Awaitable<MaybeEncoded<Post> | undefined>;
  /**
   * Posts whose folded title and subtitle, joined by a line feed, contain every one of the folded `terms` as
   * substrings; those with more of the terms in the title come first, then the order of posts.
   */
  searchPosts(blogId: string, terms: readonly string[], range: Range): Awaitable<readonly SearchResultItem[]>;

  listCategories(blogId: string): Awaitable<readonly Category[]>;
  getCategory(blogId: string, id: string): Awaitable<Category | undefined>;
  /** `undefined` when there is no such category. */
  listCategoryPosts(blog: BlogVersion, categoryId: string, range: Range): Awaitable<CountedPosts | undefined>;
  listTags(blogId: string): Awaitable<readonly Tag[]>;
  getTag(blogId: string, id: string): Awaitable<Tag | undefined>;
  /** `undefined` when there is no such tag. */
  listTagPosts(blog: BlogVersion, tagId: string, range: Range): Awaitable<CountedPosts | undefined>;

  /** Every ad with `active`, whatever its window, highest priority first. */
  listAds(blogId: string): Awaitable<readonly Ad[]>;
  /** Every campaign, by id (by code unit). */
  listCampaigns(blogId: string): Awaitable<readonly Campaign[]>;
  /**
   * Fills each slot with the first of its candidates that is admitted by its campaign (see `fillSlots` and `admits`), and
   * counts an impression for it. No goal and no daily cap is exceeded, whatever runs beside it. A slot that has a placement is counted under that, filled or not. `isCountedByItself` decides which placements a
   * blog counts by themselves on a day; the others count as `OTHER_PLACEMENT`. A delivery whose idempotency key is in
   * use is not counted again: for the same request the result is that of the first. One atomic step, whatever runs
   * beside it; resolves when it is durable.
   */
  deliver(blogId: string, delivery: Delivery, at: number): Awaitable<Delivered>;
  /** Uses the token up and counts the click unless it is a repeat: one atomic step, whatever runs beside it. */
  recordClick(blogId: string, click: Click): Awaitable<ClickOutcome>;

  /** What the ads earned, by day ascending, then ad id. */
  countsByDay(blogId: string, days?: DayRange): Awaitable<readonly DayCount[]>;
  /** Impressions that are not `valid`, by day ascending, then ad id, then traffic. */
  countsByTraffic(blogId: string, days?: DayRange): Awaitable<readonly TrafficCount[]>;
  /** What the campaigns brought, by day ascending, then campaign id. */
  countsByCampaign(blogId: string, days?: DayRange): Awaitable<readonly CampaignCount[]>;
  /** What the placements brought, by day ascending, then placement, then ad id, empty slots first. */
  countsByPlacement(blogId: string, days?: DayRange): Awaitable<readonly PlacementCount[]>;
  /**
   * Writes a blog: what has an id already is replaced, the rest is added, nothing is removed; all or nothing.
   * Timestamps left out keep their value, else are `now`; domains left out stay, an empty list removes them. Keys given
   * are added to the blog's keys. Rejects when an ad names a campaign that the blog does not have, or a post names a
   * category or tag that it does not have, or takes the slug of another post of the blog.
   */
  putBlog(blog: SnapshotBlogInput, now: number): Awaitable<void>;
  /**
   * Publishes the scheduled posts that are due at `now` (see `publishedOnTime`): one atomic step, and none where
   * nothing is due. Once it is done, {@link findBlog} gives the blog as it is then. Requests wait for it: where other
   * writes are in its way, it soon rejects with `StoreUnavailable`, and is called again later.
   */
  publishDuePosts(blogId: string, now: number): Awaitable<void>;
  /** Resolves while events can be counted; rejects otherwise, also when reads go on. */
  check(): Awaitable<void>;
}

/** Thrown by a store that cannot be reached for now: the API answers 503 and the caller may try again. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}
