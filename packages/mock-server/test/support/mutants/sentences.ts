import {
  allPosts,
  asks,
  bodyOf,
  each,
  headers,
  hits,
  isBatch,
  isClick,
  isDelivery,
  isImpression,
  isList,
  isPages,
  isPost,
  isSearch,
  type Json,
  json,
  list,
  type Mutant,
  ok,
  responds,
  type Seen,
  type Send,
  searches,
  seen,
  slots,
  statusOf,
  withHits,
  withKey,
  withPagination,
} from './broken-server.ts';

const at = (path: RegExp) => (seen: Seen) => path.test(seen.path);
const isLabels = at(/^\/public\/(categories|tags)$/);
/** Changes the fields of each item of a response. */
const items = (when: (seen: Seen) => boolean, change: (item: Json) => Json) =>
  responds(when, (body) => each(body, (item) => ({ ...item, ...change(item) })));
const without = (name: string) => (item: Json) => {
  const { [name]: _, ...rest } = item;
  return rest;
};
const meta = (change: (meta: Json) => Json) =>
  responds(isSearch, (body) => ({ ...body, data: { ...hits(body), meta: change(hits(body).meta) } }));
/** Changes the error of a failure, or its whole body. */
const errors =
  (status: number, change: (error: Json) => Json, whole: (body: Json) => unknown = (body) => body) =>
  (send: Send): Send =>
  async (request) => {
    const response = await send(request);
    if (response.status !== status || request.method === 'HEAD') return response;
    const { error, ...body } = (await response.json()) as Json & { error: Json };
    return json(whole({ ...body, error: change(error) }), response);
  };
/** Removes a header of a response. */
const lacks = (name: string, when: (seen: Seen, response: Response) => boolean = () => true) =>
  headers(when, (all) => all.delete(name));
const withHeader = (send: Send, request: Request, name: string, value: string) => {
  const all = new Headers(request.headers);
  all.set(name, value);
  return send(new Request(request, { headers: all }));
};
/** Replaces a query parameter that the API would refuse. */
const lenient = (when: (seen: Seen) => boolean, name: string, refused: RegExp, value: string) =>
  asks(
    (request) => when(request) && refused.test(request.query.get(name) ?? '-'),
    (url) => url.searchParams.set(name, value),
  );
/** Refuses requests that the API accepts. */
const refuses = (when: (seen: Seen) => boolean, status = 400) =>
  statusOf((request, response) => response.status === 200 && when(request), status);
/** Rewrites the slots of a batch before they are read. */
const rewrites =
  (change: (slot: Json) => Json) =>
  (send: Send): Send =>
  async (request) => {
    const body = isBatch(seen(request)) ? await bodyOf(request) : undefined;
    if (!Array.isArray(body?.['slots'])) return send(request);
    const changed = body['slots'].map((slot: Json) => (typeof slot === 'object' && slot ? change(slot) : slot));
    return send(new Request(request, { body: JSON.stringify({ slots: changed }) }));
  };
const domain = (breaks: Mutant['breaks'], name: string): Mutant => ({ name, domains: true, breaks });
const MAGAZINE = 'https://magazine.example';

