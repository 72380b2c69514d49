import type { Blog, CodeOf, One, PagedOptions } from './blog.ts';
import { Call } from './call.ts';
import { createAds } from './create-ads.ts';
import { List } from './list.ts';
import { type ListId, type ListTask, listSource } from './list-source.ts';
import type { CallOptions, ClientOptions } from './options.ts';
import type { Payloads } from './payloads.ts';
import { perform } from './perform.ts';
import type { PostSummary } from './post.ts';
import { readSettings } from './settings.ts';

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
