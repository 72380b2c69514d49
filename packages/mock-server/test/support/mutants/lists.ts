import {
  allPosts,
  asks,
  each,
  escaped,
  hits,
  isCategoryPage,
  isList,
  isPages,
  isPost,
  isSearch,
  type Json,
  json,
  list,
  type Mutant,
  responds,
  reversed,
  type Seen,
  seen,
  statusOf,
  withHits,
  withPagination,
} from './broken-server.ts';

const one = (re: RegExp) => (at: Seen) => re.test(at.path) && at.method === 'GET';
const isTag = (at: Seen) => isPages(at) && at.path.startsWith('/public/tags');

/** Servers with wrong lists, pages and searches. */
export const LIST_MUTANTS: readonly Mutant[] = [
  {
    name: 'tags of a post reversed',
    breaks: responds(isPost, (b) => each(b, (p) => ({ ...p, tags: reversed(p, 'tags') }))),
  },
  {
    name: 'stale titles on the pages of a category',
    breaks: responds(isCategoryPage, (b) => each(b, (p) => ({ ...p, title: `Old ${p['title']}` }))),
  },
  {
    name: 'stale slugs on the pages of a tag',
    breaks: responds(isTag, (b) => each(b, (p) => ({ ...p, slug: `${p['slug']}-old` }))),
  },
  {
    name: 'stale dates on the pages of a tag',
    breaks: responds(isTag, (b) => each(b, (p) => ({ ...p, publishedAt: '2020-01-01T00:00:00.000Z' }))),
  },
  {
    name: 'hasNextPage is true on a full last page',
    breaks: responds(isPages, (b) =>
      withPagination(b, ({ pageSize }) => ({ hasNextPage: list(b).length === pageSize })),
    ),
  },
  {
    name: 'hasNextPage always false',
    breaks: responds(isPages, (b) => withPagination(b, () => ({ hasNextPage: false }))),
  },
  {
    name: 'totalPages is one too many when the last page is full',
    breaks: responds(isPages, (b) =>
      withPagination(b, ({ total, pageSize }) => ({ totalPages: Math.floor(Number(total) / Number(pageSize)) + 1 })),
    ),
  },
  {
    name: 'page past the end gives the last page',
    breaks: (send) => async (request) => {
      const r = await send(request.clone());
      if (!isPages(seen(request)) || r.status !== 200 || request.method === 'HEAD') return r;
      const b = (await r.clone().json()) as Json;
      if (list(b).length) return r;
      const { totalPages } = (b['meta'] as { pagination: Json }).pagination;
      if (!totalPages) return r;
      const u = new URL(request.url);
      u.searchParams.set('page', String(totalPages));
      return send(new Request(u, { headers: request.headers }));
    },
  },
  {
    name: 'meta.pagination.pageSize is always 10',
    breaks: responds(isPages, (b) => withPagination(b, () => ({ pageSize: 10 }))),
  },
  {
    name: 'an unknown category has an empty page',
    breaks: (send) => async (request) => {
      const r = await send(request);
      return r.status === 404 && isPages(seen(request))
        ? json(
            {
              success: true,
              data: [],
              meta: {
                pagination: { page: 1, pageSize: 10, total: 0, totalPages: 0, hasNextPage: false, hasPrevPage: false },
              },
            },
            r,
            200,
          )
        : r;
    },
  },
  {
    name: 'an unknown category is 400',
    breaks: statusOf((at, r) => r.status === 404 && /^\/public\/categories\/[^/]+$/.test(at.path), 400),
  },
  {
    name: 'an unknown slug is null',
    breaks: (send) => async (request) => {
      const r = await send(request);
      return r.status === 404 && seen(request).path.includes('/slug/') && request.method === 'GET'
        ? json({ success: true, data: null }, r, 200)
        : r;
    },
  },
  {
    name: 'posts sorted by id',
    breaks: (send) =>
      responds(isList, async (b, at, s) => {
        const all = (await allPosts(at, s)).sort((a, c) => (String(a['id']) < String(c['id']) ? 1 : -1));
        const o = Number(at.query.get('offset') ?? 0);
        return { ...b, data: all.slice(o, o + Number(at.query.get('limit') ?? 10)) };
      })(send),
  },
  {
    name: 'two neighbouring posts are swapped',
    breaks: responds(isList, (b) => {
      const d = [...list(b)];
      return { ...b, data: [...d.slice(0, 1), ...d.slice(1, 3).reverse(), ...d.slice(3)] };
    }),
  },
  {
    name: 'a post by id without its categories',
    breaks: responds(one(/^\/public\/posts\/[^/]+$/), (b) => each(b, (p) => ({ ...p, categories: [] }))),
  },
  {
    name: '&amp; in a post by slug',
    breaks: responds(one(/\/slug\//), (b) => each(b, escaped)),
  },
  {
    name: '&amp; in search',
    breaks: responds(isSearch, (b) => withHits(b, hits(b).data.map(escaped))),
  },
  {
    name: 'a category by id counts no posts',
    breaks: responds(one(/^\/public\/categories\/[^/]+$/), (b) => each(b, (p) => ({ ...p, _count: { posts: 0 } }))),
  },
  {
    name: 'a tag by id has a stale name',
    breaks: responds(one(/^\/public\/tags\/[^/]+$/), (b) => each(b, (p) => ({ ...p, name: 'Old' }))),
  },
  {
    name: 'limit is 20 by default',
    breaks: asks(
      (at) => isList(at) && !at.query.has('limit'),
      (u) => u.searchParams.set('limit', '20'),
    ),
  },
  {
    name: 'pageSize is 20 by default',
    breaks: asks(
      (at) => isPages(at) && !at.query.has('pageSize'),
      (u) => u.searchParams.set('pageSize', '20'),
    ),
  },
  {
    name: 'timestamps of categories without a time zone',
    breaks: responds(
      (at) => at.path === '/public/categories',
      (b) => each(b, (p) => ({ ...p, updatedAt: String(p['updatedAt']).replace('Z', '') })),
    ),
  },
  { name: 'meta in the list of posts', breaks: responds(isList, (b) => ({ ...b, meta: { total: 30 } })) },
  {
    name: 'unknown parameters are 400',
    breaks: (send) => async (request) => {
      const r = await send(request);
      return [...new URL(request.url).searchParams.keys()].some(
        (k) => !['limit', 'offset', 'status', 'page', 'pageSize', 'q'].includes(k),
      ) && r.status === 200
        ? json({}, r, 400)
        : r;
    },
  },
  {
    name: 'q of 201 characters accepted',
    breaks: asks(isSearch, (u) => {
      const q = u.searchParams.get('q') ?? '';
      if ([...q].length > 200) u.searchParams.set('q', q.slice(0, 200));
    }),
  },
  {
    name: 'limit 51 of a search accepted',
    breaks: asks(isSearch, (u) => {
      if (u.searchParams.get('limit') === '51') u.searchParams.set('limit', '50');
    }),
  },
  { name: 'offset of a search ignored', breaks: asks(isSearch, (u) => u.searchParams.delete('offset')) },
  {
    name: 'a search without hits is 404',
    breaks: (send) => async (request) => {
      const r = await send(request);
      if (!isSearch(seen(request)) || r.status !== 200 || request.method === 'HEAD') return r;
      return hits((await r.clone().json()) as Json).data.length ? r : json({}, r, 404);
    },
  },
  {
    name: 'a hit is listed twice',
    breaks: responds(isSearch, (b, { query }) => {
      const d = hits(b).data;
      return d.length < Number(query.get('limit') ?? 10) ? withHits(b, [...d, ...d.slice(0, 1)]) : b;
    }),
  },
  {
    name: 'regular expressions in q are 500',
    breaks: (send) => async (request) => {
      const r = await send(request);
      return isSearch(seen(request)) && /[(*[\\]/.test(seen(request).query.get('q') ?? '') ? json({}, r, 500) : r;
    },
  },
  {
    name: 'a trailing slash is ignored',
    breaks: asks(
      (at) => at.path.endsWith('/'),
      (u) => {
        u.pathname = u.pathname.replace(/\/$/, '');
      },
    ),
  },
];
