import type { Pagination, Post } from '@broadsheet/contract';
import type { Operations } from '../calls/operations.ts';
import { ApiError } from '../http/api-error.ts';
import { decoded, type MaybeEncoded } from '../http/response.ts';
import type { Clock } from '../ports.ts';
import type { ContentStore, CountedPosts, Range, Store } from '../store.ts';
import { dueTime, publishedOnTime } from './due-posts.ts';
import { searchTerms } from './fold.ts';

type ContentOperations = Omit<Operations, `ads.${string}`>;

/** Posts, categories, tags and search (api.md 4.1 to 4.4), and the preview of a post. */
export function contentOperations({ store, clock }: { store: ContentStore; clock: Clock }): ContentOperations {
  return {
    'posts.list': async ({ blog, query: { limit, offset } }) => ({
      data: await store.listPosts(blog, { limit, offset }),
    }),
    'posts.get': async ({ blog, params: { id } }) => ({ data: found('post', await store.getPost(blog.id, id)) }),
    'posts.getBySlug': async ({ blog, params: { slug } }) => ({
      data: found('post', await store.getPostBySlug(blog.id, slug)),
    }),
    'categories.list': async ({ blog }) => ({ data: await store.listCategories(blog.id) }),
    'categories.get': async ({ blog, params: { id } }) => ({
      data: found('category', await store.getCategory(blog.id, id)),
    }),
    'categories.posts': async ({ blog, params: { id }, query }) =>
      page(query, 'category', (range) => store.listCategoryPosts(blog, id, range)),
    'tags.list': async ({ blog }) => ({ data: await store.listTags(blog.id) }),
    'tags.get': async ({ blog, params: { id } }) => ({ data: found('tag', await store.getTag(blog.id, id)) }),
    'tags.posts': async ({ blog, params: { id }, query }) =>
      page(query, 'tag', (range) => store.listTagPosts(blog, id, range)),
    search: async ({ blog, query: { q, limit, offset } }) => {
      const terms = searchTerms(q);
      // Terms that consist of combining marks fold to nothing; without a term left, nothing matches.
      const data = terms.length === 0 ? [] : [...(await store.searchPosts(blog.id, terms, { limit, offset }))];
      return { data: { data, meta: { q, limit, offset, count: data.length } } };
    },
    preview: async ({ blog, previewedId = '' }) => {
      const post = decoded(await store.previewPost(blog.id, previewedId));
      if (!post) throw new ApiError('NOT_FOUND', { message: 'The post of this preview was deleted.' });
      // Without an API key, no request has published the due posts of the blog.
      return { data: clock.now() >= (dueTime(post) ?? Infinity) ? publishedOnTime(post) : post };
    },
  };
}

function found<T>(kind: string, value: T | undefined): T {
  if (value === undefined)
    throw new ApiError('NOT_FOUND', { message: `There is no such ${kind}, or it is not published.` });
  return value;
}

async function page(
  { page, pageSize }: { page: number; pageSize: number },
  kind: string,
  read: (range: Range) => ReturnType<Store['listTagPosts']>,
): Promise<{ data: MaybeEncoded<readonly Post[]>; meta: { pagination: Pagination } }> {
  const offset = Math.min((page - 1) * pageSize, Number.MAX_SAFE_INTEGER);
  const { items, total }: CountedPosts = found(kind, await read({ offset, limit: pageSize }));
  const totalPages = Math.ceil(total / pageSize);
  const pagination = { page, pageSize, total, totalPages, hasNextPage: page < totalPages, hasPrevPage: page > 1 };
  return { data: items, meta: { pagination } };
}
