import {
  instead,
  isBatch,
  isClick,
  isDelivery,
  type Json,
  json,
  type Mutant,
  ok,
  responds,
  seen,
  slots,
} from './broken-server.ts';

/** Servers with wrong ads and clicks. */
export const AD_MUTANTS: readonly Mutant[] = [
  {
    name: 'a token in the query accepted',
    breaks: (send) => (request) => {
      const clickToken = new URL(request.url).searchParams.get('clickToken');
      if (!isClick(seen(request)) || !clickToken) return send(request);
      return send(new Request(request, { body: JSON.stringify({ clickToken }) }));
    },
  },
  {
    name: 'one token for all slots',
    breaks: slots((results) => {
      const { clickToken } = results.find(({ filled }) => filled) ?? {};
      return results.map((slot) => (slot['filled'] ? { ...slot, clickToken } : slot));
    }),
  },
  {
    name: 'filled slots first',
    breaks: slots((results) => results.sort((one, two) => Number(two['filled']) - Number(one['filled']))),
  },
  {
    name: 'slotIds trimmed',
    breaks: slots((results) => results.map((slot) => ({ ...slot, slotId: String(slot['slotId']).trim() }))),
  },
  {
    name: 'slotIds in lower case',
    breaks: slots((results) => results.map((slot) => ({ ...slot, slotId: String(slot['slotId']).toLowerCase() }))),
  },
  {
    name: 'another linkUrl in a batch',
    breaks: slots((results) =>
      results.map((slot) => (slot['linkUrl'] ? { ...slot, linkUrl: 'https://a.example/' } : slot)),
    ),
  },
  { name: 'used token accepted', breaks: instead(409, ok) },
  {
    name: 'an ad repeated in a batch',
    breaks: responds(isBatch, (body) => {
      const results = body as unknown as Json[];
      const filled = results.find((one) => one['filled']);
      return results.map((one) =>
        one['format'] === filled?.['format'] && one['filled'] ? { ...filled, slotId: one['slotId'] } : one,
      );
    }),
  },
  {
    name: 'an INLINE ad repeated in a batch',
    breaks: responds(isBatch, (body) => {
      const results = body as unknown as Json[];
      const inline = results.find((one) => one['filled'] && one['format'] === 'INLINE');
      return results.map((one) => (inline && one['format'] === 'INLINE' ? { ...inline, slotId: one['slotId'] } : one));
    }),
  },
  {
    name: 'an ad repeated now and then in a batch',
    breaks: responds(isBatch, (body) => {
      const results = body as unknown as Json[];
      const [first, second] = results.filter((one) => one['filled'] && one['format'] === 'BANNER');
      if (!first || !second || Math.random() < 0.5) return results;
      return results.map((one) => (one === second ? { ...first, slotId: one['slotId'] } : one));
    }),
  },
  {
    name: 'equal ads always in the same order in a batch',
    breaks: responds(isBatch, (body) => {
      const results = body as unknown as Json[];
      const banners = results.filter((one) => one['filled'] && one['format'] === 'BANNER').slice(0, 2);
      const [one = {}, other = {}] = [...banners].sort((a, b) => (String(a['id']) < String(b['id']) ? -1 : 1));
      const [first, second] = banners;
      return results.map((result) => {
        const ad = result === first ? one : result === second ? other : undefined;
        return ad ? { ...ad, slotId: result['slotId'] } : result;
      });
    }),
  },
  { name: 'a batch in reverse order', breaks: responds(isBatch, (body) => (body as unknown as Json[]).reverse()) },
  {
    name: 'the lowest priority first in a batch',
    breaks: responds(isBatch, (body) => {
      const results = body as unknown as Json[];
      const filled = results.filter((one) => one['filled']).reverse();
      return results.map((one) =>
        one['filled'] ? { ...filled.shift(), slotId: one['slotId'], format: one['format'] } : one,
      );
    }),
  },
  {
    name: 'filled false with a token',
    breaks: responds(isBatch, (body) =>
      (body as unknown as Json[]).map((one) => (one['filled'] ? one : { ...one, clickToken: null })),
    ),
  },
  { name: 'an ad without its token', breaks: responds(isDelivery, ({ clickToken: _, ...body }) => body) },
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
    name: 'an impression uses up the token',
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
    name: 'clicks accepted from everywhere',
    domains: true,
    breaks: (send) => (request) => {
      const all = new Headers(request.headers);
      all.set('origin', 'https://magazine.example');
      return send(new Request(request, { headers: all }));
    },
  },
  {
    name: 'an origin is matched by its suffix',
    domains: true,
    breaks: (send) => (request) => {
      const all = new Headers(request.headers);
      if (all.get('origin')?.endsWith('magazine.example')) all.set('origin', 'https://magazine.example');
      return send(new Request(request, { headers: all }));
    },
  },
  {
    name: 'an origin is matched by its prefix',
    domains: true,
    breaks: (send) => (request) => {
      const all = new Headers(request.headers);
      if (all.get('origin')?.startsWith('https://magazine.example')) all.set('origin', 'https://magazine.example');
      return send(new Request(request, { headers: all }));
    },
  },
  {
    name: 'the Referer is ignored',
    domains: true,
    breaks: (send) => (request) => {
      const all = new Headers(request.headers);
      all.delete('referer');
      return send(new Request(request, { headers: all }));
    },
  },
  {
    name: 'a refused origin uses up the token',
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
