/**
 * The reads of a blog as options of TanStack Query 5, for React, Vue, Solid, Svelte, Angular, and its `QueryClient` alone.
 *
 * @example
 * ```ts
 * import { blogQueries } from '@broadsheet/sdk/query';
 *
 * const queries = blogQueries(blog);
 * const { data } = useQuery(queries.posts.getBySlug('hello-world'));
 * ```
 *
 * @module
 */
export {
  type BlogQueries,
  blogQueries,
  type InfiniteQuery,
  type LabelQueries,
  type PageData,
  type PageParam,
  type Query,
} from './blog-queries.ts';
