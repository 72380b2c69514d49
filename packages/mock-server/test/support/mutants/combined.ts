import {
  asks,
  bodyOf,
  fold,
  getLast,
  headers,
  headOf,
  hits,
  isBatch,
  isClick,
  isImpression,
  isList,
  isPages,
  isSearch,
  type Json,
  json,
  list,
  type Mutant,
  nextTask,
  responds,
  type Seen,
  type Send,
  searchesIn,
  seen,
  withHits,
  withKey,
} from './broken-server.ts';

/** Rewrites the JSON that a request sends. */
const rewrites =
  (when: (at: Seen) => boolean, change: (body: Json) => Json) =>
  (send: Send): Send =>
  async (request) => {
    const body = when(seen(request)) ? await bodyOf(request) : undefined;
    const changed = body && change(body);
    return send(changed === body ? request : new Request(request, { body: JSON.stringify(changed) }));
  };
const withoutCors = (status: number) =>
  headers(
    (_, response) => response.status === status,
    (all) => all.delete('access-control-allow-origin'),
  );
/** Changes a list by a parameter that the API does not have. */
const obeys = (when: (at: Seen) => boolean, name: string, change: (items: Json[], value: string) => Json[]) =>
  responds(
    (at) => when(at) && at.query.has(name),
    (body, { query }) => ({ ...body, data: change(list(body), query.get(name) ?? '') }),
  );
/** Rewrites a valid idempotency key, in a request that has one. */
const rewritesKey =
  (change: (key: string) => string) =>
  (send: Send): Send =>
  async (request) => {
    const [key = '', ...others] = seen(request).query.getAll('idempotencyKey');
    if (others.length > 0 || !/^[\w-]{16,64}$/.test(key)) return send(request);
    return send(await withKey(request, change(key)));
  };
const REQUEST_ID = 'req_00000000-0000-4000-8000-000000000000';

