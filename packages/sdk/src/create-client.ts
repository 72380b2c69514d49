import type { FailureCode } from '@broadsheet/contract';
import { type Ads, createAds } from './ads.ts';
import { Call } from './call.ts';
import type { ClientErrorCode } from './errors.ts';
import { List } from './list.ts';
import { type ListId, type ListTask, listSource } from './list-source.ts';
import type { Payloads, Post, PostSummary, SearchResultItem } from './models.ts';
import type { CallOptions, ClientOptions } from './options.ts';
import { perform } from './perform.ts';
import { readSettings } from './settings.ts';

/** The codes an endpoint may fail with: those of the API, those of the client, and what a newer server may add. */
export type CodeOf<Id extends keyof Payloads> = FailureCode<Id> | ClientErrorCode | (string & {});

/** Options of a list by limit and offset (api.md 4.6). */
export interface OffsetOptions extends CallOptions {
  /** Items a page: 1 to 100 for posts, 1 to 50 for a search. Default 10. */
  readonly limit?: number;
  /** Items left out at the start. Default 0. */
  readonly offset?: number;
}

/** Options of a list in numbered pages (api.md 4.6). */
export interface PagedOptions extends CallOptions {
  /** The page to start with. Default 1. */
  readonly page?: number;
  /** Items a page: 1 to 100. Default 10. */
  readonly pageSize?: number;
}

type One<Id extends keyof Payloads> = Call<Payloads[Id], CodeOf<Id>>;

/** The blog behind a key. */
export interface Blog {
  /** Published posts (api.md 4.1). */
  readonly posts: {
    /** All of them, newest first. */
    list(options?: OffsetOptions): List<Post, CodeOf<'posts.list'>>;
    /** One by its id. */
    get(id: string, options?: CallOptions): One<'posts.get'>;
    /** One by its slug, as it stands in the URL of the page, decoded. */
    getBySlug(slug: string, options?: CallOptions): One<'posts.getBySlug'>;
  };
  /** Categories (api.md 4.2). */
  readonly categories: {
    list(options?: CallOptions): One<'categories.list'>;
    get(id: string, options?: CallOptions): One<'categories.get'>;
    /** The published posts of a category; items may lack some fields. */
    posts(id: string, options?: PagedOptions): List<PostSummary, CodeOf<'categories.posts'>>;
  };
  /** Tags (api.md 4.3). */
  readonly tags: {
    list(options?: CallOptions): One<'tags.list'>;
    get(id: string, options?: CallOptions): One<'tags.get'>;
    /** The published posts of a tag; items may lack some fields. */
    posts(id: string, options?: PagedOptions): List<PostSummary, CodeOf<'tags.posts'>>;
  };
  /** Searches titles and subtitles (api.md 4.4). The term has 3 characters or more. */
  search(q: string, options?: OffsetOptions): List<SearchResultItem, CodeOf<'search'>>;
  /** Ads (api.md 4.5). */
  readonly ads: Ads;
}

/**
 * Makes a client for the blog a key belongs to. Nothing is sent.
 *
 * @throws InputError when `baseUrl` or `apiKey` is missing or unfit.
 * @example
 * ```ts
 * const blog = createClient({ baseUrl: 'https://blog.example/api', apiKey: process.env.BLOG_KEY });
 * for await (const post of blog.posts.list()) console.log(post.title);
 * ```
 */
export function createClient(options: ClientOptions = {}): Blog {
  const settings = readSettings(options);

  const one = <Id extends keyof Payloads>(
    id: Id,
    own: CallOptions = {},
    params: Record<string, string> = {},
  ): One<Id> => new Call(() => perform(settings, { id, params, options: own }));

  const list = <T extends { id: string }, Id extends ListId>(task: ListTask & { id: Id }): List<T, CodeOf<Id>> =>
    new List(listSource<T>(settings, task));

  const postsOf =
    <Id extends 'categories.posts' | 'tags.posts'>(endpoint: Id) =>
    (id: string, { page, pageSize, ...own }: PagedOptions = {}): List<PostSummary, CodeOf<Id>> =>
      list({ id: endpoint, params: { id }, options: own, start: page, size: pageSize });

  return {
    posts: {
      list: ({ limit, offset, ...own } = {}) => list({ id: 'posts.list', options: own, start: offset, size: limit }),
      get: (id, own) => one('posts.get', own, { id }),
      getBySlug: (slug, own) => one('posts.getBySlug', own, { slug }),
    },
    categories: {
      list: (own) => one('categories.list', own),
      get: (id, own) => one('categories.get', own, { id }),
      posts: postsOf('categories.posts'),
    },
    tags: {
      list: (own) => one('tags.list', own),
      get: (id, own) => one('tags.get', own, { id }),
      posts: postsOf('tags.posts'),
    },
    search: (q, { limit, offset, ...own } = {}) =>
      list({ id: 'search', query: { q }, options: own, start: offset, size: limit }),
    ads: createAds(settings),
  };
}
