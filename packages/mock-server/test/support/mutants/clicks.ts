import {
  asks,
  bodyOf,
  instead,
  isBatch,
  isClick,
  isDelivery,
  type Json,
  json,
  type Mutant,
  ok,
  responds,
  type Seen,
  type Send,
  seen,
  statusOf,
} from './broken-server.ts';

const rewriteBody =
  (when: (at: Seen) => boolean, f: (b: Json) => unknown) =>
  (send: Send): Send =>
  async (request) => {
    if (!when(seen(request))) return send(request);
    const b = await bodyOf(request);
    if (!b) return send(request);
    const h = new Headers(request.headers);
    h.delete('content-length');
    return send(new Request(request.url, { method: 'POST', headers: h, body: JSON.stringify(f(b)) }));
  };
const b64 = (o: unknown) => btoa(JSON.stringify(o)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
const claims =
  (f: (c: Json) => Json) =>
  (send: Send): Send => {
    const real = new Map<string, string>();
    const fake = (t: unknown) => {
      const [h, p, s] = String(t).split('.');
      const c = f(JSON.parse(atob((p ?? '').replaceAll('-', '+').replaceAll('_', '/'))));
      const made = `${h}.${b64(c)}.${s}`;
      real.set(made, String(t));
      return made;
    };
    const swap = (r: Json) => (r['clickToken'] ? { ...r, clickToken: fake(r['clickToken']) } : r);
    return async (request) => {
      const at = seen(request);
      if (isClick(at)) {
        const b = await bodyOf(request);
        const t = real.get(String(b?.['clickToken']));
        if (t)
          return send(
            new Request(request.url, {
              method: 'POST',
              headers: request.headers,
              body: JSON.stringify({ clickToken: t }),
            }),
          );
        return send(request);
      }
      const response = await send(request);
      if (response.status !== 200 || !(isDelivery(at) || isBatch(at)) || request.method === 'HEAD') return response;
      const b = (await response.json()) as Json;
      return json(Array.isArray(b) ? b.map(swap) : swap(b), response);
    };
  };

/** Servers with wrong tokens, request bodies and origins. */
export const CLICK_MUTANTS: readonly Mutant[] = [
  { name: 'tokens without exp', breaks: claims(({ exp: _, ...c }) => c) },
  { name: 'tokens are valid for an hour', breaks: claims((c) => ({ ...c, exp: Number(c['iat']) + 3600 })) },
  { name: 'tokens without purpose', breaks: claims(({ purpose: _, ...c }) => c) },
  {
    name: 'opaque tokens',
    breaks: (send) => {
      const real = new Map<string, unknown>();
      return async (request) => {
        const at = seen(request);
        if (isClick(at)) {
          const b = await bodyOf(request);
          const t = real.get(String(b?.['clickToken']));
          return send(
            t
              ? new Request(request.url, {
                  method: 'POST',
                  headers: request.headers,
                  body: JSON.stringify({ clickToken: t }),
                })
              : request,
          );
        }
        const r = await send(request);
        if (r.status !== 200 || request.method === 'HEAD' || !(isDelivery(at) || isBatch(at))) return r;
        const sw = (x: Json) => {
          if (!x['clickToken']) return x;
          const t = crypto.randomUUID();
          real.set(t, x['clickToken']);
          return { ...x, clickToken: t };
        };
        const b = (await r.json()) as Json;
        return json(Array.isArray(b) ? b.map(sw) : sw(b), r);
      };
    },
  },
  {
    name: 'alg none accepted',
    breaks: (send) => async (request) => {
      const c = request.clone();
      const r = await send(request);
      if (!isClick(seen(c)) || r.status !== 400) return r;
      const t = String((await bodyOf(c))?.['clickToken']);
      try {
        return JSON.parse(atob(t.split('.')[0] ?? '')).alg === 'none' ? ok(r) : r;
      } catch {
        return r;
      }
    },
  },
  {
    name: '21 slots accepted',
    breaks: rewriteBody(isBatch, (b) =>
      Array.isArray(b['slots']) && b['slots'].length === 21 ? { slots: b['slots'].slice(0, 20) } : b,
    ),
  },
  {
    name: 'slotId may be absent',
    breaks: rewriteBody(isBatch, (b) =>
      Array.isArray(b['slots'])
        ? { slots: b['slots'].map((s: Json) => (s && typeof s === 'object' ? { slotId: 'x', ...s } : s)) }
        : b,
    ),
  },
  {
    name: 'repeated slotIds refused',
    breaks: (send) => async (request) => {
      const c = request.clone();
      const r = await send(request);
      const b = await bodyOf(c);
      const ids = isBatch(seen(c)) && Array.isArray(b?.['slots']) ? b['slots'].map((s: Json) => s?.['slotId']) : [];
      return r.status === 200 && new Set(ids).size < ids.length ? json({}, r, 400) : r;
    },
  },
  { name: 'an unknown format is 404', breaks: statusOf((at, r) => isDelivery(at) && r.status === 400, 404) },
  { name: 'a delivery in the success envelope', breaks: responds(isDelivery, (b) => ({ success: true, data: b })) },
  {
    name: 'click returns 204',
    breaks: (send) => async (request) => {
      const r = await send(request);
      return isClick(seen(request)) && r.status === 200 ? new Response(null, { status: 204, headers: r.headers }) : r;
    },
  },
  {
    name: 'an impression needs a body',
    breaks: (send) => async (request) => {
      const c = request.clone();
      const r = await send(request);
      return seen(c).path.endsWith('/impression') && (await c.text()) === '' ? json({}, r, 400) : r;
    },
  },
  {
    name: 'a charset in the media type is refused',
    breaks: (send) => async (request) => {
      const r = await send(request);
      return request.headers.get('content-type')?.includes('charset') &&
        request.method === 'POST' &&
        !seen(request).path.endsWith('impression')
        ? json({}, r, 415)
        : r;
    },
  },
  { name: 'a large body is accepted', breaks: instead(413, (r) => json([], r, 200)) },
  {
    name: 'every delivery is a banner',
    breaks: asks(isDelivery, (u) => {
      if (/(SIDEBAR|POPUP|INLINE|NATIVE)$/.test(u.pathname)) u.pathname = u.pathname.replace(/[A-Z]+$/, 'BANNER');
    }),
  },
  {
    name: 'the origin null is accepted',
    domains: true,
    breaks: (send) => (request) => {
      const h = new Headers(request.headers);
      if (h.get('origin') === 'null') h.set('origin', 'https://magazine.example');
      return send(new Request(request, { headers: h }));
    },
  },
  {
    name: 'the token is checked before the origin',
    domains: true,
    breaks: (send) => async (request) => {
      const c = request.clone();
      const r = await send(request);
      const b = await bodyOf(c);
      return r.status === 403 && String(b?.['clickToken']).split('.').length !== 3 ? json({}, r, 400) : r;
    },
  },
];
