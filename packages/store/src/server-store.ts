import type { PostStatus, SnapshotAd, SnapshotBlog, SnapshotBlogInput, SnapshotPost } from '@broadsheet/contract';
import type { Awaitable, Range, Store } from '@broadsheet/core';
import type { Sums, SumsQuery } from './events/sums.ts';

/** A blog as the operator sees it. */
export interface BlogRecord {
  readonly id: string;
  readonly name: string;
  readonly domains: readonly string[];
  /** Every post, whatever its status. */
  readonly posts: number;
  readonly ads: number;
}

/** A key as the operator sees it: the key itself is never stored. */
export interface KeyRecord {
  /** The first twelve hex digits of the key's SHA-256: enough to name it. */
  readonly id: string;
  readonly createdAt: string;
  readonly revokedAt: string | null;
}

/** A post as the operator sees it in a list, whatever its status. */
export interface PostRecord {
  readonly id: string;
  readonly title: string;
  readonly slug: string;
  readonly status: PostStatus;
  readonly publishedAt: string | null;
  readonly scheduledAt: string | null;
  readonly updatedAt: string;
}

/** Which posts of a blog are listed; all of them by default. */
export interface PostFilter {
  readonly status?: PostStatus | undefined;
  /** Part of a title or a slug, in any case and without its accents, or a whole id. */
  readonly search?: string | undefined;
  /** By default the order of posts, which is newest first; `-title` is from Z to A. */
  readonly order?: 'newest' | 'oldest' | 'title' | '-title' | undefined;
}

/** When and as of when a post is published. */
export interface Publication {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The instant of publication: one ahead of `now` schedules. By default the date the post has, unless it lies ahead, else `now`. */
  readonly at?: number | undefined;
}

/** Names something in the recycle bin of a blog. */
export interface BinKey {
  readonly kind: 'post' | 'ad';
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly deletedAt: number;
}

/** Something in the recycle bin as the operator sees it. */
export interface BinEntry extends BinKey {
  readonly title: string;
}

/** How an import goes. */
export interface ImportOptions {
  /** Removes posts, categories and tags that the source does not have; ads and keys stay. */
  readonly prune?: boolean;
  /** Leaves blogs that are there their names: those of the source are made up. */
  readonly keepNames?: boolean;
  /** Does everything and takes it back: what comes out is what an import would do. */
  readonly dryRun?: boolean;
  /** Counts posts written; the import goes on when it resolves. */
  readonly onProgress?: ((written: number) => Awaitable<void>) | undefined;
}

/** How much an import took away. */
export interface Pruned {
  readonly posts: number;
  readonly categories: number;
  readonly tags: number;
}

/** What an import did to one blog. */
export interface ImportedBlog {
  readonly id: string;
  /** Posts of the source; {@link newPosts} counts those the blog did not have. */
  readonly posts: number;
  readonly newPosts: number;
  readonly categories: number;
  readonly tags: number;
  readonly ads: number;
  /** Nothing without `prune`. A post that has a new id and its old slug counts as new and as pruned. */
  readonly pruned: Pruned;
  /** The key made for a blog that had none, which nothing gives a second time; `undefined` for the others. */
  readonly newKey: string | undefined;
}

/**
 * What was deleted, in the shape of its blog. Its domains are left out: the import that brings it back takes back
 * nothing else.
 */
export type DeletedPart = Omit<SnapshotBlog, 'domains'>;

/** The store over SQL: the port of the API, and what operators need besides it. */
export interface SqlStore extends Store {
  /** Every blog by id, or the one of an id if there is one. */
  listBlogs(only?: string): Promise<readonly BlogRecord[]>;
  /** @throws BlogExists */
  createBlog(blog: { id: string; name: string; domains: readonly string[] }): Promise<void>;
  /** `false` when there is no such blog, as with the methods below, or when its domains are no longer those before. */
  setDomains(blogId: string, domains: readonly string[], before?: readonly string[]): Promise<boolean>;
  renameBlog(blogId: string, name: string): Promise<boolean>;
  /** Removes a blog with everything it has, counts and keys included: its id and its keys may be given out again. */
  deleteBlog(blogId: string): Promise<boolean>;
  /**
   * Writes every blog in one transaction, by the rules of {@link Store.putBlog}; one that is too large for memory may
   * come in parts.
   *
   * @throws ContentClash
   */
  importBlogs(
    blogs: Iterable<SnapshotBlogInput>,
    now: number,
    options?: ImportOptions,
  ): Promise<readonly ImportedBlog[]>;
  /** The whole blog, drafts and scheduled posts included, without its keys; importing it changes nothing. */
  exportBlog(blogId: string): Promise<SnapshotBlog | undefined>;
  /** The same for a blog of any size: the blog without posts is handed over first, then with some of its posts each time. */
  exportInParts(blogId: string, take: (part: SnapshotBlog) => Awaitable<void>): Promise<void>;

