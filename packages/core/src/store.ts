import type {
  Category,
  Post,
  SearchResultItem,
  SnapshotAd,
  SnapshotBlogInput,
  SnapshotCampaign,
  Tag,
} from '@broadsheet/contract';
import type { MaybeEncoded } from './http/response.ts';

/** A value, or a promise of it: a store in memory is synchronous, a database is not. Callers always await it. */
export type Awaitable<T> = T | Promise<T>;

/** The blog that a key opens, with the fields that every request needs. */
export interface Blog {
  readonly id: string;
  /** Hosts whose pages may report clicks; empty allows every page. See {@link originAllowed}. */
  readonly domains: readonly string[];
  /** The time zone of its days, a name of the IANA database; UTC by default. */
  readonly timeZone?: string | undefined;
  /** Changes with every write to the blog's content or ads, and never returns to an earlier value. */
  readonly revision: string;
  /** When its next scheduled post is due, in milliseconds since the epoch; absent when there is none. */
  readonly nextDueAt?: number | undefined;
}

/** Finds the blog of a key; `undefined` for a key that is unknown or revoked. */
export type FindBlog = (apiKey: string) => Promise<Blog | undefined>;

/** A blog at one revision: its lists may be cached until the revision changes. */
export type BlogVersion = Pick<Blog, 'id' | 'revision'>;

/** The part of a list that is requested. */
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
  /** The ids of the ads that may fill it, in order of preference; an empty list leaves it empty. */
  readonly candidates: readonly string[];
  /**
   * The end of each tier of equal candidates in the list. Within a tier, the campaign that is furthest behind its plan
   * comes first. By default, no two candidates are equal.
   */
  readonly tierEnds?: readonly number[] | undefined;
  /** The place on the page, which is the id of the slot; a single delivery has none. */
  readonly placement?: string | undefined;
}

/** Identifies a delivery, so that it can be repeated. */
export interface DeliveryKey {
  /** The idempotency key and a hash of the API key; it stays in use for `LIMITS.idempotencyWindow`. */
  readonly keyHash: string;
  /** A hash of what is requested. */
  readonly requestHash: string;
  /** The id of the delivery, unless this is a replay. */
  readonly deliveryId: string;
}

/**
 * The origin of a delivery: a reader (`valid`) or one of `EXCLUDED`. `unknown` is a call from a server that did
 * not forward the headers of its visitor; it counts like `valid`, and is reported separately.
 */
export type Traffic = 'valid' | 'unknown' | 'bot' | 'prefetch' | 'foreign' | 'burst';

/** Slots to fill and to count. */
export interface Delivery {
  readonly slots: readonly DeliverySlot[];
  /** The campaigns of the candidates, by ad id; absent when no candidate has one. */
  readonly campaigns?: ReadonlyMap<string, string> | undefined;
  readonly idempotency?: DeliveryKey | undefined;
  /** `valid` by default. */
  readonly traffic?: Traffic | undefined;
  /** The time zone of the day under which it is counted; UTC by default. */
  readonly timeZone?: string | undefined;
}

/** The outcome of a delivery. */
export interface Delivered {
  /** `counted`; `replayed`: it was counted before; `mismatched`: its key was used for another request. */
  readonly outcome: 'counted' | 'replayed' | 'mismatched';
  /** The ad of each slot, in order; `undefined` for one that stays empty. */
  readonly adIds: readonly (string | undefined)[];
  /** The row in which a replayed delivery was counted. */
  readonly first?: FirstDelivery;
  /**
   * Campaigns of its candidates that have reached their goals, and admit nothing until they are edited; a store need not
   * report them.
   */
  readonly ended?: readonly string[];
}

/** A delivery with an idempotency key, as it was counted. */
export interface FirstDelivery {
  readonly deliveryId: string;
  readonly day: string;
  readonly traffic: Traffic;
  /** The campaigns of its ads, by ad id. */
  readonly campaigns: Readonly<Record<string, string>>;
}

/**
 * An ad of a delivery, and the row in which its impression was counted: its click and its view are counted there, too.
 */
