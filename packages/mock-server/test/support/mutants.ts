// Servers broken on purpose, each in one thing: what a comparison with the document must find.

type Send = (request: Request) => Promise<Response>;
type Json = Record<string, unknown>;

/** A server that is right but for one thing. */
export interface Mutant {
  readonly name: string;
  /** Only a blog with domains can show it. */
  readonly domains?: boolean;
  readonly breaks: (send: Send) => Send;
}

interface Seen {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly request: Request;
}

const seen = (request: Request): Seen => {
  const { pathname, searchParams } = new URL(request.url);
  return { method: request.method, path: pathname, query: searchParams, request };
};
const json = (body: unknown, response: Response, status = response.status) =>
  new Response(JSON.stringify(body), { status, headers: plain(response.headers) });
const plain = (headers: Headers): Headers => {
  const copy = new Headers(headers);
  copy.delete('content-length');
  return copy;
};
const moved = ({ request }: Seen, change: (url: URL) => void): Request => {
  const url = new URL(request.url);
  change(url);
  const { method, headers } = request;
  return new Request(url, { method, headers });
};
/** Asks for something else where `when` holds. */
const asks =
  (when: (seen: Seen) => boolean, change: (url: URL, seen: Seen) => void) =>
  (send: Send): Send =>
  (request) => {
    const at = seen(request);
    return send(when(at) ? moved(at, (url) => change(url, at)) : request);
  };
/** Changes the JSON of a 200 where `when` holds. */
const answers =
  (when: (seen: Seen) => boolean, change: (body: Json, seen: Seen, send: Send) => unknown) =>
  (send: Send): Send =>
  async (request) => {
    const response = await send(request);
    const at = seen(request);
    if (response.status !== 200 || request.method === 'HEAD' || !when(at)) return response;
    return json(await change((await response.json()) as Json, at, send), response);
  };
/** Answers a status with another answer. */
const instead =
  (status: number, change: (response: Response, seen: Seen, send: Send) => Response | Promise<Response>) =>
  (send: Send): Send =>
  async (request) => {
    const again = request.clone();
    const response = await send(request);
    return response.status === status ? change(response, seen(again), send) : response;
  };

const POSTS = '/public/posts';
const isPages = ({ path }: Seen) => path.endsWith('/posts') && path !== POSTS;
const isCategoryPage = (at: Seen) => isPages(at) && at.path.startsWith('/public/categories');
const isSearch = ({ path }: Seen) => path === '/public/search';
const isList = ({ path }: Seen) => path === POSTS;
const isBatch = ({ path, method }: Seen) => path === '/public/ads/formats' && method === 'POST';
const isDelivery = ({ path }: Seen) => path.startsWith('/public/ads/formats/');
const isClick = ({ path }: Seen) => path === '/public/ads/tracking/click';
const list = (body: Json) => body['data'] as Json[];
const hits = (body: Json) => body['data'] as { data: Json[]; meta: Json };
const withHits = (body: Json, data: Json[]) => {
  const { meta } = hits(body);
  return { ...body, data: { data, meta: { ...meta, count: data.length } } };
};
const withPagination = (body: Json, change: (pagination: Json) => Json) => {
  const { pagination } = body['meta'] as { pagination: Json };
  return { ...body, meta: { pagination: { ...pagination, ...change(pagination) } } };
};
const allPosts = async ({ request }: Seen, send: Send): Promise<Json[]> => {
  const url = new URL('/public/posts?limit=100', request.url);
  return list((await (await send(new Request(url, { headers: request.headers }))).json()) as Json);
};
const hitOf = ({ id, title, subtitle, slug, publishedAt }: Json): Json => {
  return { id, title, subtitle, slug, coverUrl: null, publishedAt };
};
/** Searches the posts in another way than the rules say. */
const searches = (finds: (post: Json, q: string) => boolean) =>
  answers(isSearch, async (body, at, send) => {
    const [q, limit] = [at.query.get('q') ?? '', Number(at.query.get('limit') ?? 10)];
    const offset = Number(at.query.get('offset') ?? 0);
    const found = (await allPosts(at, send)).filter((post) => finds(post, q.trim().replaceAll(/\s+/g, ' ')));
    return withHits(body, found.slice(offset, offset + limit).map(hitOf));
  });
const fold = (text: unknown) => String(text).normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
const headOf = (post: Json) => `${post['title']}\n${post['subtitle']}`;
const like = (text: string) =>
  new RegExp(
    text
      .replaceAll(/[.*+?^$()[\]\\|{}]/g, '\\$&')
      .replaceAll('%', '.*')
      .replaceAll('_', '.'),
    's',
  );
const headers =
  (when: (seen: Seen, response: Response) => boolean, change: (headers: Headers) => void) =>
  (send: Send): Send =>
  async (request) => {
    const response = await send(request);
    if (!when(seen(request), response)) return response;
    const changed = plain(response.headers);
    change(changed);
    return new Response(response.body, { status: response.status, headers: changed });
  };
