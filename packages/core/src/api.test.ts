import { createHmac, randomInt, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  ApiError,
  type ApiOptions,
  type ApiRequest,
  type Caller,
  createApi,
  createMemoryStore,
  createResponseCache,
  type Delivered,
  type MemoryStore,
  type Observation,
  StoreUnavailable,
} from './index.ts';

const hmac = (text: string) => createHmac('sha256', 'secret').update(text).digest('base64url');

const base = { id: '00000000-0000-4000-8000-000000000001', format: 'BANNER', linkUrl: 'https://x.example/' } as const;

function setup(cache = false) {
  const memory = createMemoryStore();
  const store = { ...memory, peekBlog: memory.findBlog };
  let now = Date.parse('2026-01-01T00:00:00Z');
  store.putBlog(
    {
      id: 'b',
      name: 'B',
      apiKeys: ['key'],
      categories: [{ id: 'c', name: 'C' }],
      posts: [
        { id: '1', title: 'Über the hills', slug: 'one', publishedAt: '2026-01-01T00:00:00Z', categoryIds: ['c'] },
        { id: '2', title: 'A draft', slug: 'two', status: 'DRAFT' },
      ],
      ads: [base],
    },
    now,
  );
  const random = { uuid: () => randomUUID(), below: (bound: number) => randomInt(bound) };
  const api = createApi({
    store,
    clock: { now: () => now },
    random,
    hmac,
    docsUrl: 'https://docs.example',
    ...(cache && { cache: createResponseCache(100_000) }),
  });
  const call = (path: string, init: RequestInit = {}) =>
    api.fetch(
      new Request(`https://blog.example${path}`, { ...init, headers: { 'X-API-Key': 'key', ...init.headers } }),
      {
        ip: '203.0.113.9',
      },
    );
  return { store, api, call, pass: (ms: number) => (now += ms) };
}

const ports = (store: MemoryStore) => ({
  store,
  clock: Date,
  random: { uuid: () => 'id', below: () => 0 },
  hmac,
  docsUrl: '',
});

/** A request with the key of the blog, as a door without Fetch objects creates it. */
const get = (path: string, method = 'GET', headers: Record<string, string> = {}): ApiRequest => ({
  method,
  url: `https://blog.example${path}`,
  header: (name) => ({ 'x-api-key': 'key', ...headers })[name] ?? null,
  body: async () => undefined,
});