export interface Impression {
  readonly adId: string;
  readonly campaignId?: string | undefined;
  /** The place on the page; a single delivery has none. */
  readonly placement?: string | undefined;
  /** `valid` by default. */
  readonly traffic?: Traffic | undefined;
}

/** An event of an impression that a click token reports, to be counted once. */
interface TokenEvent extends Impression {
  readonly tokenId: string;
  /** When the token may be forgotten, in milliseconds since the epoch. */
  readonly tokenExpiresAt: number;
}

/** A click that passed every check of the API. Its token is valid for one click. */
export interface Click extends TokenEvent {
  /** The visitor as an opaque string; `undefined` when unknown, which never counts as a repeat. */
  readonly visitor: string | undefined;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The new click is a repeat if one of this visitor on this ad was counted at or after this time. */
  readonly repeatSince: number;
  /** As in {@link Delivery}. */
  readonly timeZone?: string | undefined;
}

/** The outcome of a click: `counted`; `repeated` (accepted, not counted); `used` (the token was used before). */
export type ClickOutcome = 'counted' | 'repeated' | 'used';

/** An impression that a page reported as viewable. Its token stays valid for its click. */
export interface ViewableImpression extends TokenEvent {
  /** The day under which the ad was counted when it was delivered. */
  readonly day: string;
}

/** The keys by which figures can be grouped. */
export type FigureKey = 'day' | 'ad' | 'campaign' | 'placement' | 'traffic';

/** Which counts are added up; by default all of them. */
export interface FiguresQuery<By extends FigureKey = FigureKey> {
  /** There is one figure for each combination of these. */
  readonly by: readonly By[];
  /** The first and the last day, both included (`YYYY-MM-DD`). */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly ad?: string | undefined;
  readonly campaign?: string | undefined;
  readonly placement?: string | undefined;
}

/** Sums of the counts. */
export interface Counts {
  /** Requested slots, including those that stayed empty. */
  readonly requests: number;
  /** Slots that received an ad. */
  readonly delivered: number;
  /** Of these, the ones that come from readers: their traffic is not `EXCLUDED`. */
  readonly valid: number;
  /** Valid impressions that pages reported as viewable. */
  readonly viewable: number;
  /** Clicks on valid impressions. */
  readonly clicks: number;
}

/**
 * The sums of one day (`YYYY-MM-DD`, in the time zone of the blog), ad, campaign, placement or kind of traffic, or of a
 * combination. The ad of a slot that stayed empty is an empty string, and so are a missing campaign and placement.
 */
export type Figure<By extends FigureKey = FigureKey> = Counts & Readonly<Record<By, string>>;

/**
 * Where blogs are stored: a port without logic. Each method is atomic, a single statement or a single transaction. The
 * store knows neither HTTP nor the rules of the API. Every method is bound to one blog; only published posts ever leave
 * the store, as values or as their JSON, except for `previewPost`.
 *
 * Order of posts: `publishedAt` descending, nulls last, then `id` descending (by code unit). Order of categories and
 * tags, in lists and embedded in posts: folded name (see {@link fold}) ascending, then `id` ascending, both by code
 * unit. `_count.posts` counts published posts.
 */
export interface Store {
  /** The blog an API key opens, or `undefined` for a key that is unknown or revoked. */
  findBlog(apiKey: string): Awaitable<Blog | undefined>;
  /**
   * The same blog, if the store has it in memory and it is current. It is returned without a promise, for cached
   * responses.
   */
  peekBlog?(apiKey: string): Blog | undefined;

  listPosts(blog: BlogVersion, range: Range): Awaitable<MaybeEncoded<readonly Post[]>>;
  getPost(blogId: string, id: string): Awaitable<MaybeEncoded<Post> | undefined>;
  getPostBySlug(blogId: string, slug: string): Awaitable<MaybeEncoded<Post> | undefined>;
  /** A post of any status. */
  previewPost(blogId: string, id: string): Awaitable<MaybeEncoded<Post> | undefined>;
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

