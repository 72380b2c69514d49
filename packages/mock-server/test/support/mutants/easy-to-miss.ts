import {
  asks,
  bodyOf,
  each,
  getLast,
  headOf,
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
  responds,
  type Seen,
  type Send,
  searchesIn,
  seen,
  slots,
  statusOf,
} from './broken-server.ts';

const refused = (response: Response, status: number) => json({ success: false, error: {} }, response, status);
const tokenIn = async (request: Request) => String((await bodyOf(request))?.['clickToken']);
const adOf = (token: string) => (JSON.parse(atob(token.split('.')[1] ?? '')) as { sub: string }).sub;
const slotIds = (change: (slotId: string) => unknown) =>
  slots((results) => results.map((slot) => ({ ...slot, slotId: change(String(slot['slotId'])) })));
const meta = (change: (meta: Json, found: number) => Json) =>
  responds(isSearch, (body) => {
    const found = hits(body);
    return { ...body, data: { ...found, meta: { ...found.meta, ...change(found.meta, found.data.length) } } };
  });
const withHeaders = (request: Request, change: Readonly<Record<string, string>>) =>
  new Request(request, { headers: { ...Object.fromEntries(request.headers), ...change } });

/** Ignores a parameter if another one is absent. */
const ignoredWithout = (when: (at: Seen) => boolean, name: string, other: string) =>
  asks(
    (at) =>
      when(at) &&
      !at.query.has(other) &&
      at.query.getAll(name).length === 1 &&
      /^\d{1,4}$/.test(`${at.query.get(name)}`),
    (url) => url.searchParams.set(name, name === 'page' ? '1' : '0'),
  );

/** Looks up an unknown item in another way. */
const alsoFinds =
  (path: RegExp, elsewhere: (id: string, items: Json[]) => string | undefined, listed: string) =>
  (send: Send): Send =>
  async (request) => {
    const response = await send(request);
    const [, id] = path.exec(seen(request).path) ?? [];
    if (response.status !== 404 || id === undefined) return response;
    const { headers, method } = request;
    const items = list((await (await send(new Request(new URL(listed, request.url), { headers }))).json()) as Json);
    const other = elsewhere(decodeURIComponent(id), items);
    return other === undefined ? response : send(new Request(new URL(other, request.url), { headers, method }));
  };

/** Spoils the click on a token, depending on the deliveries and clicks before it. */
const clicks =
  (
    status: number,
    prepare: () => {
      delivered?(tokens: readonly string[], at: Seen): void;
      clicked?(token: string): void;
      refuses(token: string): boolean;
    },
    when: (at: Seen) => boolean = isClick,
  ) =>
  (send: Send): Send => {
    const state = prepare();
    return async (request) => {
      const at = seen(request);
      const token = isClick(at) || when(at) ? await tokenIn(request) : '';
      const response = await send(request);
      if (when(at) && state.refuses(token)) return refused(response, status);
      if (isClick(at) && response.status === 200) state.clicked?.(token);
      if ((isDelivery(at) || isBatch(at)) && response.status === 200 && request.method !== 'HEAD') {
        const ads = [(await response.clone().json()) as Json | Json[]].flat();
        state.delivered?.(
          ads.flatMap(({ clickToken }) => (clickToken ? [String(clickToken)] : [])),
          at,
        );
      }
      return response;
    };
  };

/** Lets a refused click use up its token. */
const usesUp =
  (status: number, change: Readonly<Record<string, string>>) =>
  (send: Send): Send => {
    let key = '';
    return async (request) => {
      const copy = request.clone();
      key = request.headers.get('x-api-key') ?? key;
      const response = await send(request);
      if (isClick(seen(copy)) && response.status === status && (status !== 401 || !copy.headers.has('x-api-key'))) {
        await send(withHeaders(copy, { 'x-api-key': key, ...change }));
      }
      return response;
    };
  };

/** Refuses requests from pages of other sites. */
const forOwnPages = (when: (at: Seen) => boolean) =>
  statusOf((at, { status }) => {
    const origin = at.request.headers.get('origin');
    return status === 200 && at.method !== 'OPTIONS' && when(at) && origin?.includes('magazine') === false;
  }, 403);