/** Servers that each break one more sentence of the API document, or one decision beyond it. */
export const SENTENCE_MUTANTS: readonly Mutant[] = [
  // api.md 2: resources
  {
    name: 'updatedAt has an offset',
    breaks: items(isPost, ({ updatedAt }) => ({ updatedAt: String(updatedAt).replace('Z', '+00:00') })),
  },
  {
    name: 'createdAt of a category by id is a number',
    breaks: items(at(/^\/public\/categories\/[^/]+$/), () => ({ createdAt: 1767268800000 })),
  },
  {
    name: 'scheduledAt is left out when it is null',
    breaks: responds(isPost, (body) => each(body, without('scheduledAt'))),
  },
  {
    name: 'one subtitle is null',
    breaks: responds(isList, (body) => ({
      ...body,
      data: list(body).map((post, index) => (index === 3 ? { ...post, subtitle: null } : post)),
    })),
  },
  { name: 'status in lower case', breaks: items(isPost, () => ({ status: 'published' })) },
  {
    name: 'the tags of a post have no blogId',
    breaks: items(isPost, ({ tags }) => ({ tags: (tags as Json[]).map(without('blogId')) })),
  },
  {
    name: 'the categories of a post have their counts',
    breaks: items(isPost, ({ categories }) => ({
      categories: (categories as Json[]).map((one) => ({ ...one, _count: { posts: 1 } })),
    })),
  },
  {
    name: 'the categories of a post are ids',
    breaks: items(isPost, ({ categories }) => ({ categories: (categories as Json[]).map(({ id }) => id) })),
  },
  {
    name: 'tags by id have no _count',
    breaks: responds(at(/^\/public\/tags\/[^/]+$/), (body) => each(body, without('_count'))),
  },
  {
    name: '_count.posts is a string',
    breaks: items(isLabels, ({ _count }) => ({ _count: { posts: String((_count as Json)['posts']) } })),
  },
  { name: 'labels of another blog', breaks: items(at(/^\/public\/tags$/), () => ({ blogId: 'another-blog' })) },
  {
    name: 'search results have the content',
    breaks: responds(isSearch, (body) =>
      withHits(
        body,
        hits(body).data.map((hit) => ({ ...hit, content: '' })),
      ),
    ),
  },
  {
    name: 'search results without publishedAt',
    breaks: responds(isSearch, (body) => withHits(body, hits(body).data.map(without('publishedAt')))),
  },
  {
    name: 'search results have a stale subtitle',
    breaks: responds(isSearch, (body) =>
      withHits(
        body,
        hits(body).data.map((hit) => ({ ...hit, subtitle: 'Old' })),
      ),
    ),
  },
  { name: 'meta.limit of a search is always 10', breaks: meta((found) => ({ ...found, limit: 10 })) },
  { name: 'meta.offset of a search is always 0', breaks: meta((found) => ({ ...found, offset: 0 })) },
  { name: 'meta of a search has the total', breaks: meta((found) => ({ ...found, total: 100 })) },
  { name: 'meta.q in lower case', breaks: meta((found) => ({ ...found, q: String(found['q']).toLowerCase() })) },
  {
    name: 'search results at data',
    breaks: responds(isSearch, (body) => ({ ...body, data: hits(body).data, meta: hits(body).meta })),
  },
  {
    name: 'meta.pagination.page is always 1',
    breaks: responds(isPages, (body) => withPagination(body, () => ({ page: 1 }))),
  },
  {
    name: 'an empty list has one page',
    breaks: responds(isPages, (body) =>
      withPagination(body, ({ totalPages }) => ({ totalPages: Math.max(1, Number(totalPages)) })),
    ),
  },
  {
    name: 'total is a string',
    breaks: responds(isPages, (body) => withPagination(body, ({ total }) => ({ total: String(total) }))),
  },
  {
    name: 'pagination is not in meta.pagination',
    breaks: responds(isPages, (body) => ({ ...body, meta: (body['meta'] as Json)['pagination'] })),
  },
  {
    name: 'an unfilled delivery has null fields',
    breaks: responds(isDelivery, (body) => (body['filled'] ? body : { ...body, id: null })),
  },
  {
    name: 'an unfilled slot has no slotId',
    breaks: slots((results) => results.map((slot) => (slot['filled'] ? slot : without('slotId')(slot)))),
  },
  { name: 'unfilled slots are left out', breaks: slots((results) => results.filter(({ filled }) => filled)) },
  {
    name: 'ids of ads are not UUIDs',
    breaks: responds(isDelivery, (body) => (body['filled'] ? { ...body, id: `ad-${body['id']}` } : body)),
  },
  { name: 'a delivery names its format', breaks: responds(isDelivery, (body) => ({ ...body, format: 'BANNER' })) },
  {
    name: 'formats of slots in lower case',
    breaks: slots((results) => results.map((slot) => ({ ...slot, format: String(slot['format']).toLowerCase() }))),
  },
  {
    name: 'ads in a batch have their priority',
    breaks: slots((results) => results.map((slot) => (slot['filled'] ? { ...slot, priority: 5 } : slot))),
  },
  // api.md 4.1 to 4.4: reads
  { name: 'status=PUBLISHED is refused', breaks: refuses(({ query }) => query.has('status')) },
  {
    name: 'limit=100 is refused',
    breaks: refuses((request) => isList(request) && request.query.get('limit') === '100'),
  },
  { name: 'a negative offset is 0', breaks: lenient(isList, 'offset', /^-\d/, '0') },
  { name: 'a negative offset of a search is 0', breaks: lenient(isSearch, 'offset', /^-\d/, '0') },
  { name: 'limit=abc is the default', breaks: lenient(isList, 'limit', /^[a-z]+$/, '10') },
  { name: 'an empty limit is the default', breaks: lenient(isList, 'limit', /^$/, '10') },
  { name: 'an empty page is the first', breaks: lenient(isPages, 'page', /^$/, '1') },
  { name: 'page 0 is the first', breaks: lenient(isPages, 'page', /^0$/, '1') },
  { name: 'pageSize 0 is the default', breaks: lenient(isPages, 'pageSize', /^0$/, '10') },
  { name: 'pageSize beyond 100 is 100', breaks: lenient(isPages, 'pageSize', /^\d{3,}$/, '100') },
  { name: 'limit 0 of a search is the default', breaks: lenient(isSearch, 'limit', /^0$/, '10') },
  { name: 'hexadecimal numbers accepted', breaks: lenient(() => true, 'limit', /^0x/, '10') },
  { name: 'digits of other scripts accepted', breaks: lenient(isList, 'limit', /^[０-９٠-٩]+$/, '10') },
  {
    name: 'an offset past the end is 404',
    breaks: (send) => async (request) => {
      const response = await send(request);
      if (response.status !== 200 || !isList(seen(request)) || request.method === 'HEAD') return response;
      return list((await response.clone().json()) as Json).length > 0 ? response : json({}, response, 404);
    },
  },
  {
    name: 'the second page repeats the last post of the first',
    breaks: responds(isList, async (body, request, send) => {
      const offset = Number(request.query.get('offset') ?? 0);
      if (offset === 0 || list(body).length === 0) return body;
      const posts = await allPosts(request, send);
      return { ...body, data: posts.slice(offset - 1, offset - 1 + list(body).length) };
    }),
  },
  {
    name: 'pages of a category overlap',
    breaks: responds(isPages, async (body, request, send) => {
      const page = Number(request.query.get('page') ?? 1);
      if (page === 1) return body;
      const url = new URL(request.request.url);
      url.searchParams.set('page', String(page - 1));
      const before = (await (await send(new Request(url, { headers: request.request.headers }))).json()) as Json;
      return { ...body, data: [...list(before).slice(-1), ...list(body).slice(0, -1)] };
    }),
  },
  {
    name: 'an empty tag has no page',
    breaks: (send) => async (request) => {
      const response = await send(request);
      if (response.status !== 200 || !isPages(seen(request)) || request.method === 'HEAD') return response;
      const { pagination } = ((await response.clone().json()) as Json)['meta'] as { pagination: Json };
      return pagination['total'] === 0 ? json({}, response, 404) : response;
    },
  },
  {
    name: 'a category without posts is 404',
    breaks: (send) => async (request) => {
      const response = await send(request);
      if (response.status !== 200 || !at(/^\/public\/categories\/[^/]+$/)(seen(request))) return response;
      const { data } = (await response.clone().json()) as { data: { _count: { posts: number } } };
      return data._count.posts === 0 ? json({}, response, 404) : response;
    },
  },
  {
    name: 'only posts of which it is the first tag',
    breaks: responds(
      (request) => isPages(request) && request.path.includes('/tags/'),
      async (body, request, send) => {
        const id = decodeURIComponent(request.path.split('/')[3] ?? '');
        const posts = new Map((await allPosts(request, send)).map((post) => [post['id'], post['tags'] as Json[]]));
        return { ...body, data: list(body).filter((post) => posts.get(post['id'])?.[0]?.['id'] === id) };
      },
    ),
  },
  {
    name: 'categories sorted by code units',
    breaks: responds(at(/^\/public\/categories$/), (body) => ({
      ...body,
      data: list(body).sort((a, b) => (String(a['name']) < String(b['name']) ? -1 : 1)),
    })),
  },
  {
    name: 'an unknown category with a bad page is 404',
    breaks: (send) => async (request) => {
      const response = await send(request);
      if (response.status !== 400 || !isPages(seen(request))) return response;
      const url = new URL(request.url);
      url.search = '';
      const plain = await send(new Request(url, { headers: request.headers }));
      return plain.status === 404 ? plain : response;
    },
  },
  {
    name: 'q of three characters refused',
    breaks: refuses((request) => isSearch(request) && [...(request.query.get('q') ?? '').trim()].length === 3),
  },
  {
    name: 'spaces count as characters of q',
    breaks: asks(
      (request) =>
        isSearch(request) &&
        (request.query.get('q') ?? '').length >= 3 &&
        (request.query.get('q') ?? '').trim().length < 3,
      (url) => url.searchParams.set('q', 'the'),
    ),
  },
  {
    name: 'an absent q finds everything',
    breaks: asks(
      (request) => isSearch(request) && !request.query.has('q'),
      (url) => url.searchParams.set('q', 'the'),
    ),
  },
  {
    name: 'the length of q is counted in code units',
    breaks: refuses((request) => isSearch(request) && (request.query.get('q') ?? '').length > 200),
  },
  {
    name: 'two emoji are enough for q',
    breaks: asks(
      (request) =>
        isSearch(request) &&
        [...(request.query.get('q') ?? '')].length === 2 &&
        (request.query.get('q') ?? '').length >= 3,
      (url) => url.searchParams.set('q', 'the'),
    ),
  },
  {
    name: 'limit=50 of a search is refused',
    breaks: refuses((request) => isSearch(request) && request.query.get('limit') === '50'),
  },
  {
    name: 'short words are not searched',
    breaks: searches((post, q) =>
      q
        .toLowerCase()
        .normalize('NFKD')
        .replaceAll(/\p{M}/gu, '')
        .split(' ')
        .filter((term) => term.length > 3)
        .every((term) =>
          `${post['title']}\n${post['subtitle']}`
            .normalize('NFKD')
            .replaceAll(/\p{M}/gu, '')
            .toLowerCase()
            .includes(term),
        ),
    ),
  },
  {
    name: 'a minus excludes a word',
    breaks: asks(
      (request) => isSearch(request) && / -/.test(request.query.get('q') ?? ''),
      (url) => url.searchParams.set('q', (url.searchParams.get('q') ?? '').replaceAll(/ -\S+/g, '')),
    ),
  },
  {
    name: 'quotes are ignored in q',
    breaks: responds(isSearch, async (body, request, send) => {
      const q = request.query.get('q') ?? '';
      if (!q.includes('"')) return body;
      const url = new URL(request.request.url);
      url.searchParams.set('q', q.replaceAll('"', ''));
      const plain = await send(new Request(url, { headers: request.request.headers }));
      return plain.status === 200
        ? { ...body, data: { ...hits((await plain.json()) as Json), meta: hits(body).meta } }
        : body;
    }),
  },
  {
    name: 'hits of a search are the oldest first',
    breaks: responds(isSearch, (body) => withHits(body, hits(body).data.reverse())),
  },
  {
    name: 'a bad q is reported for "query"',
    breaks: errors(400, (error) => JSON.parse(JSON.stringify(error).replace('"field":"q"', '"field":"query"')) as Json),
  },
  {
    name: 'a refused search has another code',
    breaks: (send) => async (request) => {
      const changed = errors(400, (error) => ({ ...error, code: 'BAD_REQUEST' }))(send);
      return isSearch(seen(request)) ? changed(request) : send(request);
    },
  },
  // api.md 4.5: ads
  {
    name: 'formats in any case',
    breaks: asks(
      isDelivery,
      (url) => (url.pathname = url.pathname.replace(/[^/]+$/, (format) => format.toUpperCase())),
    ),
  },
  {
    name: 'an unknown format is unfilled',
    breaks: (send) => async (request) => {
      const response = await send(request);
      return response.status === 400 &&
        isDelivery(seen(request)) &&
        request.method === 'GET' &&
        !request.url.includes('idempotencyKey')
        ? json({ filled: false }, response, 200)
        : response;
    },
  },
  {
    name: 'no ad is 404',
    breaks: (send) => async (request) => {
      const response = await send(request);
      if (response.status !== 200 || !isDelivery(seen(request))) return response;
      return ((await response.clone().json()) as Json)['filled'] ? response : json({}, response, 404);
    },
  },
  {
    name: 'a single delivery ignores priorities',
    breaks: (send) => {
      let turn = 0;
      return async (request) => {
        const format = seen(request).path.split('/').at(-1);
        turn += 1;
        if (!isDelivery(seen(request)) || request.method !== 'GET' || turn % 2 === 0 || request.url.includes('?'))
          return send(request);
        const all = new Headers(request.headers);
        all.set('content-type', 'application/json');
        const body = JSON.stringify({ slots: [1, 2, 3, 4].map((slot) => ({ slotId: `${slot}`, format })) });
        const response = await send(
          new Request(new URL('/public/ads/formats', request.url), { method: 'POST', headers: all, body }),
        );
        if (response.status !== 200) return send(request);
        const ads = ((await response.clone().json()) as Json[]).filter(({ filled }) => filled);
        const { slotId: _, format: __, ...ad } = ads.at(-1) ?? { filled: false };
        return json(ad, response);
      };
    },
  },
  { name: 'a batch in the success envelope', breaks: slots((results) => ({ success: true, data: results })) },
  {
    name: 'a batch returns 201',
    breaks: statusOf((request, response) => isBatch(request) && response.status === 200, 201),
  },
  {
    name: 'twenty slots are refused',
    breaks: (send) => async (request) => {
      const body = isBatch(seen(request)) ? await bodyOf(request) : undefined;
      const response = await send(request);
      return response.status === 200 && Array.isArray(body?.['slots']) && body['slots'].length === 20
        ? json({}, response, 400)
        : response;
    },
  },
  {
    name: 'an empty list of slots is 200',
    breaks: (send) => async (request) => {
      const body = isBatch(seen(request)) ? await bodyOf(request) : undefined;
      const response = await send(request);
      return response.status === 400 &&
        Array.isArray(body?.['slots']) &&
        body['slots'].length === 0 &&
        !request.url.includes('?')
        ? json([], response, 200)
        : response;
    },
  },
  { name: 'a slot without a format is a banner', breaks: rewrites((slot) => ({ format: 'BANNER', ...slot })) },
  {
    name: 'a number is accepted as slotId',
    breaks: rewrites((slot) =>
      typeof slot['slotId'] === 'number' ? { ...slot, slotId: String(slot['slotId']) } : slot,
    ),
  },
  {
    name: 'an empty slotId is accepted',
    breaks: rewrites((slot) => (slot['slotId'] === '' ? { ...slot, slotId: 'x' } : slot)),
  },
  {
    name: 'a slotId of 201 characters is accepted',
    breaks: rewrites((slot) => ({
      ...slot,
      slotId: typeof slot['slotId'] === 'string' ? slot['slotId'].slice(0, 200) : slot['slotId'],
    })),
  },
  {
    name: 'formats of slots in any case',
    breaks: rewrites((slot) => ({
      ...slot,
      format: typeof slot['format'] === 'string' ? slot['format'].toUpperCase() : slot['format'],
    })),
  },
  {
    name: 'a missing content type is JSON',
    breaks: (send) => (request) =>
      request.method === 'POST' && !isImpression(seen(request)) && !request.headers.has('content-type')
        ? withHeader(send, request, 'content-type', 'application/json')
        : send(request),
  },
  {
    name: 'text/json is JSON',
    breaks: (send) => (request) =>
      request.headers.get('content-type') === 'text/json'
        ? withHeader(send, request, 'content-type', 'application/json')
        : send(request),
  },
  {
    name: 'the media type is case-sensitive',
    breaks: (send) => async (request) => {
      const type = request.headers.get('content-type') ?? '';
      const response = await send(request);
      return type !== type.toLowerCase() && /^application\/json/i.test(type) && !type.includes('charset')
        ? json({}, response, 415)
        : response;
    },
  },
  { name: 'a click returns success', breaks: responds(isClick, () => ({ success: true })) },
  {
    name: 'a click returns 201',
    breaks: statusOf((request, response) => isClick(request) && response.status === 200, 201),
  },
  {
    name: 'a click needs no key',
    breaks: (send) => async (request) => {
      const response = await send(request.clone());
      return response.status === 401 && isClick(seen(request)) ? ok(response) : response;
    },
  },
  { name: 'a used token is 400', breaks: statusOf((_, response) => response.status === 409, 400) },
  {
    name: 'a missing token is 409',
    breaks: (send) => async (request) => {
      const body = isClick(seen(request)) ? await bodyOf(request) : undefined;
      const response = await send(request);
      return response.status === 400 && body && !('clickToken' in body) ? json({}, response, 409) : response;
    },
  },
  {
    name: 'a token may have spaces around it',
    breaks: (send) => async (request) => {
      const body = isClick(seen(request)) ? await bodyOf(request) : undefined;
      const token = body?.['clickToken'];
      return send(
        typeof token === 'string'
          ? new Request(request, { body: JSON.stringify({ clickToken: token.trim() }) })
          : request,
      );
    },
  },
  {
    name: 'an impression needs no key',
    breaks: (send) => async (request) => {
      const response = await send(request.clone());
      return response.status === 401 && isImpression(seen(request)) && request.method === 'POST'
        ? ok(response)
        : response;
    },
  },
  {
    name: 'an impression returns 204',
    breaks: (send) => async (request) => {
      const response = await send(request);
      return response.status === 200 && isImpression(seen(request))
        ? new Response(null, { status: 204, headers: response.headers })
        : response;
    },
  },
  {
    name: 'an impression needs JSON',
    breaks: (send) => async (request) => {
      const text = isImpression(seen(request)) ? await request.clone().text() : '';
      const response = await send(request);
      return response.status === 200 && text !== '' && !/^[{[]/.test(text) ? json({}, response, 400) : response;
    },
  },
  {
    name: 'an impression needs a JSON content type',
    breaks: (send) => async (request) => {
      const response = await send(request);
      const type = request.headers.get('content-type');
      return response.status === 200 && isImpression(seen(request)) && type !== null && !type.includes('json')
        ? json({}, response, 415)
        : response;
    },
  },
  {
    name: 'an impression may be sent by GET',
    breaks: (send) => async (request) => {
      const response = await send(request);
      return response.status === 405 && isImpression(seen(request)) && request.method === 'GET'
        ? ok(response)
        : response;
    },
  },
  // api.md 5 and 7: keys and errors
  {
    name: 'a bearer token is accepted as key',
    breaks: (send) => (request) => {
      const bearer = /^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '')?.[1];
      return bearer && !request.headers.has('x-api-key')
        ? withHeader(send, request, 'x-api-key', bearer)
        : send(request);
    },
  },
  { name: 'a 401 has another code', breaks: errors(401, (error) => ({ ...error, code: 'INVALID_API_KEY' })) },
  { name: 'a 401 has another type', breaks: errors(401, (error) => ({ ...error, type: 'auth' })) },
  { name: 'statusCode is a string', breaks: errors(404, (error) => ({ ...error, statusCode: '404' })) },
  { name: 'errors do not say whether they are retryable', breaks: errors(404, without('retryable')) },
  {
    name: 'errors have no success',
    breaks: errors(
      404,
      (error) => error,
      ({ error }) => ({ error }),
    ),
  },
  {
    name: 'request ids have no prefix',
    breaks: errors(401, (error) => ({ ...error, requestId: String(error['requestId']).slice(4) })),
  },
  { name: 'errors without docs', breaks: errors(404, without('docs')) },
  { name: 'an empty message', breaks: errors(404, (error) => ({ ...error, message: '' })) },
  { name: 'a 404 has details', breaks: errors(404, (error) => ({ ...error, details: null })) },
  {
    name: 'codes of fields in upper case',
    breaks: errors(
      400,
      (error) => JSON.parse(JSON.stringify(error).replaceAll('"code":"too_small"', '"code":"TOO_SMALL"')) as Json,
    ),
  },
  {
    name: 'errors are sent as HTML',
    breaks: headers(
      (_, { status }) => status === 404,
      (all) => all.set('content-type', 'text/html'),
    ),
  },
  {
    name: 'a 404 names the resource in its code',
    breaks: errors(404, (error) => ({ ...error, code: 'POST_NOT_FOUND' })),
  },
  {
    name: 'JSON that cannot be parsed is a validation error',
    breaks: errors(400, (error) => (error['code'] === 'INVALID_JSON' ? { ...error, code: 'VALIDATION_ERROR' } : error)),
  },
  {
    name: 'a token that was not issued here is a validation error',
    breaks: errors(400, (error) =>
      error['code'] === 'CLICK_TOKEN_INVALID' ? { ...error, code: 'VALIDATION_ERROR' } : error,
    ),
  },
  {
    name: '405 comes before 401',
    breaks: (send) => async (request) => {
      const response = await send(request.clone());
      return response.status === 401 && !['GET', 'POST', 'HEAD'].includes(request.method)
        ? json({}, response, 405)
        : response;
    },
  },
  {
    name: '400 comes before 415',
    breaks: (send) => async (request) => {
      const body = await bodyOf(request);
      const response = await send(request);
      return response.status === 415 && body === undefined ? json({}, response, 400) : response;
    },
  },
  {
    name: 'Allow names every method',
    breaks: headers(
      (_, { status }) => status === 405,
      (all) => all.set('allow', 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'),
    ),
  },
  {
    name: 'paths in any case',
    breaks: asks(
      (request) => /^\/public\/(posts|tags)$/i.test(request.path),
      (url) => (url.pathname = url.pathname.toLowerCase()),
    ),
  },
  {
    name: 'ids are trimmed',
    breaks: asks(
      at(/^\/public\/posts\/(%20)?[^/]+(%20)?$/),
      (url) => (url.pathname = url.pathname.replaceAll(/\/%20|%20$/g, (space) => space.replace('%20', ''))),
    ),
  },
  // Decisions: HTTP
  { name: 'successes without X-Request-Id', breaks: lacks('x-request-id', (_, { status }) => status === 200) },
  { name: '304 without X-Request-Id', breaks: lacks('x-request-id', (_, { status }) => status === 304) },
  { name: '304 without its ETag', breaks: lacks('etag', (_, { status }) => status === 304) },
  {
    name: 'ETag is not exposed',
    breaks: headers(
      () => true,
      (all) => all.set('access-control-expose-headers', 'X-Request-Id, Retry-After'),
    ),
  },
  { name: 'preflights cannot be cached', breaks: lacks('access-control-max-age') },
  {
    name: 'preflights do not allow POST',
    breaks: headers(
      (request) => request.method === 'OPTIONS',
      (all) => all.set('access-control-allow-methods', 'GET, HEAD, OPTIONS'),
    ),
  },
  {
    name: 'preflights do not allow If-None-Match',
    breaks: headers(
      (request) => request.method === 'OPTIONS',
      (all) => all.set('access-control-allow-headers', 'X-API-Key, Content-Type'),
    ),
  },
  {
    name: 'content is not stored',
    breaks: headers(
      (request, { status }) => status === 200 && !request.path.includes('/ads/'),
      (all) => all.set('cache-control', 'no-store'),
    ),
  },
  { name: 'a post by id has no ETag', breaks: lacks('etag', at(/^\/public\/posts\/[^/]+$/)) },
  { name: 'a search has no ETag', breaks: lacks('etag', isSearch) },
  { name: 'pages of a category have no ETag', breaks: lacks('etag', isPages) },
  {
    name: 'Vary does not name the key',
    breaks: headers(
      (_, response) => response.headers.has('vary'),
      (all) => all.set('vary', 'Origin'),
    ),
  },
  {
    name: 'If-None-Match: * is ignored',
    breaks: (send) => (request) => {
      if (request.headers.get('if-none-match') !== '*') return send(request);
      const all = new Headers(request.headers);
      all.delete('if-none-match');
      return send(new Request(request, { headers: all }));
    },
  },
  {
    name: 'a list of tags in If-None-Match is ignored',
    breaks: (send) => (request) => {
      if (!request.headers.get('if-none-match')?.includes(',')) return send(request);
      const all = new Headers(request.headers);
      all.delete('if-none-match');
      return send(new Request(request, { headers: all }));
    },
  },
  { name: 'HEAD is 405', breaks: statusOf((request, { status }) => request.method === 'HEAD' && status === 200, 405) },
  { name: 'HEAD has no ETag', breaks: lacks('etag', (request) => request.method === 'HEAD') },
  {
    name: 'deliveries have an ETag',
    breaks: headers(
      (request, { status }) => isDelivery(request) && status === 200,
      (all) => all.set('etag', '"ad"'),
    ),
  },
  // Decisions: idempotent deliveries and reports
  { name: 'a replay is not marked', breaks: lacks('idempotency-replayed') },
  {
    name: 'an idempotency key of 15 characters is accepted',
    breaks: asks(
      ({ query }) => query.get('idempotencyKey')?.length === 15,
      (url) => url.searchParams.set('idempotencyKey', `${url.searchParams.get('idempotencyKey')}-`),
    ),
  },
  {
    name: 'an idempotency key with a dot is accepted',
    breaks: asks(
      ({ query }) => query.get('idempotencyKey')?.includes('.') === true,
      (url) =>
        url.searchParams.set('idempotencyKey', String(url.searchParams.get('idempotencyKey')).replaceAll('.', '_')),
    ),
  },
  {
    name: 'the same idempotency key with another body is accepted',
    breaks: (send) => {
      const used = new Map<string, string>();
      return async (request) => {
        const key = new URL(request.url).searchParams.get('idempotencyKey');
        const body = `${seen(request).path} ${await request.clone().text()}`;
        if (key === null || (used.get(key) ?? body) === body) {
          if (key !== null) used.set(key, body);
          return send(request);
        }
        return send(await withKey(request, crypto.randomUUID()));
      };
    },
  },
  {
    name: 'refused deliveries do not say that keys are accepted',
    breaks: lacks('idempotency-accepted', (_, { status }) => status >= 400),
  },
  {
    name: 'deliveries without a key say that keys are accepted',
    breaks: headers(
      (request, { status }) => isDelivery(request) && status === 200,
      (all) => all.set('idempotency-accepted', 'true'),
    ),
  },
  {
    name: 'tracking/impression does not say that keys are accepted',
    breaks: lacks('idempotency-accepted', isImpression),
  },
  {
    name: 'reports of viewable ads need a key',
    breaks: (send) => async (request) => {
      const response = await send(request);
      return seen(request).path === '/measure/viewable' && !request.headers.has('x-api-key')
        ? json({}, response, 401)
        : response;
    },
  },
  {
    name: 'reports of viewable ads have a body',
    breaks: (send) => async (request) => {
      const response = await send(request);
      return response.status === 204 && seen(request).path === '/measure/viewable' && request.method === 'POST'
        ? ok(response)
        : response;
    },
  },
  {
    name: 'unreadable reports are 400',
    breaks: (send) => async (request) => {
      const text = seen(request).path === '/measure/viewable' ? await request.clone().text() : '';
      const response = await send(request);
      return response.status === 204 && text.startsWith('{') ? json({}, response, 400) : response;
    },
  },
  // Decisions: origins of clicks
  domain(
    (send) => async (request) => {
      const response = await send(request.clone());
      return response.status === 403 && !request.headers.has('origin') && !request.headers.has('referer')
        ? withHeader(send, request, 'origin', MAGAZINE)
        : response;
    },
    'a click without Origin and Referer is accepted',
  ),
  domain(
    (send) => async (request) => {
      const response = await send(request.clone());
      return response.status !== 403 && request.headers.get('origin')?.startsWith('http://')
        ? json({}, response, 403)
        : response;
    },
    'http and https differ',
  ),
  domain(
    (send) => (request) => {
      const referer = request.headers.get('referer');
      return referer && request.headers.has('origin') && URL.canParse(referer)
        ? withHeader(send, request, 'origin', new URL(referer).origin)
        : send(request);
    },
    'Referer comes before Origin',
  ),
  domain(
    (send) => (request) => {
      const origin = request.headers.get('origin') ?? '';
      return /^https?:\/\/[^/]+@magazine\.example|magazine\.example\./.test(origin)
        ? withHeader(send, request, 'origin', MAGAZINE)
        : send(request);
    },
    'an origin may contain the domain',
  ),
  domain(
    statusOf((_, { status }) => status === 403, 401),
    'a refused origin is 401',
  ),
  domain(
    errors(403, (error) => ({ ...error, code: 'FORBIDDEN' })),
    'a refused origin has another code',
  ),
];
