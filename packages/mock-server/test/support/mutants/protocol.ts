import {
  headers,
  isDelivery,
  type Json,
  json,
  type Mutant,
  type Seen,
  type Send,
  seen,
  statusOf,
} from './broken-server.ts';

const errors =
  (f: (e: Json, status: number) => Json) =>
  (send: Send): Send =>
  async (request) => {
    const response = await send(request);
    if (response.status < 400 || request.method === 'HEAD') return response;
    const { success, error } = (await response.json()) as { success: boolean; error: Json };
    return json({ success, error: f(error, response.status) }, response);
  };
const nokey =
  (s: number, when: (at: Seen) => boolean) =>
  (send: Send): Send =>
  async (request) => {
    const r = await send(request.clone());
    if (r.status !== 401 || !when(seen(request))) return r;
    return json({ success: false, error: {} }, r, s);
  };

/** Servers with wrong statuses, headers and error bodies. */
export const PROTOCOL_MUTANTS: readonly Mutant[] = [
  {
    name: 'errors without X-Request-Id',
    breaks: headers(
      (_, r) => r.status >= 400,
      (h) => h.delete('x-request-id'),
    ),
  },
  {
    name: 'requestId differs from X-Request-Id',
    breaks: errors((e) => ({ ...e, requestId: `req_${crypto.randomUUID()}` })),
  },
  {
    name: 'every request has the same id',
    breaks: (send) => async (request) => {
      const r = await send(request);
      const h = new Headers(r.headers);
      const id = 'req_00000000-0000-4000-8000-000000000000';
      h.set('x-request-id', id);
      if (r.status < 400 || request.method === 'HEAD') return new Response(r.body, { status: r.status, headers: h });
      const b = (await r.json()) as Json;
      return new Response(JSON.stringify({ ...b, error: { ...(b['error'] as Json), requestId: id } }), {
        status: r.status,
        headers: h,
      });
    },
  },
  {
    name: 'weak ETags',
    breaks: headers(
      (_, r) => r.headers.has('etag'),
      (h) => h.set('etag', `W/${h.get('etag')}`),
    ),
  },
  {
    name: 'ETag changes with each response',
    breaks: headers(
      (_, r) => r.headers.has('etag'),
      (h) => h.set('etag', `"${Math.random()}"`),
    ),
  },
  {
    name: 'any If-None-Match gives 304',
    breaks: (send) => (request) => {
      const h = new Headers(request.headers);
      if (h.has('if-none-match')) h.set('if-none-match', '*');
      return send(new Request(request, { headers: h }));
    },
  },
  {
    name: 'errors without CORS',
    breaks: headers(
      (_, r) => r.status >= 400,
      (h) => h.delete('access-control-allow-origin'),
    ),
  },
  {
    name: 'CORS allows one origin',
    breaks: headers(
      () => true,
      (h) => h.set('access-control-allow-origin', 'https://magazine.example'),
    ),
  },
  {
    name: 'preflights do not allow X-API-Key',
    breaks: headers(
      (at) => at.method === 'OPTIONS',
      (h) => h.set('access-control-allow-headers', 'Content-Type'),
    ),
  },
  { name: 'preflights need the key', breaks: statusOf((at) => at.method === 'OPTIONS', 401) },
  {
    name: 'HEAD delivers an ad',
    breaks: (send) => async (request) => {
      if (request.method === 'HEAD' && isDelivery(seen(request))) {
        const r = await send(new Request(request.url, { headers: request.headers }));
        return new Response(null, { status: r.status, headers: r.headers });
      }
      return send(request);
    },
  },
  {
    name: 'HEAD of an unknown post is 200',
    breaks: statusOf((at, r) => at.method === 'HEAD' && r.status === 404, 200),
  },
  {
    name: '405 without Allow',
    breaks: headers(
      (_, r) => r.status === 405,
      (h) => h.delete('allow'),
    ),
  },
  {
    name: 'error.docs links to another code',
    breaks: errors((e) => ({ ...e, docs: String(e['docs']).replace(String(e['code']), 'ERROR') })),
  },
  {
    name: 'a malformed escape is 404',
    breaks: statusOf((at, r) => r.status === 400 && /%(?![0-9a-f]{2})/i.test(new URL(at.request.url).pathname), 404),
  },
  {
    name: 'an unknown path without a key is 404',
    breaks: nokey(404, (at) => !/^\/public\/(posts|tags|categories|search|ads)/.test(at.path)),
  },
  {
    name: '415 comes before 401',
    breaks: (send) => async (request) => {
      const r = await send(request.clone());
      return r.status === 401 && request.method === 'POST' && !request.headers.get('content-type')?.includes('json')
        ? json({}, r, 415)
        : r;
    },
  },
  {
    name: '400 comes before 401',
    breaks: (send) => async (request) => {
      const r = await send(request.clone());
      const q = new URL(request.url).searchParams;
      return r.status === 401 &&
        (q.get('limit') === '0' || (seen(request).path === '/public/search' && (q.get('q') ?? '').length < 3))
        ? json({}, r, 400)
        : r;
    },
  },
  {
    name: 'no Vary',
    breaks: headers(
      () => true,
      (h) => h.delete('vary'),
    ),
  },
  {
    name: 'ads may be cached',
    breaks: headers(
      (at) => at.path.includes('/ads/'),
      (h) => h.delete('cache-control'),
    ),
  },
  { name: '401 is retryable', breaks: errors((e, s) => (s === 401 ? { ...e, retryable: true } : e)) },
  { name: 'validation errors without fields', breaks: errors(({ details: _, ...e }) => e) },
  {
    name: 'fields of a slot are named without their path',
    breaks: errors((e) => JSON.parse(JSON.stringify(e).replaceAll(/"field":"slots\.\d+\./g, '"field":"'))),
  },
];