  /** Posts of every status in the order of posts, and how many there are beyond the range. */
  listAllPosts(
    blogId: string,
    filter: PostFilter,
    range: Range,
  ): Promise<{ readonly items: readonly PostRecord[]; readonly total: number }>;
  /** A post of any status; `undefined` when there is none, as with the verbs below. */
  getAnyPost(blogId: string, postId: string): Promise<SnapshotPost | undefined>;
  /** Publishes a post or, at an instant ahead, schedules it. */
  publishPost(blogId: string, postId: string, publication: Publication): Promise<PostRecord | undefined>;
  /** Makes a post a draft; the date it was published at stays. */
  unpublishPost(blogId: string, postId: string, now: number): Promise<PostRecord | undefined>;
  /** Moves a post to the recycle bin and gives the snapshot that brings it back: the blog with that post and its labels alone. */
  deletePost(blogId: string, postId: string, now: number): Promise<DeletedPart | undefined>;
  /** What {@link deletePost} would give. */
  exportPost(blogId: string, postId: string): Promise<DeletedPart | undefined>;

  listKeys(blogId: string): Promise<readonly KeyRecord[]>;
  /** Adds a key given in plain; it is stored as its hash. */
  addKey(blogId: string, apiKey: string, now: number): Promise<void>;
  /** Revokes every key of the blog, or the one with this id; counts those it revoked. */
  revokeKeys(blogId: string, keyId: string | undefined, now: number): Promise<number>;
  /** Revokes every key of the blog and adds the new one, in one step. */
  rotateKey(blogId: string, apiKey: string, now: number): Promise<void>;

  /** Every ad of the blog, paused ones included. */
  listAllAds(blogId: string): Promise<readonly SnapshotAd[]>;
  /** Adds or replaces an ad; `false` when there is no such blog, or the ad is no longer the one before. */
  putAd(blogId: string, ad: SnapshotAd, before?: SnapshotAd): Promise<boolean>;
  setAdActive(blogId: string, adId: string, active: boolean): Promise<boolean>;
  /** Moves an ad to the recycle bin, what it earned stays; gives the snapshot that brings it back: the blog with that ad alone. */
  deleteAd(blogId: string, adId: string, now: number): Promise<DeletedPart | undefined>;
  /** What {@link deleteAd} would give. */
  exportAd(blogId: string, adId: string): Promise<DeletedPart | undefined>;

  /** What was deleted in the last thirty days, pruned posts included, the latest first. */
  listBin(blogId: string, now: number): Promise<readonly BinEntry[]>;
  /** Writes again what was deleted; `undefined` when it is not in the bin. @throws ContentClash */
  restoreFromBin(blogId: string, key: BinKey, now: number): Promise<BinEntry | undefined>;

  /** What ads and placements brought on some days and on those before, added up. */
  sumCounts(blogId: string, query: SumsQuery): Promise<Sums>;

  /**
   * The secret that signs click tokens and keys the hash of visitors. Made at random at the first call and
   * stored in the database, so that every process that shares the database shares it.
   */
  signingSecret(): Promise<string>;

  /**
   * What the store can say of itself for `/metrics`, by name (`pool_connections`, `commits_total`): the names are the
   * same at every call.
   */
  measures?(): Readonly<Record<string, { readonly help: string; readonly value: number }>>;

  /** Lets what was acknowledged become durable, then closes the connections. */
  close(): Promise<void>;
}

/** Thrown when a database was written by a newer version of Broadsheet. */
export class DatabaseTooNew extends Error {
  override readonly name = 'DatabaseTooNew';
}

/** Thrown when a database that must not be given tables has none of Broadsheet's. */
export class NotOurs extends Error {
  override readonly name = 'NotOurs';
}

/** Blogs that an error names. */
const NAMED = 10;

/** Thrown when a database that is to be copied into has blogs. */
export class DatabaseNotEmpty extends Error {
  override readonly name = 'DatabaseNotEmpty';

  /** @param what the database, as the beginning of a sentence */
  constructor(what: string, blogs: readonly string[]) {
    const more = blogs.length > NAMED ? ` and ${blogs.length - NAMED} more` : '';
    const named = `${blogs.length === 1 ? 'the blog' : 'the blogs'} ${blogs.slice(0, NAMED).join(', ')}${more}`;
    super(`${what} is not empty: it has ${named}. Choose one without blogs.`);
  }
}

/** One thing of a written blog that contradicts what the database holds. */
export interface Clash {
  readonly code: 'KEY_IN_USE' | 'SLUG_IN_USE' | 'ID_IN_USE';
  readonly blogId: string;
  /** The post that was to be written; absent when it is no post that clashes. */
  readonly post?: { readonly id: string; readonly title: string };
  /** What it clashes with, and the fix. */
  readonly message: string;
}

/** Thrown when a blog cannot be written beside what the database holds: nothing of it is. */
export class ContentClash extends Error {
  override readonly name = 'ContentClash';
  readonly clashes: readonly Clash[];

  constructor(clashes: readonly Clash[]) {
    super(
      clashes
        .map(({ blogId, post, message }) => `${post ? `post ${post.id} of ` : ''}blog ${blogId}: ${message}`)
        .join('\n'),
    );
    this.clashes = clashes;
  }
}

/** Thrown when a blog of this id exists already. */
export class BlogExists extends Error {
  override readonly name = 'BlogExists';
}
