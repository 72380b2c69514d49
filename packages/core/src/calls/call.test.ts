import { expect, test } from 'vitest';
import {
  type ApiCall,
  ApiError,
  type ApiRequest,
  type Around,
  type BlogCall,
  createApi,
  createMemoryStore,
  createResponseCache,
  type MemoryStore,
} from '../index.ts';

const text = new TextEncoder();

function ports(store: MemoryStore) {
  let ids = 0;
  return {
    store,
    clock: { now: () => 0 },
    random: { uuid: () => String(++ids), below: () => 0 },
    hmac: () => 'signature',
    docsUrl: 'https://docs.example',
    basePath: '/api',
  };
}

function setup(...around: Around[]) {
  const memory = createMemoryStore();
  const store = { ...memory, peekBlog: memory.findBlog };
  const posts = [{ id: '1', title: 'One', slug: 'one', publishedAt: '2026-01-01T00:00:00Z' }];
  store.putBlog({ id: 'b', name: 'B', apiKeys: ['key'], posts }, 0);
  const options = ports(store);
  const api = createApi({ ...options, cache: createResponseCache(100_000), around });
  return { api, copy: createApi(options) };
}

function ask(path: string, { method = 'GET', body = '', key = 'key', type = 'application/json' } = {}) {
  const headers: Record<string, string> = { 'x-api-key': key, 'content-type': type };
  let reads = 0;
  const request: ApiRequest = {
    method,
    url: `https://blog.example/api${path}`,
    header: (name) => headers[name] ?? null,
    async body() {
      reads += 1;
      if (reads > 1) throw new Error('The body is gone.');
      return text.encode(body);
    },
  };
  return request;
}

test('surrounding functions are called outermost first, and each receives the response of the inner one', async () => {
  const steps: string[] = [];
  const named =
    (name: string): Around =>
    async (_, next) => {
      steps.push(`${name} before`);
      const response = await next();
      steps.push(`${name} after ${response.status}`);
      return { ...response, status: response.status + 1 };
    };
  const { api } = setup(named('outer'), named('inner'));
  expect((await api.handle(ask('/public/posts'))).status).toBe(202);
  expect(steps).toEqual(['outer before', 'inner before', 'inner after 200', 'outer after 201']);
});

test.each([
  ['before', new ApiError('RATE_LIMITED', { headers: { 'retry-after': '7' } }), 429, 'RATE_LIMITED'],
  ['after', new ApiError('NOT_FOUND'), 404, 'NOT_FOUND'],
  ['before', new Error('a bug'), 500, 'INTERNAL_ERROR'],
  ['after', new Error('a bug'), 500, 'INTERNAL_ERROR'],
])('an error thrown %s the operation becomes the response: %s', async (when, error, status, code) => {
  const inside: ApiCall[] = [];
  const outside: unknown[] = [];
  const throwing: Around = async (call, next) => {
    if (when === 'after') inside.push((await next()) && call);
    throw error;
  };
  const watching: Around = async (call, next) => {
    const response = await next();
    outside.push([response.status, call.error?.code]);
    return response;
  };
  const { api } = setup(watching, throwing);
  const response = await api.handle(ask('/public/posts'));
  expect(response).toMatchObject({ status, headers: { 'x-request-id': 'req_1' } });
  expect(JSON.parse(String(response.body))).toMatchObject({ error: { code, requestId: 'req_1' } });
  expect(outside).toEqual([[status, code]]);
  expect(inside.map(({ blog }) => blog?.id)).toEqual(when === 'after' ? ['b'] : []);
});

test('an error thrown synchronously becomes the response, without a body for HEAD', async () => {
  const { api } = setup(() => {
    throw new ApiError('UNAVAILABLE');
  });
  expect(await api.handle(ask('/public/posts', { method: 'HEAD' }))).toMatchObject({ status: 503, body: null });
});