/** Servers that mix up concurrent requests, or that accept or do more than the API document says. */
export const COMBINED_MUTANTS: readonly Mutant[] = [
  {
    name: 'posts are filtered by blogId',
    breaks: obeys(isList, 'blogId', (posts, id) => posts.filter((post) => post['blogId'] === id)),
  },
  {
    name: 'posts are filtered by q',
    breaks: obeys(isList, 'q', (posts, q) => posts.filter((post) => fold(headOf(post)).includes(q))),
  },
  { name: 'posts are sorted by sort', breaks: obeys(isList, 'sort', (posts) => [...posts].reverse()) },
  {
    name: 'pages of a category have a limit',
    breaks: obeys(isPages, 'limit', (posts, limit) => posts.slice(0, Number(limit))),
  },
  {
    name: 'posts have pages',
    breaks: asks(
      (at) => isList(at) && at.query.get('page') === '2' && !at.query.has('offset'),
      (url) => url.searchParams.set('offset', '10'),
    ),
  },
  {
    name: 'a search has pageSize',
    breaks: responds(
      (at) => isSearch(at) && /^\d+$/.test(at.query.get('pageSize') ?? ''),
      (body, { query }) => withHits(body, hits(body).data.slice(0, Number(query.get('pageSize')))),
    ),
  },
  {
    name: 'an offset past the end of a search starts again',
    breaks: (send) => async (request) => {
      const response = await send(request);
      if (!isSearch(seen(request)) || response.status !== 200 || request.method === 'HEAD') return response;
      const body = (await response.clone().json()) as Json;
      const { data, meta } = hits(body);
      if (data.length > 0 || meta['offset'] === 0) return response;
      const url = new URL(request.url);
      url.searchParams.set('offset', '0');
      const first = await (await send(new Request(url, request))).json();
      return json(withHits(body, hits(first as Json).data), response);
    },
  },
  {
    name: 'only three words of q are searched',
    breaks: searchesIn(headOf, 3),
  },
  {
    name: 'concurrent requests for posts get the last one',
    breaks: getLast(({ path }) => /^\/public\/posts\/[^/]+$/.test(path)),
  },
  {
    name: 'concurrent deliveries under one idempotency key are separate',
    breaks: (send) => {
      const pending = new Set<string>();
      return async (request) => {
        const key = seen(request).query.get('idempotencyKey') ?? '';
        if (key.length < 16) return send(request);
        const isFirst = !pending.has(key);
        pending.add(key);
        await nextTask();
        const response = await send(isFirst ? request : await withKey(request, crypto.randomUUID()));
        if (isFirst) pending.delete(key);
        return response;
      };
    },
  },
  {
    name: 'a batch of more than 8 KiB is 413',
    breaks: (send) => async (request) => {
      const { byteLength } = await request.clone().arrayBuffer();
      const response = await send(request);
      return isBatch(seen(request)) && byteLength > 8192 && response.status === 200
        ? json({}, response, 413)
        : response;
    },
  },
  {
    name: 'slots may be an object',
    breaks: rewrites(isBatch, (body) => {
      const { slots } = body;
      const values = typeof slots === 'object' && slots !== null && !Array.isArray(slots) ? Object.values(slots) : [];
      return values.length > 0 ? { ...body, slots: values } : body;
    }),
  },
  {
    name: 'a token in a list is accepted',
    breaks: rewrites(isClick, (body) => {
      const token = body?.['clickToken'];
      return Array.isArray(token) && token.length === 1 ? { clickToken: String(token) } : body;
    }),
  },
  {
    name: 'used tokens are compared as text, but read leniently',
    breaks: (send) => {
      const used = new Map<string, string>();
      return async (request) => {
        const token = isClick(seen(request)) ? String((await bodyOf(request))?.['clickToken']) : '';
        const response = await send(request);
        const before = used.get(token.slice(0, -1));
        if (token !== '' && response.status === 200) used.set(token.slice(0, -1), token);
        return before !== undefined && before !== token ? json({ status: 'ok' }, response, 200) : response;
      };
    },
  },
  { name: 'idempotency keys are compared without case', breaks: rewritesKey((key) => key.toLowerCase()) },
  { name: 'idempotency keys are cut', breaks: rewritesKey((key) => key.slice(0, 48)) },
  {
    name: 'all successes have the same request id',
    breaks: headers(
      (_, { status }) => status === 200,
      (all) => all.set('x-request-id', REQUEST_ID),
    ),
  },
  {
    name: 'all refused searches have the same request id',
    breaks: (send) => async (request) => {
      const response = await send(request);
      if (response.status !== 400 || !isSearch(seen(request)) || request.method === 'HEAD') return response;
      const { error, ...body } = (await response.json()) as { error: Json };
      response.headers.set('x-request-id', REQUEST_ID);
      return json({ ...body, error: { ...error, requestId: REQUEST_ID } }, response);
    },
  },
  {
    name: 'If-None-Match is searched for the ETag',
    breaks: (send) => async (request) => {
      const condition = request.headers.get('if-none-match');
      const all = new Headers(request.headers);
      all.delete('if-none-match');
      const etag = condition && (await send(new Request(request, { headers: all }))).headers.get('etag');
      if (!etag || !condition.includes(etag.slice(1, -1))) return send(request);
      all.set('if-none-match', etag);
      return send(new Request(request, { headers: all }));
    },
  },
  {
    name: 'tracking/impression needs no key if it has a token',
    breaks: (send) => async (request) => {
      const token = isImpression(seen(request)) ? (await bodyOf(request))?.['clickToken'] : undefined;
      const response = await send(request);
      return response.status === 401 && String(token).length > 100 ? json({ status: 'ok' }, response, 200) : response;
    },
  },
  {
    name: 'callback makes a script of a response',
    breaks: (send) => async (request) => {
      const callback = seen(request).query.get('callback');
      const response = await send(request);
      if (callback === null || response.status !== 200) return response;
      return new Response(`${callback}(${await response.text()})`, { headers: response.headers });
    },
  },
  { name: 'fields selects fields', breaks: obeys(isList, 'fields', (posts) => posts.map(({ id }) => ({ id }))) },
  { name: '409 without CORS', breaks: withoutCors(409) },
  { name: '413 without CORS', breaks: withoutCors(413) },
];
