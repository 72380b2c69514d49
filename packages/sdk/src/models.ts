/**
 * The resources of the API as plain interfaces, so that the types of the client need no schema library.
 * `models.test-d.ts` proves that each is what the contract's schema says.
 */

/**
 * The states a post can be in; public answers only ever carry `PUBLISHED` (api.md 3). Open, as every enumeration the
 * server answers with: a newer server may have one more, and a `switch` needs its `default`.
 */
export type PostStatus = 'PUBLISHED' | 'DRAFT' | 'SCHEDULED' | (string & {});

/** A category as a post carries it. */
export interface EmbeddedCategory {
  id: string;
  name: string;
  description: string;
  blogId: string;
}

/** A tag as a post carries it. */
export interface EmbeddedTag {
  id: string;
  name: string;
  blogId: string;
}

/** A published post (api.md 2). Timestamps are ISO 8601 in UTC. */
export interface Post {
  id: string;
  title: string;
  subtitle: string;
  /** The body: HTML or Markdown, as the editor made it. Sanitize it before it is put into a page. */
  content: string;
  /** Readable identifier for URLs. */
  slug: string;
  status: PostStatus;
  publishedAt: string | null;
  scheduledAt: string | null;
  blogId: string;
  authorId: string;
  createdAt: string;
  updatedAt: string;
  categories: EmbeddedCategory[];
  tags: EmbeddedTag[];
}

type Kept = 'id' | 'title' | 'slug' | 'status' | 'publishedAt';

/** A post in the list of a category or a tag: everything but these five fields may be absent (api.md 2). */
export type PostSummary = Pick<Post, Kept> & { [Field in Exclude<keyof Post, Kept>]?: Post[Field] | undefined };

/** How many published posts a category or a tag has. */
export interface PostCount {
  posts: number;
}

/** A category of the blog (api.md 2). */
export interface Category {
  id: string;
  name: string;
  description: string;
  blogId: string;
  createdAt: string;
  updatedAt: string;
  _count: PostCount;
}

/** A tag of the blog (api.md 2). */
export interface Tag {
  id: string;
  name: string;
  blogId: string;
  createdAt: string;
  updatedAt: string;
  _count: PostCount;
}

/** A post as a search finds it (api.md 2). */
export interface SearchResultItem {
  id: string;
  title: string;
  subtitle: string | null;
  slug: string;
  coverUrl: string | null;
  publishedAt: string | null;
}

/** What was searched, and how much of it one page holds. */
export interface SearchMeta {
  /** The term as the server read it: trimmed, white space collapsed. */
  q: string;
  limit: number;
  offset: number;
  count: number;
}

/** Where a page stands in its collection (api.md 2). */
export interface Pagination {
  page: number;
  pageSize: number;
  total: number;
  totalPages: number;
  hasNextPage: boolean;
  hasPrevPage: boolean;
}

/** The places an ad can be made for (api.md 2). Closed: the client asks for them, and answers repeat what it asked for. */
export type AdFormat = 'BANNER' | 'SIDEBAR' | 'POPUP' | 'INLINE' | 'NATIVE';

/** An ad that was delivered; its impression is counted. */
export interface FilledAd {
  filled: true;
  id: string;
  imageUrl?: string | null | undefined;
  linkUrl?: string | null | undefined;
  title?: string | null | undefined;
  content?: string | null | undefined;
  linkText?: string | null | undefined;
  /** Registers one click; valid for ten minutes. */
  clickToken: string;
}

/** The news that there is no ad for a format. */
export interface UnfilledAd {
  filled: false;
}

/** One ad, or the news that there is none (api.md 2). */
export type AdDeliveryResult = FilledAd | UnfilledAd;

/** A place that asks for an ad. */
export interface AdSlot {
  /** Chosen by the caller, 1 to 200 characters; comes back with the result. */
  slotId: string;
  format: AdFormat;
}

/** The result for one slot of a batch (api.md 2). */
export type AdDeliverySlotResult = (AdSlot & FilledAd) | (AdSlot & UnfilledAd);

/** The answer of both tracking endpoints (api.md 4.5): there is no other success. */
export interface AdTrackingResult {
  status: 'ok';
}

/** What a success of each endpoint carries. */
export interface Payloads {
  'posts.list': Post[];
  'posts.get': Post;
  'posts.getBySlug': Post;
  'categories.list': Category[];
  'categories.get': Category;
  'categories.posts': PostSummary[];
  'tags.list': Tag[];
  'tags.get': Tag;
  'tags.posts': PostSummary[];
  search: { data: SearchResultItem[]; meta: SearchMeta };
  'ads.deliver': AdDeliveryResult;
  'ads.deliverBatch': AdDeliverySlotResult[];
  'ads.click': AdTrackingResult;
  'ads.impression': AdTrackingResult;
}

/** One field that did not pass (api.md 7). */
export interface FieldError {
  /** A dotted path such as `slots.3.format`. */
  field: string;
  message: string;
  /** Such as `too_small`. */
  code: string;
}