test('the parts of a call are read by the rules of its endpoint, or carry an error', async () => {
  const seen: ApiCall[] = [];
  const { api } = setup((call, next) => {
    seen.push(call);
    return next();
  });
  await api.handle(ask('/public/search?q=%20night%20%20rain&limit=3&x=1'));
  await api.handle(ask('/public/search?q=no'));
  await api.handle(ask('/public/posts/%ff'));
  await api.handle(ask('/public/ads/tracking/click', { method: 'POST', body: '{"clickToken":"t"}' }));
  await api.handle(ask('/public/ads/tracking/click', { method: 'POST', body: '{', type: 'text/plain' }));
  await api.handle(ask('/public/nothing'));
  await api.handle(ask('/public/posts', { method: 'DELETE' }));
  const [search, short, malformed, click, plain, nothing, deleted] = seen;
  if (search?.endpoint !== 'search' || short?.endpoint !== 'search') throw new Error('no search');
  expect(search.query.value).toEqual({ q: 'night rain', limit: 3, offset: 0 });
  expect(search.url.searchParams.get('x')).toBe('1');
  expect(short.query).toMatchObject({ value: undefined, error: { code: 'VALIDATION_ERROR' } });
  if (malformed?.endpoint !== 'posts.get') throw new Error('no post');
  expect(malformed.params.error?.details.fields).toMatchObject([{ field: 'id', code: 'invalid_encoding' }]);
  if (click?.endpoint !== 'ads.click' || plain?.endpoint !== 'ads.click') throw new Error('no click');
  expect(await click.body()).toEqual({ value: { clickToken: 't' }, error: undefined });
  expect((await plain.body()).error?.code).toBe('UNSUPPORTED_MEDIA_TYPE');
  expect([nothing, deleted].map((call) => [call?.endpoint, call?.error?.code])).toEqual([
    [undefined, 'NO_SUCH_ENDPOINT'],
    [undefined, 'METHOD_NOT_ALLOWED'],
  ]);
});

test('a body is read once, even when an API over a copy repeats the call', async () => {
  const slots = [{ slotId: 'a', format: 'BANNER' }];
  const { api, copy } = setup(async (call, next) => {
    const first = call.endpoint === 'ads.deliverBatch' && (await call.body()).value?.slots;
    expect(first).toEqual(slots);
    const rehearsed = await copy.repeat(call);
    expect(rehearsed).toMatchObject({ status: 200, headers: { 'x-request-id': 'req_2' } });
    return next();
  });
  const response = await api.handle(ask('/public/ads/formats', { method: 'POST', body: JSON.stringify({ slots }) }));
  expect(response).toMatchObject({ status: 200, headers: { 'x-request-id': 'req_1' } });
});

test('a repeated call comes from the same caller', async () => {
  const callers: unknown[] = [];
  const noting: Around = (call, next) => {
    callers.push(call.caller);
    return next();
  };
  const { api: copy } = setup(noting);
  const { api } = setup(noting, (call) => copy.repeat(call));
  const caller = { ip: '203.0.113.9', origin: 'https://site.example' };
  expect(await api.handle(ask('/public/posts'), caller)).toMatchObject({ status: 200 });
  expect(callers).toEqual([caller, caller]);
});

test('a cached response is served with and without the surrounding functions', async () => {
  let calls = 0;
  const { api } = setup((_, next) => {
    calls += 1;
    return next();
  });
  for (let turn = 0; turn < 3; turn += 1) await api.handle(ask('/public/posts'));
  expect(calls).toBe(3);
  expect(api.hit(ask('/public/posts'))).toMatchObject({ status: 200 });
  expect(calls).toBe(3);
});

test('functions around a blog receive the calls whose keys are valid, with their blogs, inside the other functions', async () => {
  const steps: string[] = [];
  const store = createMemoryStore();
  store.putBlog({ id: 'b', name: 'B', apiKeys: ['key'] }, 0);
  const outer: Around = (call, next) => {
    steps.push(`outer ${call.blog?.id}`);
    return next();
  };
  const inner: Around<never, BlogCall> = (call, next) => {
    steps.push(`inner ${call.blog.id}`);
    return next();
  };
  const limits = { blog: (id: string) => void steps.push(`limit ${id}`) };
  const api = createApi({ ...ports(store), limits, around: [outer], aroundBlog: [inner] });
  expect((await api.handle(ask('/public/tags'))).status).toBe(200);
  expect((await api.handle(ask('/public/tags', { key: 'wrong' }))).status).toBe(401);
  expect(steps).toEqual(['outer undefined', 'limit b', 'inner b', 'outer undefined']);
});

test('a report of viewable ads reaches no surrounding function and no limit of a blog', async () => {
  const called = () => {
    throw new Error('called');
  };
  const observed: unknown[] = [];
  const api = createApi({
    ...ports(createMemoryStore()),
    limits: { blog: called },
    observer: { observe: ({ endpoint, status }) => observed.push([endpoint, status]), onError: called },
    around: [called],
    aroundBlog: [called],
  });
  for (const key of ['', 'key']) {
    expect(await api.handle(ask('/measure/viewable', { method: 'POST', key, body: 'x' }))).toMatchObject({
      status: 204,
    });
  }
  expect(await api.handle(ask('/measure/viewable'))).toMatchObject({
    status: 405,
    headers: { allow: 'POST, OPTIONS' },
  });
  expect(observed).toEqual([
    ['viewable', 204],
    ['viewable', 204],
    ['viewable', 405],
  ]);
});

test('a CORS preflight does not reach the surrounding functions', async () => {
  const { api } = setup(() => {
    throw new Error('called');
  });
  expect((await api.handle(ask('/public/posts', { method: 'OPTIONS' }))).status).toBe(204);
});
