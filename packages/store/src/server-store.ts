import type { SnapshotAd, SnapshotBlog, SnapshotBlogInput } from '@broadsheet/contract';
import type { Store } from '@broadsheet/core';
import type { PeopleStore } from './people/people-store.ts';

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

/** What an import did to one blog. */
export interface ImportedBlog {
  readonly id: string;
  readonly posts: number;
  readonly categories: number;
  readonly tags: number;
  readonly ads: number;
  /** The key made for a blog that had none, to be shown once; `undefined` for the others. */
  readonly newKey: string | undefined;
}

/** The store of a server: the port of the API, and what the command line needs beside it. */
export interface ServerStore extends Store, PeopleStore {
  listBlogs(): Promise<readonly BlogRecord[]>;
  /** @throws BlogExists */
  createBlog(blog: { id: string; name: string; domains: readonly string[] }): Promise<void>;
  /** `false` when there is no such blog; the same for the methods below. */
  setDomains(blogId: string, domains: readonly string[]): Promise<boolean>;
  /**
   * Writes every blog in one transaction, by the rules of {@link Store.putBlog}; one that is too large for memory may
   * come in parts. `onProgress` counts posts written.
   */
  importBlogs(
    blogs: Iterable<SnapshotBlogInput>,
    now: number,
    onProgress?: (written: number) => void,
  ): Promise<readonly ImportedBlog[]>;
  /** The whole blog, drafts and scheduled posts included, without its keys; importing it changes nothing. */
  exportBlog(blogId: string): Promise<SnapshotBlog | undefined>;

  listKeys(blogId: string): Promise<readonly KeyRecord[]>;
  /** Adds a key given in plain; it is stored as its hash. */
  addKey(blogId: string, apiKey: string, now: number): Promise<void>;
  /** Revokes every key of the blog, or the one with this id; counts those it revoked. */
  revokeKeys(blogId: string, keyId: string | undefined, now: number): Promise<number>;
  /** Revokes every key of the blog and adds the new one, in one step. */
  rotateKey(blogId: string, apiKey: string, now: number): Promise<void>;

  /** Every ad of the blog, paused ones included. */
  listAllAds(blogId: string): Promise<readonly SnapshotAd[]>;
  putAd(blogId: string, ad: SnapshotAd): Promise<boolean>;
  setAdActive(blogId: string, adId: string, active: boolean): Promise<boolean>;

  /**
   * The secret that signs click tokens and keys the hash of visitors. Made at random the first time anyone asks and
   * kept in the database, so that every process that shares the database shares it.
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

/** One thing of a written blog that contradicts what the database holds. */
export interface Clash {
  readonly blogId: string;
  /** The post that was to be written; absent when it is no post that clashes. */
  readonly post?: { readonly id: string; readonly title: string };
  /** What it clashes with, and the repair. */
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
