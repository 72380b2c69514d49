import {
  allPosts,
  asks,
  each,
  escaped,
  isCategoryPage,
  isList,
  isPages,
  isPost,
  type Json,
  json,
  list,
  type Mutant,
  responds,
  reversed,
  seen,
  withPagination,
} from './broken-server.ts';

/** Servers with wrong posts, categories and tags. */
export const CONTENT_MUTANTS: readonly Mutant[] = [
  {
    name: 'hasNextPage inverted',
    breaks: responds(isPages, (body) => withPagination(body, ({ hasNextPage }) => ({ hasNextPage: !hasNextPage }))),
  },
  {
    name: 'an extra item on a category page',
    breaks: responds(isCategoryPage, async (body, at, send) => {
      const [extra] = await allPosts(at, send);
      return { ...body, data: [...list(body), ...(extra && list(body).length > 0 ? [extra] : [])] };
    }),
  },
  {
    name: 'categories in reverse',
    breaks: responds(
      ({ path }) => path === '/public/categories',
      (body) => ({ ...body, data: list(body).reverse() }),
    ),
  },
  {
    name: 'slugs are decoded twice',
    breaks: asks(
      ({ path }) => path.startsWith('/public/posts/slug/') && path.includes('%25'),
      (url) => (url.pathname = url.pathname.replaceAll('%25', '%')),
    ),
  },
  {
    name: 'slugs are lower-cased',
    breaks: asks(
      ({ path }) => path.includes('/slug/'),
      (url) => {
        url.pathname = url.pathname.toLowerCase();
      },
    ),
  },
  {
    name: 'ids are case-insensitive',
    breaks: asks(
      ({ path }) => /^\/public\/posts\/[^/]+$/.test(path),
      (url) => {
        url.pathname = url.pathname.toLowerCase();
      },
    ),
  },
  { name: 'posts oldest first', breaks: responds(isList, (body) => ({ ...body, data: list(body).reverse() })) },
  {
    name: 'limit is one too many',
    breaks: responds(isList, async (body, at, send) => {
      const posts = await allPosts(at, send);
      const [last] = list(body).slice(-1);
      const next = posts[posts.findIndex(({ id }) => id === last?.['id']) + 1];
      return next ? { ...body, data: [...list(body), next] } : body;
    }),
  },
  {
    name: 'the newest post missing',
    breaks: responds(isList, (body, { query }) => ({
      ...body,
      data: list(body).slice(Number(query.get('offset') ?? 0) > 0 ? 0 : 1),
    })),
  },
  {
    name: 'a field of posts left out',
    breaks: responds(isList, (body) => ({ ...body, data: list(body).map(({ authorId: _, ...post }) => post) })),
  },
  {
    name: 'drafts are listed',
    breaks: responds(isList, (body, { query }) => {
      const draft = { ...list(body)[0], id: 'draft-1', slug: 'draft-1', status: 'DRAFT' };
      return query.has('offset') || list(body).length === 0
        ? body
        : { ...body, data: [...list(body).slice(0, -1), draft] };
    }),
  },
  {
    name: 'total counts the page',
    breaks: responds(isPages, (body) => withPagination(body, () => ({ total: list(body).length }))),
  },
  {
    name: 'totalPages rounded down',
    breaks: responds(isPages, (body) =>
      withPagination(body, ({ total, pageSize }) => ({ totalPages: Math.floor(Number(total) / Number(pageSize)) })),
    ),
  },
  {
    name: 'hasPrevPage always false',
    breaks: responds(isPages, (body) => withPagination(body, () => ({ hasPrevPage: false }))),
  },
  {
    name: 'a page past the end is 404',
    breaks: (send) => async (request) => {
      const response = await send(request);
      if (!isPages(seen(request)) || response.status !== 200) return response;
      const body = (await response.clone().json()) as Json;
      return list(body).length > 0 || Number(seen(request).query.get('page') ?? 1) === 1
        ? response
        : json({}, response, 404);
    },
  },
  {
    name: 'posts of a tag in another order',
    breaks: responds(
      (at) => isPages(at) && at.path.startsWith('/public/tags'),
      (body) => ({ ...body, data: list(body).reverse() }),
    ),
  },
  {
    name: '_count counts one too many',
    breaks: responds(
      ({ path }) => path === '/public/tags',
      (body) => ({
        ...body,
        data: list(body).map((tag) => ({ ...tag, _count: { posts: (tag['_count'] as { posts: number }).posts + 1 } })),
      }),
    ),
  },
  {
    name: 'a category left out',
    breaks: responds(
      ({ path }) => path === '/public/categories',
      (body) => ({ ...body, data: list(body).slice(0, -1) }),
    ),
  },
  {
    name: 'tags without their envelope',
    breaks: responds(
      ({ path }) => path === '/public/tags',
      (body) => body['data'],
    ),
  },
  {
    name: 'the categories of a post in reverse',
    breaks: responds(isPost, (body) => each(body, (post) => ({ ...post, categories: reversed(post, 'categories') }))),
  },
  {
    name: 'stale titles on the pages of a tag',
    breaks: responds(
      (at) => isPages(at) && at.path.startsWith('/public/tags'),
      (body) => each(body, (post) => ({ ...post, title: `${post['title']} (draft)` })),
    ),
  },
  {
    name: '&amp; in the list of posts',
    breaks: responds(isList, (body) => each(body, escaped)),
  },
  {
    name: '&amp; on the pages of categories',
    breaks: responds(isCategoryPage, (body) => each(body, escaped)),
  },
  {
    name: 'a slug is taken for an id',
    breaks: (send) => async (request) => {
      const response = await send(request);
      const slug = /^\/public\/posts\/([^/]+)$/.exec(new URL(request.url).pathname)?.[1];
      if (response.status !== 404 || slug === undefined || request.method !== 'GET') return response;
      const { headers } = request;
      const found = await send(new Request(new URL(`/public/posts/slug/${slug}`, request.url), { headers }));
      return found.status === 200 ? found : response;
    },
  },
  {
    name: 'categories of posts without a description',
    breaks: responds(isList, (body) => ({
      ...body,
      data: list(body).map((post) => ({
        ...post,
        categories: (post['categories'] as Json[]).map((one) => ({ ...one, description: '' })),
      })),
    })),
  },
];