/** Servers whose deviation shows only in a request that few clients send, or in several requests together. */
export const EASY_TO_MISS: readonly Mutant[] = [
  {
    name: 'posts name another blog than categories and tags',
    breaks: responds(
      (at) => isPost(at) || isPages(at),
      (body) => each(body, (post) => ({ ...post, blogId: 'owner-7' })),
    ),
  },
  { name: 'offset is ignored without limit', breaks: ignoredWithout(isList, 'offset', 'limit') },
  { name: 'page is ignored without pageSize', breaks: ignoredWithout(isPages, 'page', 'pageSize') },
  {
    name: 'offset is ignored with a status',
    breaks: asks(
      (at) => isList(at) && at.query.get('status') === 'PUBLISHED',
      (url) => url.searchParams.delete('offset'),
    ),
  },
  {
    name: 'a category is found as a tag',
    breaks: alsoFinds(
      /^\/public\/tags\/([^/]+)$/,
      (id, all) => all.map((one) => `/public/categories/${one['id']}`).find((path) => path.endsWith(`/${id}`)),
      '/public/categories',
    ),
  },
  {
    name: 'the posts of a tag are found below categories',
    breaks: alsoFinds(
      /^\/public\/categories\/([^/]+)\/posts$/,
      (id, all) => (all.some((tag) => tag['id'] === id) ? `/public/tags/${id}/posts` : undefined),
      '/public/tags',
    ),
  },
  {
    name: 'a category is found by its name',
    breaks: alsoFinds(
      /^\/public\/categories\/((?!%(?![\dA-F]{2}))[^/]+)$/,
      (name, all) => all.filter((one) => one['name'] === name).map((one) => `/public/categories/${one['id']}`)[0],
      '/public/categories',
    ),
  },
  // api.md 4.4: search
  {
    name: 'meta.count of a later page counts the pages before it',
    breaks: meta(({ offset, count }, found) => ({ count: found > 0 ? Number(offset) + found : count })),
  },
  {
    name: 'meta.q is escaped for HTML',
    breaks: meta(({ q }) => ({ q: String(q).replaceAll('&', '&amp;').replaceAll('<', '&lt;') })),
  },
  {
    name: 'the search reads titles that are escaped for HTML',
    breaks: searchesIn((post) => headOf(post).replaceAll('&', '&amp;')),
  },
  {
    name: 'the search also reads categories and tags',
    breaks: searchesIn((post) => {
      const labels = [post['categories'], post['tags']].flat() as Json[];
      return [headOf(post), ...labels.map(({ name }) => name)].join('\n');
    }),
  },
  { name: 'the search also reads authors', breaks: searchesIn((post) => `${headOf(post)}\n${post['authorId']}`) },
  {
    name: 'a search of many words is 500',
    breaks: statusOf((at, { status }) => status === 200 && `${at.query.get('q')}`.split(' ').length > 20, 500),
  },
  {
    name: 'concurrent searches get the result of the last',
    breaks: getLast(isSearch),
  },
  // api.md 4.5: slots and their order
  {
    name: 'slots whose ids are integers come first, in numeric order',
    breaks: slots((results) => {
      const keyed = results.map((slot, index) => [results.length === 3 ? slot['slotId'] : `slot ${index}`, slot]);
      const sorted = Object.values(Object.fromEntries(keyed));
      return sorted.length === results.length ? sorted : results;
    }),
  },
  { name: 'slotIds of digits are numbers', breaks: slotIds((id) => (/^\d+$/.test(id) ? Number(id) : id)) },
  { name: 'slotIds are normalized', breaks: slotIds((id) => id.normalize('NFC')) },
  {
    name: 'slotIds are escaped for HTML',
    breaks: slotIds((id) => id.replaceAll('&', '&amp;').replaceAll('<', '&lt;')),
  },
  {
    name: 'the second of three ads comes last',
    breaks: slots((results) => {
      const [, second, third, ...more] = results.filter((slot) => slot['filled'] && slot['format'] === 'BANNER');
      if (!second || !third || more.length > 0) return results;
      return results.map((slot) => {
        const ad = slot === second ? third : slot === third ? second : slot;
        return { ...ad, slotId: slot['slotId'] };
      });
    }),
  },
  {
    name: 'a single delivery always picks the same of equal ads',
    breaks: (send) => {
      const picked = new Map<string, unknown>();
      return async (request) => {
        const { path, query } = seen(request);
        let response = await send(request.clone());
        if (!isDelivery(seen(request)) || response.status !== 200 || query.has('idempotencyKey')) return response;
        const idOf = async () => ((await response.clone().json()) as Json)['id'];
        if (!picked.has(path)) picked.set(path, await idOf());
        for (let time = 0; time < 60 && (await idOf()) !== picked.get(path); time += 1) {
          response = await send(request.clone());
        }
        return response;
      };
    },
  },
  // api.md 4.5: clicks
  {
    name: 'the tokens of a batch are invalid',
    breaks: clicks(400, () => {
      const invalid = new Set<string>();
      return {
        refuses: (token) => invalid.has(token),
        delivered: (tokens, at) => isBatch(at) && tokens.forEach(invalid.add, invalid),
      };
    }),
  },
  {
    name: 'all tokens of a batch are used up by one click',
    breaks: clicks(409, () => {
      const used = new Set<string>();
      const batches: (readonly string[])[] = [];
      return {
        refuses: (token) => used.has(token),
        clicked: (token) => batches.find((tokens) => tokens.includes(token))?.forEach(used.add, used),
        delivered: (tokens, at) => isBatch(at) && batches.push(tokens),
      };
    }),
  },
  {
    name: 'a header shows that a click was not counted',
    breaks: (send) => {
      const clicked = new Set<string>();
      return async (request) => {
        const token = isClick(seen(request)) ? await tokenIn(request) : '';
        const response = await send(request);
        if (token === '' || response.status !== 200) return response;
        const all = new Headers(response.headers);
        all.set('x-click', clicked.has(adOf(token)) ? 'repeated' : 'counted');
        clicked.add(adOf(token));
        return new Response(response.body, { headers: all });
      };
    },
  },
  { name: 'a click that is not JSON uses up its token', breaks: usesUp(415, { 'content-type': 'application/json' }) },
  { name: 'a click without a key uses up its token', breaks: usesUp(401, {}) },
  // api.md 4.5: tracking/impression, and who may request ads
  {
    name: 'a large impression is 413',
    breaks: (send) => async (request) => {
      const { length } = await request.clone().text();
      const response = await send(request);
      return isImpression(seen(request)) && length > 65_536 ? refused(response, 413) : response;
    },
  },
  {
    name: 'an impression with a used token is 409',
    breaks: clicks(
      409,
      () => {
        const used = new Set<string>();
        return { refuses: (token) => used.has(token), clicked: (token) => used.add(token) };
      },
      isImpression,
    ),
  },
  { name: 'an impression from another site is 403', domains: true, breaks: forOwnPages(isImpression) },
  {
    name: 'a delivery to another site is 403',
    domains: true,
    breaks: forOwnPages((at) => isDelivery(at) || isBatch(at)),
  },
  // api.md 5 and 7: keys and errors
  {
    name: 'a key may have the prefix of a bearer token',
    breaks: (send) => (request) => {
      const [, key] = /^Bearer (.*)$/.exec(request.headers.get('x-api-key') ?? '') ?? [];
      return send(key === undefined ? request : withHeaders(request, { 'x-api-key': key }));
    },
  },
  {
    name: 'the documentation of each status is elsewhere',
    breaks: (send) => async (request) => {
      const response = await send(request);
      if (response.status < 400 || request.method === 'HEAD') return response;
      const { error, ...body } = (await response.json()) as { error: Json };
      const docs = `https://docs.example/${response.status}/errors/${error['code']}`;
      return json({ ...body, error: { ...error, docs } }, response);
    },
  },
];
