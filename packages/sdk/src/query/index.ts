/**
 * The reads of a blog as options of TanStack Query 5, for React, Vue, Solid, Svelte, Angular, or only its
 * `QueryClient`.
 *
 * @module
 */
import { LIMITS } from '@broadsheet/contract';
// Imported by the name of the package, so that these are the types that users import.
import type {
  Blog,
  Category,
  List,
  OffsetOptions,
  Page,
  PagedOptions,
  Post,
  PostSummary,
  SearchResultItem,
  Tag,
} from '@broadsheet/sdk';

/** A page as plain data, which a cache may store, and a server hand to a browser. */
export type PageData<T> = Omit<Page<T>, 'next'>;

/** Options of one read, for `useQuery`, `prefetchQuery` and others. The client repeats it, so the query does not. */
export interface Query<T> {
  readonly queryKey: readonly unknown[];
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<T>;
  /** `false` for a search whose term is too short for the API. */
  readonly enabled: boolean;
  readonly retry: false;
}

/** Where the next page of an infinite query begins, and which items it leaves out because an earlier page has them. */
export interface PageParam {
  readonly cursor: string;
  readonly seen: readonly string[];
}

/**
 * Options of a list that grows page by page, for `useInfiniteQuery`, `prefetchInfiniteQuery` and similar functions. Each
 * page begins at the cursor of the one before it.
 */
export interface InfiniteQuery<T> extends Omit<Query<T>, 'queryFn'> {
  readonly queryFn: (context: {
    readonly signal: AbortSignal;
    readonly pageParam: PageParam | null;
  }) => Promise<PageData<T>>;
  readonly initialPageParam: PageParam | null;
  readonly getNextPageParam: (page: PageData<T>, pages: readonly PageData<T>[]) => PageParam | undefined;
}

/** The reads of categories or of tags. */
export interface LabelQueries<T> {
  /** The start of their keys. */
  readonly key: readonly unknown[];
  list(): Query<T[]>;
  get(id: string): Query<T>;
  /** One page of the posts of a category or tag. */
  posts(id: string, options?: PagedOptions): Query<PageData<PostSummary>>;
  infinitePosts(id: string, options?: PagedOptions): InfiniteQuery<PostSummary>;
}

/** All reads of a blog. Ads are not among them: a cached ad would be shown without being counted. */
export interface BlogQueries {
  /** The start of every key: invalidating it renews everything. */
  readonly key: readonly unknown[];
  readonly posts: {
    readonly key: readonly unknown[];
    /** One page. */
    list(options?: OffsetOptions): Query<PageData<Post>>;
    infinite(options?: OffsetOptions): InfiniteQuery<Post>;
    get(id: string): Query<Post>;
    getBySlug(slug: string): Query<Post>;
  };
  readonly categories: LabelQueries<Category>;
  readonly tags: LabelQueries<Tag>;
  /** One page of search results. */
  search(q: string, options?: OffsetOptions): Query<PageData<SearchResultItem>>;
  infiniteSearch(q: string, options?: OffsetOptions): InfiniteQuery<SearchResultItem>;
}

/**
 * Makes the options of TanStack Query for the reads of a blog. A query is aborted when nothing waits for it.
 *
 * @param name - The first part of every key; for pages that read several blogs.
 * @example
 * ```ts
 * const queries = blogQueries(blog);
 * const { data, fetchNextPage } = useInfiniteQuery(queries.posts.infinite({ limit: 20 }));
 * ```
 */
export function blogQueries(
  blog: Pick<Blog, 'posts' | 'categories' | 'tags' | 'search'>,
  name = 'broadsheet',
): BlogQueries {
  const { posts, categories, tags, search } = blog;
  return {
    key: [name],
    posts: {
      key: [name, 'posts'],
      list: (options = {}) => page([name, 'posts', 'list'], options, (own) => posts.list(own)),
      infinite: (options = {}) => infinite([name, 'posts', 'infinite'], options, (own) => posts.list(own)),
      get: (id) => one([name, 'posts', 'get', id], (own) => posts.get(id, own)),
      getBySlug: (slug) => one([name, 'posts', 'getBySlug', slug], (own) => posts.getBySlug(slug, own)),
    },
    categories: labels([name, 'categories'], categories),
    tags: labels([name, 'tags'], tags),
    search: (q, options = {}) => ({
      ...page([name, 'search', 'list', q], options, (own) => search(q, own)),
      enabled: isLongEnough(q),
    }),
    infiniteSearch: (q, options = {}) => ({
      ...infinite([name, 'search', 'infinite', q], options, (own) => search(q, own)),
      enabled: isLongEnough(q),
    }),
  };
}

/** Whether the API accepts a term: it trims the term before it counts its characters. */
const isLongEnough = (q: string): boolean => [...q.trim()].length >= LIMITS.search.q.min;

interface Signalled {
  readonly signal: AbortSignal;
}

interface Labels<T> {
  list(options: Signalled): Promise<T[]>;
  get(id: string, options: Signalled): Promise<T>;
  posts(id: string, options: PagedOptions): List<PostSummary>;
}

const labels = <T>(key: readonly string[], { list, get, posts }: Labels<T>): LabelQueries<T> => ({
  key,
  list: () => one([...key, 'list'], (own) => list(own)),
  get: (id) => one([...key, 'get', id], (own) => get(id, own)),
  posts: (id, options = {}) => page([...key, 'posts', id], options, (own) => posts(id, own)),
  infinitePosts: (id, options = {}) => infinite([...key, 'infinitePosts', id], options, (own) => posts(id, own)),
});

const DEFAULTS = { enabled: true, retry: false } as const;

const one = <T>(queryKey: readonly unknown[], read: (options: Signalled) => Promise<T>): Query<T> => ({
  queryKey,
  queryFn: async ({ signal }) => read({ signal }),
  ...DEFAULTS,
});

function page<T extends { id: string }, Options extends OffsetOptions & PagedOptions>(
  key: readonly unknown[],
  options: Options,
  read: (options: Options & Signalled) => List<T>,
): Query<PageData<T>> {
  return {
    queryKey: [...key, placeOf(options)],
    queryFn: async ({ signal }) => ({ ...(await read({ ...options, signal })) }),
    ...DEFAULTS,
  };
}

function infinite<T extends { id: string }, Options extends OffsetOptions & PagedOptions>(
  key: readonly unknown[],
  options: Options,
  read: (options: Options & Signalled) => List<T>,
): InfiniteQuery<T> {
  return {
    queryKey: [...key, placeOf(options)],
    queryFn: async ({ signal, pageParam }) => {
      const list = read({ ...options, signal });
      if (!pageParam) return { ...(await list) };
      const page = await list.resume(pageParam.cursor);
      const items = page.items.filter(({ id }) => !pageParam.seen.includes(id));
      return { ...page, items, duplicates: page.items.length - items.length };
    },
    initialPageParam: null,
    getNextPageParam: ({ cursor }, pages) =>
      cursor === undefined ? undefined : { cursor, seen: pages.flatMap(({ items }) => items.map(({ id }) => id)) },
    ...DEFAULTS,
  };
}

/** The options that decide which page it is, for its key. The others only decide how it is read. */
function placeOf({ limit, offset, page, pageSize }: OffsetOptions & PagedOptions): object {
  return { limit, offset, page, pageSize };
}