  /** Every ad with `active`, inside or outside its window, highest priority first. */
  listAds(blogId: string): Awaitable<readonly Ad[]>;
  /** Every campaign, by id (by code unit). */
  listCampaigns(blogId: string): Awaitable<readonly Campaign[]>;
  /**
   * The ids of campaigns that are known to have reached their goals, and admit nothing until they are edited. A store
   * need not know them: it refuses their ads anyway.
   */
  listEnded?(blogId: string): Awaitable<readonly string[]>;
  /**
   * Fills each slot with the first of its candidates that its campaign admits (see `fillSlots`, `planOf`, `admits` and
   * `behindPlan`), and counts every slot, filled or not. Concurrent deliveries exceed no goal and no daily cap.
   * `isCountedByItself` decides which placements of a blog are counted separately on a day; the others count as
   * `OTHER_PLACEMENT`. A delivery whose idempotency key is in use is not counted again: the same request gets the result
   * of the first. `dayOf` decides under which day it is counted. One atomic step, which resolves when it is durable.
   */
  deliver(blogId: string, delivery: Delivery, at: number): Awaitable<Delivered>;
  /** Marks the token as used, and counts the click unless it is a repeat, in one atomic step. */
  recordClick(blogId: string, click: Click): Awaitable<ClickOutcome>;
  /** Counts impressions as viewable, each token once, in one atomic step. */
  recordViewable(blogId: string, impressions: readonly ViewableImpression[]): Awaitable<void>;

  /** Sums of the counts, in the order of `by` (by code unit). A figure exists only where something was counted. */
  figures<const By extends FigureKey>(blogId: string, query: FiguresQuery<By>): Awaitable<readonly Figure<By>[]>;
  /**
   * Writes a blog, all or nothing: items with a known id are replaced, the others are added, none is removed. Omitted
   * timestamps keep their value, or become `now`, and so does the start that an even pace needs (see `withStart`);
   * omitted domains stay, an empty list removes them; an omitted time zone stays. Keys are added to the blog's keys.
   * Rejects when an ad names a campaign that the blog does not have, or when a post names a category or tag that the blog
   * does not have or takes the slug of another post.
   */
  putBlog(blog: SnapshotBlogInput, now: number): Awaitable<void>;
  /**
   * Publishes the scheduled posts that are due at `now` (see `publishedOnTime`) in one atomic step; writes nothing when
   * none is due. Afterwards, {@link findBlog} returns the updated blog. Requests wait for it: if other writes block it,
   * it soon rejects with `StoreUnavailable`, and is called again later.
   */
  publishDuePosts(blogId: string, now: number): Awaitable<void>;
  /** Resolves while events can be counted; rejects otherwise, even if reads still work. */
  check(): Awaitable<void>;
}

/** The methods of a store that the API uses; figures are for reports. */
export type ApiStore = Omit<Store, 'figures'>;

/** The methods of a store that the API uses, except for ads. */
export type ContentStore = Omit<ApiStore, 'deliver' | 'recordClick' | 'recordViewable' | 'listAds' | 'listCampaigns'>;

/**
 * Thrown by a store that is temporarily unavailable and has certainly written nothing: the API returns 503 and the caller
 * may try again.
 */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

/**
 * Thrown by a store that cannot find out whether it has written something, because the connection to its database was
 * lost during the commit. Nobody may write the same again unless that is harmless, so the API returns 500 and says that
 * the request must not be repeated.
 */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';
  /** Private, because it may contain a new key, which must not get into a log. */
  readonly #result: unknown;

  constructor(message: string, { result, ...options }: ErrorOptions & { readonly result?: unknown } = {}) {
    super(message, options);
    this.#result = result;
  }

  /** What the caller would have received if it was written, such as a new key; `undefined` if there is nothing. */
  get result(): unknown {
    return this.#result;
  }
}

/** Whether an error means that the database is away, and nothing is wrong with the server or the caller. */
export const isOutage = (error: unknown): error is StoreUnavailable | OutcomeUnknown =>
  error instanceof StoreUnavailable || error instanceof OutcomeUnknown;
