import { createAds } from './ads/create-ads.ts';
import type { Blog, PagedOptions } from './blog.ts';
import { Call } from './calls/call.ts';
import type { CodeOf } from './errors/error-facts.ts';
import type { Payloads, PostSummary } from './generated/resources.ts';
import { List } from './lists/list.ts';
import { loadOnDemand } from './load-on-demand.ts';
import { core } from './on-demand-core.ts';
import type { CallOptions, ClientOptions } from './options.ts';
import { readSettings, type Settings } from './settings.ts';

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
export const createClient = (options: ClientOptions = {}): Blog => createBlog(readSettings(options));

function createBlog(settings: Settings): Blog {
  const one = <Id extends keyof Payloads>(
    id: Id,
    options?: CallOptions,
    params?: Record<string, string>,
  ): Call<Payloads[Id], CodeOf<Id>> => new Call(settings, { id, params, options });

  const postsOf =
    <Id extends 'categories.posts' | 'tags.posts'>(endpoint: Id) =>
    (id: string, options?: PagedOptions): List<PostSummary, CodeOf<Id>> =>
      new List(settings, { id: endpoint, params: { id }, options });

  return {
    posts: {
      list: (options) => new List(settings, { id: 'posts.list', options }),
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
    search: (q, options) => new List(settings, { id: 'search', query: { q }, options }),
    preview: (token, options) =>
      new Call(settings, { id: 'preview', options, rest: async () => (await loadOnDemand()).previewTask(core, token) }),
    ads: createAds(settings),
    request: (method, path, options) =>
      new Call(settings, {
        id: 'request',
        endpoint: { method, path, form: 'envelope', effect: 'delivery' },
        options,
        rest: async () => (await loadOnDemand()).requestTask(core, method, path, options),
      }),
    with: (own) => createBlog(readSettings(own, settings)),
  };
}