const ok = (response: Response) => json({ status: 'ok' }, response, 200);

/** Every mutant: the nine that an earlier comparison missed come first. */
export const MUTANTS: readonly Mutant[] = [
  { name: 'used token accepted', breaks: instead(409, ok) },
  {
    name: '% and _ are wildcards of the search',
    breaks: searches((post, q) =>
      fold(q)
        .split(' ')
        .every((term) => like(term).test(fold(headOf(post)))),
    ),
  },
  {
    name: 'hasNextPage inverted',
    breaks: answers(isPages, (body) => withPagination(body, ({ hasNextPage }) => ({ hasNextPage: !hasNextPage }))),
  },
  {
    name: 'pageSize ignored',
    breaks: asks(
      isPages,
      (url) =>
        Number(url.searchParams.get('pageSize')) <= 100 &&
        Number(url.searchParams.get('pageSize')) > 0 &&
        url.searchParams.delete('pageSize'),
    ),
  },
  {
    name: 'an extra item on a category page',
    breaks: answers(isCategoryPage, async (body, at, send) => {
      const [extra] = await allPosts(at, send);
      return { ...body, data: [...list(body), ...(extra && list(body).length > 0 ? [extra] : [])] };
    }),
  },
  {
    name: 'categories in reverse',
    breaks: answers(
      ({ path }) => path === '/public/categories',
      (body) => ({ ...body, data: list(body).reverse() }),
    ),
  },
  {
    name: 'the last hit of a search missing',
    breaks: answers(isSearch, (body, { query }) => {
      const { data } = hits(body);
      return data.length < Number(query.get('limit') ?? 10) ? withHits(body, data.slice(0, -1)) : body;
    }),
  },
  {
    name: 'only the first word is searched',
    breaks: searches((post, q) => fold(headOf(post)).includes(fold(q).split(' ')[0] ?? '')),
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
    name: 'ids are compared without case',
    breaks: asks(
      ({ path }) => /^\/public\/posts\/[^/]+$/.test(path),
      (url) => {
        url.pathname = url.pathname.toLowerCase();
      },
    ),
  },
  { name: 'posts oldest first', breaks: answers(isList, (body) => ({ ...body, data: list(body).reverse() })) },
  { name: 'offset ignored', breaks: asks(isList, (url) => url.searchParams.delete('offset')) },
  {
    name: 'limit is one too many',
    breaks: answers(isList, async (body, at, send) => {
      const posts = await allPosts(at, send);
      const [last] = list(body).slice(-1);
      const next = posts[posts.findIndex(({ id }) => id === last?.['id']) + 1];
      return next ? { ...body, data: [...list(body), next] } : body;
    }),
  },
  {
    name: 'limit beyond 100 accepted',
    breaks: asks(isList, (url) => Number(url.searchParams.get('limit')) > 100 && url.searchParams.set('limit', '100')),
  },
  {
    name: 'limit 0 accepted',
    breaks: asks(isList, (url) => url.searchParams.get('limit') === '0' && url.searchParams.delete('limit')),
  },
  {
    name: 'the newest post missing',
    breaks: answers(isList, (body, { query }) => ({
      ...body,
      data: list(body).slice(Number(query.get('offset') ?? 0) > 0 ? 0 : 1),
    })),
  },
  { name: 'status of any word accepted', breaks: asks(isList, (url) => url.searchParams.delete('status')) },
  {
    name: 'integers read loosely',
    breaks: asks(
      () => true,
      (url) => {
        for (const [name, value] of [...url.searchParams]) {
          if (/^[\s+]*1(e0|\.0)?\s*$/.test(value)) url.searchParams.set(name, '1');
        }
      },
    ),
  },
  {
    name: 'a repeated parameter accepted',
    breaks: asks(
      () => true,
      (url) => {
        for (const [name, value] of [...url.searchParams]) url.searchParams.set(name, value);
      },
    ),
  },
  {
    name: 'a field of posts left out',
    breaks: answers(isList, (body) => ({ ...body, data: list(body).map(({ authorId: _, ...post }) => post) })),
  },
  {
    name: 'drafts are listed',
    breaks: answers(isList, (body, { query }) => {
      const draft = { ...list(body)[0], id: 'draft-1', slug: 'draft-1', status: 'DRAFT' };
      return query.has('offset') || list(body).length === 0
        ? body
        : { ...body, data: [...list(body).slice(0, -1), draft] };
    }),
  },

  {
    name: 'total counts the page',
    breaks: answers(isPages, (body) => withPagination(body, () => ({ total: list(body).length }))),
  },
  {
    name: 'totalPages rounded down',
    breaks: answers(isPages, (body) =>
      withPagination(body, ({ total, pageSize }) => ({ totalPages: Math.floor(Number(total) / Number(pageSize)) })),
    ),
  },
  {
    name: 'hasPrevPage always false',
    breaks: answers(isPages, (body) => withPagination(body, () => ({ hasPrevPage: false }))),
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
    name: 'pages count from 0',
    breaks: asks(isPages, (url) => {
      const page = url.searchParams.get('page');
      if (page && /^\d+$/.test(page)) url.searchParams.set('page', String(Number(page) + 1));
    }),
  },
  {
    name: 'posts of a tag in another order',
    breaks: answers(
      (at) => isPages(at) && at.path.startsWith('/public/tags'),
      (body) => ({ ...body, data: list(body).reverse() }),
    ),
  },
  {
    name: '_count counts one too many',
    breaks: answers(
      ({ path }) => path === '/public/tags',
      (body) => ({
        ...body,
        data: list(body).map((tag) => ({ ...tag, _count: { posts: (tag['_count'] as { posts: number }).posts + 1 } })),
      }),
    ),
  },
  {
    name: 'a category left out',
    breaks: answers(
      ({ path }) => path === '/public/categories',
      (body) => ({ ...body, data: list(body).slice(0, -1) }),
    ),
  },
  {
    name: 'tags without their envelope',
    breaks: answers(
      ({ path }) => path === '/public/tags',
      (body) => body['data'],
    ),
  },
  {
    name: 'categories of posts without a description',
    breaks: answers(isList, (body) => ({
      ...body,
      data: list(body).map((post) => ({
        ...post,
        categories: (post['categories'] as Json[]).map((one) => ({ ...one, description: '' })),
      })),
    })),
  },

  {
    name: 'the search looks at case',
    breaks: searches((post, q) => q.split(' ').every((term) => headOf(post).includes(term))),
  },
  {
    name: 'the search looks at accents',
    breaks: searches((post, q) =>
      q
        .toLowerCase()
        .split(' ')
        .every((term) => headOf(post).toLowerCase().includes(term)),
    ),
  },
  {
    name: 'the search looks at whole words',
    breaks: searches((post, q) =>
      fold(q)
        .split(' ')
        .every((term) =>
          fold(headOf(post))
            .split(/[^\p{L}\p{N}]+/u)
            .includes(term),
        ),
    ),
  },
  {
    name: 'the search looks at beginnings',
    breaks: searches((post, q) =>
      fold(q)
        .split(' ')
        .every((term) =>
          fold(headOf(post))
            .split(/[^\p{L}\p{N}]+/u)
            .some((word) => word.startsWith(term)),
        ),
    ),
  },
  {
    name: 'the search looks through the text',
    breaks: searches((post, q) =>
      fold(q)
        .split(' ')
        .every((term) => fold(`${headOf(post)}\n${post['content']}`).includes(term)),
    ),
  },
  {
    name: 'the search finds any of the words',
    breaks: searches((post, q) =>
      fold(q)
        .split(' ')
        .some((term) => fold(headOf(post)).includes(term)),
    ),
  },
  {
    name: 'the search looks at titles alone',
    breaks: searches((post, q) =>
      fold(q)
        .split(' ')
        .every((term) => fold(post['title']).includes(term)),
    ),
  },
  {
    name: 'hits are not ranked by title',
    breaks: searches((post, q) =>
      fold(q)
        .split(' ')
        .every((term) => fold(headOf(post)).includes(term)),
    ),
  },
  {
    name: 'meta.count is the number of all hits',
    breaks: answers(isSearch, (body) => {
      const found = hits(body);
      return { ...body, data: { ...found, meta: { ...found.meta, count: Number(found.meta['count']) + 1 } } };
    }),
  },
  {
    name: 'q of two characters accepted',
    breaks: asks(isSearch, (url) => url.searchParams.get('q')?.length === 2 && url.searchParams.set('q', 'the')),
  },
  {
    name: 'q is not trimmed',
    breaks: answers(isSearch, (body, { query }) => {
      const found = hits(body);
      return { ...body, data: { ...found, meta: { ...found.meta, q: query.get('q') } } };
    }),
  },

  {
    name: 'unknown keys open the blog',
    breaks: (send) => async (request) => {
      const copy = request.clone();
      const response = await send(request);
      return response.status === 401 && copy.headers.has('x-api-key')
        ? json({ success: true, data: [] }, response, 200)
        : response;
    },
  },
  {
    name: 'errors without a request id',
    breaks: (send) => async (request) => {
      const response = await send(request);
      if (response.status < 400 || request.method === 'HEAD') return response;
      const { success, error } = (await response.json()) as { success: boolean; error: Json };
      const { requestId: _, ...rest } = error;
      return json({ success, error: rest }, response);
    },
  },
  { name: 'a wrong method is 404', breaks: instead(405, (response) => json({}, response, 404)) },
  {
    name: 'no CORS',
    breaks: headers(
      () => true,
      (all) => all.delete('access-control-allow-origin'),
    ),
  },
  {
    name: 'content may be cached by anybody',
    breaks: headers(isList, (all) => all.set('cache-control', 'public, max-age=60')),
  },
  {
    name: 'never 304',
    breaks: (send) => (request) => {
      const all = new Headers(request.headers);
      all.delete('if-none-match');
      return send(new Request(request, { headers: all }));
    },
  },

  {
    name: 'any media type accepted',
    breaks: (send) => (request) => {
      const all = new Headers(request.headers);
      if (all.has('content-type')) all.set('content-type', 'application/json');
      return send(new Request(request, { headers: all }));
    },
  },
  {
    name: 'an ad repeated in a batch',
    breaks: answers(isBatch, (body) => {
      const results = body as unknown as Json[];
      const filled = results.find((one) => one['filled']);
      return results.map((one) =>
        one['format'] === filled?.['format'] && one['filled'] ? { ...filled, slotId: one['slotId'] } : one,
      );
    }),
  },
  { name: 'a batch answered in reverse', breaks: answers(isBatch, (body) => (body as unknown as Json[]).reverse()) },
  {
    name: 'the lowest priority first in a batch',
    breaks: answers(isBatch, (body) => {
      const results = body as unknown as Json[];
      const filled = results.filter((one) => one['filled']).reverse();
      return results.map((one) =>
        one['filled'] ? { ...filled.shift(), slotId: one['slotId'], format: one['format'] } : one,
      );
    }),
  },
  {
    name: 'filled false with a token',
    breaks: answers(isBatch, (body) =>
      (body as unknown as Json[]).map((one) => (one['filled'] ? one : { ...one, clickToken: null })),
    ),
  },
  { name: 'an ad without its token', breaks: answers(isDelivery, ({ clickToken: _, ...body }) => body) },
  {
    name: 'a forged token accepted',
    breaks: (send) => async (request) => {
      const copy = request.clone();
      const response = await send(request);
      if (!isClick(seen(copy)) || response.status !== 400) return response;
      const { clickToken } = ((await copy.json().catch(() => ({}))) ?? {}) as { clickToken?: unknown };
      return String(clickToken).split('.').length === 3 && String(clickToken).length > 40 ? ok(response) : response;
    },
  },
  {
    name: 'a repeated click is 409',
    breaks: (send) => {
      const clicked = new Set<string>();
      return async (request) => {
        const copy = request.clone();
        const response = await send(request);
        if (!isClick(seen(copy)) || response.status !== 200) return response;
        const { clickToken } = (await copy.json()) as { clickToken: string };
        const { sub } = JSON.parse(atob(clickToken.split('.')[1] ?? '')) as { sub: string };
        if (!clicked.has(sub)) {
          clicked.add(sub);
          return response;
        }
        return json({}, response, 409);
      };
    },
  },
  {
    name: 'an impression uses the token up',
    breaks: (send) => async (request) => {
      const copy = request.clone();
      const { path } = seen(copy);
      if (path === '/public/ads/tracking/impression') {
        const url = new URL('/public/ads/tracking/click', copy.url);
        await send(new Request(url, { method: 'POST', headers: copy.headers, body: await copy.clone().text() }));
      }
      return send(request);
    },
  },
  {
    name: 'clicks from everywhere',
    domains: true,
    breaks: (send) => (request) => {
      const all = new Headers(request.headers);
      all.set('origin', 'https://magazine.example');
      return send(new Request(request, { headers: all }));
    },
  },
  {
    name: 'an origin is matched by its end',
    domains: true,
    breaks: (send) => (request) => {
      const all = new Headers(request.headers);
      if (all.get('origin')?.endsWith('magazine.example')) all.set('origin', 'https://magazine.example');
      return send(new Request(request, { headers: all }));
    },
  },
  {
    name: 'an origin is matched by its start',
    domains: true,
    breaks: (send) => (request) => {
      const all = new Headers(request.headers);
      if (all.get('origin')?.startsWith('https://magazine.example')) all.set('origin', 'https://magazine.example');
      return send(new Request(request, { headers: all }));
    },
  },
  {
    name: 'the Referer is not looked at',
    domains: true,
    breaks: (send) => (request) => {
      const all = new Headers(request.headers);
      all.delete('referer');
      return send(new Request(request, { headers: all }));
    },
  },
  {
    name: 'a refused origin uses the token up',
    domains: true,
    breaks: (send) => async (request) => {
      const copy = request.clone();
      const response = await send(request);
      if (response.status === 403) {
        const all = new Headers(copy.headers);
        all.set('origin', 'https://magazine.example');
        await send(new Request(copy, { headers: all }));
      }
      return response;
    },
  },
];
