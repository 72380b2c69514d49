import type { Ads } from './ads/ads.ts';
import type { Call } from './calls/call.ts';
import type { RequestOptions } from './calls/request.ts';
import type { CodeOf } from './errors/error-facts.ts';
import type { Category, Post, PostSummary, SearchResultItem, Tag } from './generated/resources.ts';
import type { List } from './lists/list.ts';
import type { CallOptions, ClientOptions } from './options.ts';

/**
 * Options of a list by limit and offset (api.md 4.6).
 *
 * @example
 * ```ts
 * const options: OffsetOptions = { limit: 20, offset: 40 };
 * const { items } = await blog.posts.list(options);
 * ```
 */
export interface OffsetOptions extends CallOptions {
  /** Items a page: 1 to 100 for posts, 1 to 50 for a search. Default 10. */
  readonly limit?: number | undefined;
  /** Items left out at the start. Default 0. */
  readonly offset?: number | undefined;
}

/**
 * Options of a list in numbered pages (api.md 4.6).
 *
 * @example
 * ```ts
 * const options: PagedOptions = { page: 2, pageSize: 50 };
 * const { items } = await blog.categories.posts(id, options);
 * ```
 */
export interface PagedOptions extends CallOptions {
  /** The page to start with. Default 1. */
  readonly page?: number | undefined;
  /** Items a page: 1 to 100. Default 10. */
  readonly pageSize?: number | undefined;
}

/**
 * The blog behind a key.
 *
 * @example
 * ```ts
 * async function newest(blog: Blog): Promise<string[]> {
 *   const posts = await blog.posts.list().take(3);
 *   return posts.map(({ title }) => title);
 * }
 * ```
 */
export interface Blog {
  /** Published posts (api.md 4.1). */
  readonly posts: {
    /** All of them, newest first. */
    list(options?: OffsetOptions): List<Post, CodeOf<'posts.list'>>;
    /** One by its id. */
    get(id: string, options?: CallOptions): Call<Post, CodeOf<'posts.get'>>;
    /** One by its slug, as it stands in the URL of the page, decoded. */
    getBySlug(slug: string, options?: CallOptions): Call<Post, CodeOf<'posts.getBySlug'>>;
  };
  /** Categories (api.md 4.2). */
  readonly categories: {
    /** All of them, by name. */
    list(options?: CallOptions): Call<Category[], CodeOf<'categories.list'>>;
    /** One by its id. */
    get(id: string, options?: CallOptions): Call<Category, CodeOf<'categories.get'>>;
    /** The published posts of a category; items may lack some fields. */
    posts(id: string, options?: PagedOptions): List<PostSummary, CodeOf<'categories.posts'>>;
  };
  /** Tags (api.md 4.3). */
  readonly tags: {
    /** All of them, by name. */
    list(options?: CallOptions): Call<Tag[], CodeOf<'tags.list'>>;
    /** One by its id. */
    get(id: string, options?: CallOptions): Call<Tag, CodeOf<'tags.get'>>;
    /** The published posts of a tag; items may lack some fields. */
    posts(id: string, options?: PagedOptions): List<PostSummary, CodeOf<'tags.posts'>>;
  };
  /** Searches titles and subtitles (api.md 4.4). The term has 3 characters or more. */
  search(q: string, options?: OffsetOptions): List<SearchResultItem, CodeOf<'search'>>;
  /** Ads (api.md 4.5). */
  readonly ads: Ads;
  /**
   * Sends what the client has no method for, with the key, the deadline and typed errors. `path` begins at `baseUrl`. The
   * data is what the answer carries, out of its envelope if it has one; it is not compared with the contract. A GET is
   * repeated as reads are, another method only when nothing can have happened.
   */
  request<T = unknown>(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: `/${string}`,
    options?: RequestOptions,
  ): Call<T, CodeOf<'request'>>;
  /** The same client with other options; headers, `fetchOptions` and middleware are added to those there are. */
  with(options: ClientOptions): Blog;
}
