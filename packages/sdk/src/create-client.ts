import { createAds } from './ads/create-ads.ts';
import type { Blog, PagedOptions } from './blog.ts';
import { Call } from './calls/call.ts';
import { perform } from './calls/perform.ts';
import type { CodeOf } from './errors/error-facts.ts';
import type { Payloads, PostSummary } from './generated/resources.ts';
import { List } from './lists/list.ts';
import { type ListId, type ListTask, listSource } from './lists/list-source.ts';
import { loadOnDemand } from './load-on-demand.ts';
import type { CallOptions, ClientOptions } from './options.ts';
import { mergeOptions, readSettings } from './settings.ts';

/**
 * Creates a client for the blog of an API key. It sends no request.
 *
 * @throws InputError when `baseUrl` or `apiKey` is missing, or an option is not valid.
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
  ): Call<Payloads[Id], CodeOf<Id>> => new Call(() => perform(settings, { id, params, options: own }));

  const list = <T extends { id: string }, Id extends ListId>(task: ListTask & { id: Id }): List<T, CodeOf<Id>> =>
    new List(listSource<T>(settings, task));

  const postsOf =
    <Id extends 'categories.posts' | 'tags.posts'>(endpoint: Id) =>
    (id: string, options: PagedOptions = {}): List<PostSummary, CodeOf<Id>> =>
      list({ id: endpoint, params: { id }, options, start: options?.page, size: options?.pageSize });

  return {
    posts: {
      // With `?.`, because the call refuses options that are not an object, so that `safe()` returns the error.
      list: (options = {}) => list({ id: 'posts.list', options, start: options?.offset, size: options?.limit }),
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
    search: (q, options = {}) =>
      list({ id: 'search', query: { q }, options, start: options?.offset, size: options?.limit }),
    preview: (token, own) => new Call(async () => perform(...(await loadOnDemand()).previewTask(settings, token, own))),
    ads: createAds(settings),
    request: (method, path, own) =>
      new Call(async () => perform(...(await loadOnDemand()).requestTask(settings, method, path, own))),
    with: (own) => createClient(mergeOptions(settings, own)),
  };
}
