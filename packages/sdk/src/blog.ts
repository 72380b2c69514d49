import type { Ads } from './ads/ads.ts';
import type { Call } from './calls/call.ts';
import type { RequestOptions } from './calls/request.ts';
import type { CodeOf } from './errors/error-facts.ts';
import type { Category, Post, PostSummary, SearchResultItem, Tag } from './generated/resources.ts';
import type { List } from './lists/list.ts';
import type { CallOptions, ClientOptions } from './options.ts';

/** Options of a list by limit and offset (api.md 4.6). */
export interface OffsetOptions extends CallOptions {
  /** Items per page: 1 to 100 for posts, 1 to 50 for a search. Default 10. */
  readonly limit?: number | undefined;
  /** Items to skip at the start. Default 0. */
  readonly offset?: number | undefined;
}

/** Options of a list in numbered pages (api.md 4.6). */
export interface PagedOptions extends CallOptions {
  /** The number of the first page. Default 1. */
  readonly page?: number | undefined;
  /** Items per page: 1 to 100. Default 10. */
  readonly pageSize?: number | undefined;
}

/** The client of a blog. */
export interface Blog {
  /** Published posts (api.md 4.1). */
  readonly posts: {
    /** All published posts, newest first. */
    list(options?: OffsetOptions): List<Post, CodeOf<'posts.list'>>;
    /** A post by its id. */
    get(id: string, options?: CallOptions): Call<Post, CodeOf<'posts.get'>>;
    /** A post by its slug, which is the decoded part of the page's URL. */
    getBySlug(slug: string, options?: CallOptions): Call<Post, CodeOf<'posts.getBySlug'>>;
  };
  /** Categories (api.md 4.2). */
  readonly categories: {
    /** All categories, by name. */
    list(options?: CallOptions): Call<Category[], CodeOf<'categories.list'>>;
    /** A category by its id. */
    get(id: string, options?: CallOptions): Call<Category, CodeOf<'categories.get'>>;
    /** The published posts of a category; items may lack some fields. */
    posts(id: string, options?: PagedOptions): List<PostSummary, CodeOf<'categories.posts'>>;
  };
  /** Tags (api.md 4.3). */
  readonly tags: {
    /** All tags, by name. */
    list(options?: CallOptions): Call<Tag[], CodeOf<'tags.list'>>;
    /** A tag by its id. */
    get(id: string, options?: CallOptions): Call<Tag, CodeOf<'tags.get'>>;
    /** The published posts of a tag; items may lack some fields. */
    posts(id: string, options?: PagedOptions): List<PostSummary, CodeOf<'tags.posts'>>;
  };
  /** Searches titles and subtitles (api.md 4.4). The term must have at least 3 characters. */
  search(q: string, options?: OffsetOptions): List<SearchResultItem, CodeOf<'search'>>;
  /**
   * The post that a preview token opens, regardless of its status. `broadsheet posts preview` or the panel creates a
   * link with such a token, which is valid for 24 hours. Nothing caches the response.
   */
  preview(token: string, options?: CallOptions): Call<Post, CodeOf<'preview'>>;
  /** Ads (api.md 4.5). */
  readonly ads: Ads;
  /**
   * Sends a request for which the client has no method, with the key, the deadline and typed errors. `path` begins at
   * `baseUrl`. It returns the data of the response, without the envelope if there is one, and does not compare it with
   * the contract. A GET is repeated like a read; any other method is repeated only if the server cannot have received
   * the request.
   */
  request<T = unknown>(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: `/${string}`,
    options?: RequestOptions,
  ): Call<T, CodeOf<'request'>>;
  /** The same client with other options. Headers, `fetchOptions` and middleware are added to those of the client. */
  with(options: ClientOptions): Blog;
}
