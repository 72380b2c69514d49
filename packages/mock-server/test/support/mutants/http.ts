import { headers, instead, isList, type Json, json, type Mutant, type Send } from './broken-server.ts';

/** Servers with wrong HTTP behaviour. */
export const HTTP_MUTANTS: readonly Mutant[] = [
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
  ...['api_key', 'token', 'key'].map((name) => ({
    name: `a key in the query is accepted: ${name}`,
    breaks:
      (send: Send): Send =>
      (request) => {
        const key = new URL(request.url).searchParams.get(name);
        if (key === null || request.headers.has('x-api-key')) return send(request);
        const all = new Headers(request.headers);
        all.set('x-api-key', key);
        return send(new Request(request, { headers: all }));
      },
  })),
  {
    name: 'keys open the blog in any case',
    breaks: (send) => {
      const known = new Map<string, string>();
      return async (request) => {
        const key = request.headers.get('x-api-key') ?? '';
        const response = await send(request.clone());
        if (response.status !== 401) known.set(key.toLowerCase(), key);
        const real = known.get(key.toLowerCase());
        if (response.status !== 401 || real === undefined) return response;
        const all = new Headers(request.headers);
        all.set('x-api-key', real);
        return send(new Request(request, { headers: all }));
      };
    },
  },
  {
    name: 'credentials with an echoed origin',
    breaks: (send) => async (request) => {
      const origin = request.headers.get('origin');
      const response = await send(request);
      if (origin === null) return response;
      const all = new Headers(response.headers);
      all.set('access-control-allow-origin', origin);
      all.set('access-control-allow-credentials', 'true');
      return new Response(response.body, { status: response.status, headers: all });
    },
  },
  {
    name: 'a byte order mark before JSON',
    breaks: (send) => async (request) => {
      const response = await send(request);
      if (response.status !== 200 || request.method === 'HEAD') return response;
      return new Response(`\ufeff${await response.text()}`, { status: 200, headers: response.headers });
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
    name: 'content may be cached by shared caches',
    breaks: headers(isList, (all) => all.set('cache-control', 'public, max-age=60')),
  },
  {
    name: '304 without CORS',
    breaks: headers(
      (_, { status }) => status === 304,
      (changed) => changed.delete('access-control-allow-origin'),
    ),
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
];