describe.each([false, true])('content, with a cache: %s', (cache) => {
  test('drafts never show and categories are embedded', async () => {
    const { call } = setup(cache);
    const body = await (await call('/public/posts')).json();
    expect(body).toMatchObject({ success: true, data: [{ id: '1', categories: [{ id: 'c', blogId: 'b' }] }] });
    expect(body.data).toHaveLength(1);
    expect((await call('/public/posts/2')).status).toBe(404);
    expect((await call('/public/search?q=UBER')).status).toBe(200);
  });

  test('the tag of a revision gets a 304 until the blog is written', async () => {
    const { call, store } = setup(cache);
    const etag = (await call('/public/posts')).headers.get('etag') ?? '';
    const again = await call('/public/posts', { headers: { 'If-None-Match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const statusOf = async (tags: string) =>
      (await call('/public/posts', { headers: { 'If-None-Match': tags } })).status;
    expect(await Promise.all([`"x", W/${etag}`, ' * ', `x${etag}`, `xW/${etag}`].map(statusOf))).toEqual([
      304, 304, 200, 200,
    ]);
    store.putBlog({ id: 'b', name: 'B', posts: [{ id: '3', title: 'New', slug: 'three' }] }, Date.now());
    const fresh = await call('/public/posts', { headers: { 'If-None-Match': etag } });
    expect(fresh.status).toBe(200);
    expect((await fresh.json()).data).toHaveLength(2);
  });
});

test('a hit is synchronous and handles 304 and HEAD; nothing else is a hit', async () => {
  const { api, call } = setup(true);
  for (let turn = 0; turn < 2; turn += 1) await (await call('/public/posts')).text();
  const send = (method: string, headers: Record<string, string>) => api.hit(get('/public/posts', method, headers));
  const cached = send('GET', {});
  expect(cached).toMatchObject({ status: 200 });
  expect(send('GET', { 'if-none-match': cached?.headers['etag'] ?? '' })).toMatchObject({ status: 304, body: null });
  expect(send('HEAD', {})).toMatchObject({ status: 200, body: null });
  const others = [send('POST', {}), send('OPTIONS', {}), send('GET', { 'x-api-key': 'guessed' })];
  expect([...others, api.hit(get('/public/tags'))]).toEqual([undefined, undefined, undefined, undefined]);
});

test('nothing is a hit while a post is due, until the post is published', async () => {
  const { api, store, pass } = setup(true);
  const later = { id: '3', title: 'Later', slug: 'three', scheduledAt: '2026-01-01T00:00:10Z' };
  store.putBlog({ id: 'b', name: 'B', posts: [{ ...later, status: 'SCHEDULED' }] }, 0);
  const path = '/public/posts';
  for (let turn = 0; turn < 2; turn += 1) await api.handle(get(path));
  pass(9_999);
  expect(api.hit(get(path))).toMatchObject({ status: 200 });
  pass(1);
  expect(api.hit(get(path))).toBeUndefined();
  expect(await api.handle(get('/public/posts/3'))).toMatchObject({ status: 200 });
  for (let turn = 0; turn < 2; turn += 1) await api.handle(get(path));
  expect(api.hit(get(path))).toMatchObject({ status: 200 });
});

test('limits apply to a hit as to any other call: the caller first, then the blog of a valid key', async () => {
  const { store } = setup();
  const seen: string[] = [];
  let refuse = '';
  const limit = (name: string) => {
    seen.push(name);
    if (name === refuse) throw new ApiError('RATE_LIMITED');
  };
  const observations: Observation[] = [];
  const api = createApi({
    ...ports(store),
    cache: createResponseCache(100_000),
    limits: { caller: ({ ip }) => limit(`from ${ip}`), blog: limit },
    observer: { observe: (one) => observations.push(one), onError: fail },
  });
  const caller = { ip: '203.0.113.9' };
  const headers = { 'x-api-key': 'guessed' };
  expect((await api.handle(get('/public/posts', 'GET', headers), caller)).status).toBe(401);
  expect(seen).toEqual(['from 203.0.113.9']);
  for (let turn = 0; turn < 2; turn += 1) await api.handle(get('/public/posts'), caller);
  for (const send of [api.handle, api.hit]) {
    for (refuse of ['', 'from 203.0.113.9', 'b']) {
      seen.length = 0;
      const response = await send(get('/public/posts'), caller);
      expect(response?.status).toBe(refuse === '' ? 200 : 429);
      expect(seen).toEqual(refuse.startsWith('from') ? [refuse] : ['from 203.0.113.9', 'b']);
    }
  }
  expect(observations.slice(-3).map(({ status, blogId, endpoint }) => [status, blogId, endpoint])).toEqual([
    [200, 'b', 'posts.list'],
    [429, undefined, undefined],
    [429, 'b', 'posts.list'],
  ]);
  refuse = 'b';
  expect(await api.handle(get('/measure/viewable', 'POST'), caller)).toMatchObject({ status: 204 });
});

test('a request that is not a hit counts once against each limit, and its key is looked up once', async () => {
  const { store } = setup();
  const seen: string[] = [];
  const findBlog = (key: string) => {
    seen.push(key);
    return store.findBlog(key);
  };
  const limits = { caller: () => seen.push('caller'), blog: (id: string) => seen.push(id) };
  const api = createApi({
    ...ports(store),
    store: { ...store, findBlog },
    cache: createResponseCache(100_000),
    limits,
  });
  const request = get('/public/posts');
  expect(api.hit(request)).toBeUndefined();
  expect((await api.handle(request)).status).toBe(200);
  expect(seen).toEqual(['caller', 'key', 'b']);
});

test('two blogs with the same revision share no cached response', async () => {
  const { store } = setup();
  store.putBlog({ id: 'other', name: 'O', apiKeys: ['other'], posts: [{ id: '9', title: 'Nine', slug: 'nine' }] }, 0);
  const findBlog = (apiKey: string) => {
    const blog = store.findBlog(apiKey);
    return blog && { ...blog, revision: '1' };
  };
  const api = createApi({ ...ports(store), store: { ...store, findBlog }, cache: createResponseCache(100_000) });
  const idsBy = async (apiKey: string) => {
    const { headers, body } = await api.handle(get('/public/posts', 'GET', { 'x-api-key': apiKey }));
    const text = typeof body === 'string' ? body : new TextDecoder().decode(body as Uint8Array);
    return [headers['etag'], JSON.parse(text).data.map(({ id }: { id: string }) => id)];
  };
  for (let turn = 0; turn < 3; turn += 1) {
    expect(await idsBy('key')).toEqual(['"1"', ['1']]);
    expect(await idsBy('other')).toEqual(['"1"', ['9']]);
  }
});

test('an ad is delivered only after its impression is recorded', async () => {
  const { store } = setup();
  const recorded = Promise.withResolvers<Delivered>();
  const request = Promise.withResolvers<void>();
  const api = createApi({
    ...ports(store),
    store: {
      ...store,
      deliver: () => {
        request.resolve();
        return recorded.promise;
      },
    },
  });
  let settled = false;
  const response = Promise.resolve(api.handle(get('/public/ads/formats/BANNER'))).finally(() => {
    settled = true;
  });
  await request.promise;
  await new Promise((resolve) => setImmediate(resolve));
  expect(settled).toBe(false);
  recorded.reject(new StoreUnavailable('The database is away.'));
  expect(await response).toMatchObject({ status: 503 });
});

test('the random choices of concurrent requests do not depend on how long signing takes', async () => {
  const drawn = async (delay: () => number) => {
    const { store } = setup();
    const ads = Array.from({ length: 30 }, (_, index) => ({
      ...base,
      id: `00000000-0000-4000-8000-0000000001${index + 10}`,
    }));
    store.putBlog({ id: 'b', name: 'B', ads }, 0);
    let seed = 1;
    const below = (bound: number) => {
      seed = (seed * 16807) % 2147483647;
      return seed % bound;
    };
    const api = createApi({
      store,
      clock: Date,
      random: { uuid: () => 'token', below },
      hmac: () => new Promise((resolve) => setTimeout(() => resolve('signature'), delay())),
      docsUrl: '',
    });
    const slots = ['a', 'b', 'c', 'd'].map((slotId) => ({ slotId, format: 'BANNER' }));
    const send = async () => {
      const headers = { 'X-API-Key': 'key', 'Content-Type': 'application/json' };
      const init = { method: 'POST', headers, body: JSON.stringify({ slots }) };
      const results = await (await api.fetch(new Request('https://x.example/public/ads/formats', init))).json();
      return results.map(({ id }: { id: string }) => id);
    };
    return Promise.all([send(), send(), send()]);
  };
  const first = await drawn(() => 0);
  const delays = [5, 1, 4, 0, 3, 2, 6, 1, 0, 5, 2, 3];
  expect(await drawn(() => delays.pop() ?? 0)).toEqual(first);
});

/** A promise of another class; some libraries replace the global one. */
class Other<T> extends Promise<T> {
  static override get [Symbol.species]() {
    return Promise;
  }
  static override [Symbol.hasInstance]() {
    return false;
  }
}

test('promises of another class are awaited too', async () => {
  const { store } = setup();
  const api = createApi({
    store: { ...store, findBlog: (key) => Other.resolve(store.findBlog(key)) },
    clock: Date,
    random: { uuid: () => 'id', below: () => 0 },
    hmac: () => Other.resolve('signature'),
    docsUrl: '',
  });
  const real = globalThis.Promise;
  globalThis.Promise = Other as unknown as PromiseConstructor;
  try {
    const send = (path: string) =>
      api.fetch(new Request(`https://x.example${path}`, { headers: { 'X-API-Key': 'key' } }));
    expect((await send('/public/posts/none')).status).toBe(404);
    const ad = await (await send('/public/ads/formats/BANNER')).json();
    expect(ad).toMatchObject({ filled: true, clickToken: expect.stringMatching(/\.signature$/) });
  } finally {
    globalThis.Promise = real;
  }
});

test('an observer that throws does not change the response, not even a cached one, and is reported once', async () => {
  const { store } = setup();
  const observations: number[] = [];
  const errors: unknown[] = [];
  let full = true;
  const observe = ({ status }: Observation) => {
    observations.push(status);
    if (full) throw new Error('the log is full');
  };
  const api = createApi({
    ...ports(store),
    cache: createResponseCache(100_000),
    observer: { observe, onError: (error) => errors.push(error) },
  });
  const request = get('/public/posts');
  for (let turn = 0; turn < 2; turn += 1) expect(await api.handle(request)).toMatchObject({ status: 200 });
  expect(api.hit(request)).toMatchObject({ status: 200 });
  expect(observations).toEqual([200, 200, 200]);
  expect(errors).toMatchObject([{ message: 'the log is full' }]);
  full = false;
  api.hit(request);
  full = true;
  api.hit(request);
  expect(errors).toHaveLength(2);
});

test('a click is counted once per token and once per visitor in half an hour', async () => {
  const { call, store, pass } = setup();
  const click = async () => {
    const { clickToken } = await (await call('/public/ads/formats/BANNER')).json();
    const body = JSON.stringify({ clickToken });
    const send = () =>
      call('/public/ads/tracking/click', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
    return { first: (await send()).status, second: (await send()).status };
  };
  expect(await click()).toEqual({ first: 200, second: 409 });
  expect(await click()).toEqual({ first: 200, second: 409 });
  expect(store.figures('b', { by: [] })).toMatchObject([{ delivered: 2, clicks: 1 }]);
  pass(30 * 60_000);
  expect(await click()).toEqual({ first: 200, second: 409 });
  expect(store.figures('b', { by: [] })).toMatchObject([{ delivered: 3, clicks: 2 }]);
});

test('the door passes the IP address of a visitor, and only a fingerprint of it is stored', async () => {
  const { store } = setup();
  store.putBlog({ id: 'b', name: 'B', domains: ['site.example'] }, 0);
  const visitors: unknown[] = [];
  let ids = 0;
  const options: ApiOptions = {
    ...ports(store),
    random: { uuid: () => String(++ids), below: () => 0 },
    fingerprint: (address) => `word for ${address}`,
  };
  const recordClick: MemoryStore['recordClick'] = (blogId, click) => {
    visitors.push(click.visitor);
    return store.recordClick(blogId, click);
  };
  const seen: unknown[] = [];
  const observe = ({ endpoint, impressions, click }: Observation) => seen.push([endpoint, impressions, click]);
  const api = createApi({ ...options, store: { ...store, recordClick }, observer: { observe, onError: fail } });
  const click = async (caller: Caller, origin?: string) => {
    const ad = await api.handle(get('/public/ads/formats/BANNER'));
    const { clickToken } = JSON.parse(String(ad.body));
    const headers = { 'content-type': 'application/json', ...(origin && { origin }) };
    const body = async () => new TextEncoder().encode(JSON.stringify({ clickToken }));
    return (await api.handle({ ...get('/public/ads/tracking/click', 'POST', headers), body }, caller)).status;
  };
  // A service worker does not see the `Origin` header, so the caller names the page.
  const page = { ip: '203.0.113.9', origin: 'https://site.example' };
  expect(await click(page)).toBe(200);
  expect(await click({ ...page, origin: 'https://other.example' })).toBe(403);
  expect(await click(page, 'https://other.example')).toBe(403);
  expect(await click({ origin: 'https://site.example' })).toBe(200);
  expect(visitors).toEqual(['word for 203.0.113.9', undefined]);
  expect(seen.slice(0, 4)).toEqual([
    ['ads.deliver', 1, undefined],
    ['ads.click', 0, 'counted'],
    ['ads.deliver', 1, undefined],
    ['ads.click', 0, undefined],
  ]);
});

test('events count on the day in the time zone of the blog, and a viewable impression on the day of its delivery', async () => {
  const { api, call, store, pass } = setup();
  store.putBlog({ id: 'b', name: 'B', timeZone: 'Europe/Berlin' }, 0);
  const headers = { 'Content-Type': 'application/json' };
  const deliver = async () => (await (await call('/public/ads/formats/BANNER')).json()).clickToken;
  const click = (clickToken: string) =>
    call('/public/ads/tracking/click', { method: 'POST', headers, body: JSON.stringify({ clickToken }) });
  // 23:59 in Berlin, then 0:01.
  pass(22 * 3_600_000 + 59 * 60_000);
  const clickToken = await deliver();
  pass(2 * 60_000);
  await deliver();
  expect((await click(clickToken)).status).toBe(200);
  // A blog that has moved in the meantime.
  store.putBlog({ id: 'b', name: 'B', timeZone: 'Asia/Tokyo' }, 0);
  const beacon = new Request('https://blog.example/measure/viewable', { method: 'POST', body: clickToken });
  expect((await api.fetch(beacon)).status).toBe(204);
  expect(store.figures('b', { by: ['day'] })).toMatchObject([
    { day: '2026-01-01', delivered: 1, viewable: 1, clicks: 0 },
    { day: '2026-01-02', delivered: 1, viewable: 0, clicks: 1 },
  ]);
});

test('slots of a batch and their clicks are counted under their placement, a single delivery under none', async () => {
  const { call, store } = setup();
  const post = async (path: string, body: object) => {
    const headers = { 'Content-Type': 'application/json' };
    return (await call(path, { method: 'POST', headers, body: JSON.stringify(body) })).json();
  };
  const slots = [
    { slotId: 'top', format: 'BANNER' },
    { slotId: 'below', format: 'BANNER' },
    { slotId: 'a\0b', format: 'POPUP' },
  ];
  const [first] = await post('/public/ads/formats', { slots });
  await post('/public/ads/tracking/click', { clickToken: first.clickToken });
  await call('/public/ads/formats/BANNER');
  await call('/public/ads/formats/POPUP');
  expect(store.figures('b', { by: ['placement', 'ad'] })).toMatchObject([
    { placement: '', ad: '', requests: 1, delivered: 0, clicks: 0 },
    { placement: '', ad: base.id, requests: 1, delivered: 1, clicks: 0 },
    { placement: 'below', ad: '', requests: 1, delivered: 0, clicks: 0 },
    { placement: 'other', ad: '', requests: 1, delivered: 0, clicks: 0 },
    { placement: 'top', ad: base.id, requests: 1, delivered: 1, clicks: 1 },
  ]);
});

test.each<[string, number, (store: MemoryStore) => Partial<ApiOptions>]>([
  ['the store throws', 500, (store) => ({ store: { ...store, findBlog: () => fail() } })],
  ['the store rejects', 500, (store) => ({ store: { ...store, findBlog: async () => fail() } })],
  [
    'the store is unavailable',
    503,
    (store) => ({ store: { ...store, listAds: () => Promise.reject(new StoreUnavailable()) } }),
  ],
  ['the HMAC throws', 500, () => ({ hmac: () => fail() })],
  ['the HMAC rejects', 500, () => ({ hmac: async () => fail() })],
  ['the random generator throws', 500, () => ({ random: { uuid: () => 'id', below: () => fail() } })],
  ['a function around the call throws', 500, () => ({ around: [() => fail()] })],
  ['a function around the call rejects', 500, () => ({ around: [async () => fail()] })],
])('when %s, fetch returns %i', async (_, status, broken) => {
  const { store } = setup();
  store.putBlog({ id: 'b', name: 'B', ads: [base, { ...base, id: base.id.replace(/1$/, '2') }] }, 0);
  const api = createApi({ ...ports(store), ...broken(store) });
  const headers = { 'X-API-Key': 'key' };
  const response = await api.fetch(new Request('https://x.example/public/ads/formats/BANNER', { headers }));
  expect(response.status).toBe(status);
  // An unavailable database may recover soon; a bug does not.
  expect(response.headers.get('retry-after')).toBe(status === 503 ? '1' : null);
  expect(await response.json()).toMatchObject({ success: false, error: { statusCode: status } });
});

function fail(): never {
  throw new Error('secret path');
}

test('a body that cannot be read gets a 500', async () => {
  const { store } = setup();
  const headers: Record<string, string> = { 'content-type': 'application/json', 'x-api-key': 'key' };
  const request: ApiRequest = {
    method: 'POST',
    url: 'https://x.example/public/ads/formats',
    header: (name) => headers[name] ?? null,
    body: async () => fail(),
  };
  expect(await createApi(ports(store)).handle(request)).toMatchObject({ status: 500 });
});

test('an internal error is a 500 without its cause, which only the observer receives', async () => {
  const { store } = setup();
  const seen: unknown[] = [];
  const api = createApi({
    store: {
      ...store,
      listPosts: () => {
        throw new Error('secret path');
      },
    },
    clock: Date,
    random: { uuid: () => randomUUID(), below: () => 0 },
    hmac,
    docsUrl: '',
    observer: { observe: ({ cause, status }) => seen.push([status, String(cause)]), onError: fail },
  });
  const response = await api.fetch(new Request('https://x.example/public/posts', { headers: { 'X-API-Key': 'key' } }));
  expect(response.status).toBe(500);
  expect(await response.text()).not.toContain('secret path');
  expect(seen).toEqual([[500, 'Error: secret path']]);
});

test('a refused caller receives the reason, and the observer receives the blog only for a valid key', async () => {
  const { store } = setup();
  let now = 1000;
  const seen: Observation[] = [];
  const observer = { observe: (one: Observation) => void seen.push(one), onError: fail };
  const api = createApi({ ...ports(store), clock: { now: () => (now += 7) }, basePath: '/v1', observer });
  const messageOf = async (path: string, headers: Record<string, string>) => {
    const response = await api.fetch(new Request(`https://x.example${path}`, { headers }));
    return ((await response.json()) as { error?: { message: string } }).error?.message;
  };
  expect(await messageOf('/v1/public/tags', {})).toBe('The X-API-Key header is missing.');
  expect(await messageOf('/v1/public/tags', { 'X-API-Key': 'wrong' })).toBe('The API key is not valid.');
  expect(await messageOf('/public/tags', { 'X-API-Key': 'key' })).toBe('There is no endpoint at /public/tags.');
  expect(await messageOf('/v1/public/tags', { 'X-API-Key': 'key' })).toBeUndefined();
  expect(seen.map(({ endpoint, blogId, status, ms }) => [endpoint, blogId, status, ms])).toEqual([
    [undefined, undefined, 401, 7],
    [undefined, undefined, 401, 7],
    [undefined, 'b', 404, 7],
    ['tags.list', 'b', 200, 7],
  ]);
});
