import { expect, onTestFinished, test, vi } from 'vitest';
import { client, failureOf } from '../../test/support/client.ts';
import { json } from '../../test/support/responses.ts';
import { samplePost } from '../../test/support/samples.ts';
import { serve } from '../../test/support/serve.ts';
import {
  type CachedResponse,
  type Incoming,
  type Middleware,
  memoryCache,
  type ResponseStore,
  responseCache,
} from '../index.ts';

const HOUR = 3_600_000;
const post = { success: true, data: samplePost('1') };
const whole = JSON.stringify(post);

test.each([
  ['cut off', () => new Response(whole.slice(0, 40), { headers: { etag: '"one"' } })],
  ['empty', () => new Response('', { headers: { etag: '"one"' } })],
  ['a page of a proxy', () => new Response('<h1>Sign in</h1>', { headers: { etag: '"one"' } })],
  ['of another type', () => Response.json({ success: true, data: 7 }, { headers: { etag: '"one"' } })],
])('a response with status 200 that is %s is not stored', async (_, bad) => {
  const etags: unknown[] = [];
  const fetch = async (__: string, { headers }: RequestInit): Promise<Response> => {
    etags.push(new Headers(headers).get('if-none-match'));
    return etags.length === 1 ? bad() : new Response(whole, { headers: { etag: '"one"' } });
  };
  for (const cache of [memoryCache({ fresh: HOUR }), memoryCache()]) {
    etags.length = 0;
    const blog = client('https://blog.example', { fetch, cache, retry: 0 });
    expect(await failureOf(blog.posts.get('1'))).toMatchObject({ name: 'ResponseError' });
    expect((await blog.posts.get('1')).id).toBe('1');
    expect(etags).toEqual([null, null]);
  }
});

test('a read that could not be parsed is repeated from the server, within the same call', async () => {
  let nth = 0;
  const fetch = async (): Promise<Response> => new Response(nth++ === 0 ? whole.slice(0, 40) : whole);
  const blog = client('https://blog.example', { fetch, cache: memoryCache({ fresh: HOUR }) });
  expect((await blog.posts.get('1')).id).toBe('1');
  expect(nth).toBe(2);
});

test('a response that says no-store is not stored', async () => {
  const server = await serve((_, response) => json(response, 200, post, { 'cache-control': 'private, No-Store' }));
  const blog = client(server.url, { cache: memoryCache({ fresh: HOUR }) });
  await blog.posts.get('1');
  await blog.posts.get('1');
  expect(server.seen).toHaveLength(2);
});

test('request() goes past the cache, and is not shared', async () => {
  let visitors = 0;
  const server = await serve((_, response) => json(response, 200, { visitors: ++visitors }));
  const blog = client(server.url, { cache: memoryCache({ fresh: HOUR }) });
  const read = () => blog.request('GET', '/public/visitors');
  expect(await Promise.all([read(), read()])).toEqual(expect.arrayContaining([{ visitors: 1 }, { visitors: 2 }]));
  expect(await read()).toEqual({ visitors: 3 });
});

test('clients of one cache with different headers, middleware, fetch or modes do not share responses', async () => {
  const server = await serve(({ headers }, response) =>
    json(response, 200, { success: true, data: samplePost('1', { title: String(headers['x-language']) }) }),
  );
  const cache = memoryCache({ fresh: HOUR });
  const titled =
    (title: string): Middleware =>
    (request, next) => {
      request.headers.set('x-language', title);
      return next();
    };
  const plain = client(server.url, { cache });
  const through = { middleware: [titled('middleware')] };
  const own = (url: string, init: RequestInit) =>
    fetch(url, { ...init, headers: { ...init.headers, 'x-language': 'fetch' } });
  const clients = {
    undefined: plain,
    german: plain.with({ headers: { 'x-language': 'german' } }),
    middleware: plain.with(through),
    fetch: plain.with({ fetch: own }),
  };
  for (const [title, blog] of Object.entries(clients)) expect((await blog.posts.get('1')).title).toBe(title);
  for (const [title, blog] of Object.entries(clients)) expect((await blog.posts.get('1')).title).toBe(title);
  expect(server.seen).toHaveLength(4);
  // Equal clients share responses, regardless of how they were created.
  const german = client(server.url, { cache, headers: { 'X-Language': 'german' } });
  expect((await german.posts.get('1')).title).toBe('german');
  expect((await plain.with({}).posts.get('1')).title).toBe('undefined');
  expect((await plain.with(through).with({}).posts.get('1')).title).toBe('middleware');
  expect(server.seen).toHaveLength(4);
  await plain.with({ validate: 'strict' }).posts.get('1');
  expect(server.seen).toHaveLength(5);
});

test('reads that share a request store its response once', async () => {
  const server = await serve((_, response) => json(response, 200, post));
  const set = vi.fn();
  const blog = client(server.url, { cache: responseCache({ get: () => undefined, set }) });
  await Promise.all([blog.posts.get('1'), blog.posts.get('1'), blog.posts.get('1')]);
  expect(set).toHaveBeenCalledTimes(1);
});

test('a store of the user may be asynchronous, and its failures do not fail a read that has a response', async () => {
  const stored = new Map<string, Incoming>();
  const tagged: unknown[] = [];
  const store: ResponseStore = {
    async get(key) {
      const response = stored.get(key);
      return response && { response, state: 'fresh' };
    },
    async set(key, response, tags) {
      tagged.push(tags);
      stored.set(key, response);
      throw new Error('the disk is full');
    },
  };
  const reported = vi.spyOn(console, 'error').mockImplementation(() => {});
  const server = await serve((_, response) => json(response, 200, post));
  const blog = client(server.url, { cache: responseCache(store) });
  for (let nth = 0; nth < 2; nth++) expect((await blog.posts.get('1')).id).toBe('1');
  expect(server.seen).toHaveLength(1);
  expect(tagged).toEqual([['posts', 'post:1']]);
  await expect.poll(() => reported).toHaveBeenCalledWith('Broadsheet: cache.set threw', expect.any(Error));
  reported.mockRestore();
  for (const key of stored.keys()) expect(key).not.toContain('SECRET');
});

test('after a 304, the request id and the headers are new, and the text is the stored one', async () => {
  const server = await serve(({ headers }, response, nth) => {
    const own = { etag: '"one"', 'x-request-id': `req_${nth}`, 'x-served-by': `node ${nth}` };
    if (!headers['if-none-match']) return json(response, 200, { success: true, data: samplePost('1') }, own);
    response.writeHead(304, own);
    response.end();
  });
  const blog = client(server.url, { cache: memoryCache() });
  const seen = [];
  for (let nth = 0; nth < 3; nth++) seen.push(await blog.posts.get('1').withMeta());
  expect(seen.map(({ requestId }) => requestId)).toEqual(['req_0', 'req_1', 'req_2']);
  expect(seen.map(({ headers }) => headers.get('x-served-by'))).toEqual(['node 0', 'node 1', 'node 2']);
  expect(seen.map(({ status, data }) => [status, data.id])).toEqual(Array(3).fill([200, '1']));
  expect(server.seen.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"one"', '"one"']);
});

test('a renewal that never ends stops the next ones for a minute, not for ever', async () => {
  let time = Date.now();
  vi.spyOn(Date, 'now').mockImplementation(() => time);
  onTestFinished(() => void vi.restoreAllMocks());
  const fetch = vi.fn((): Promise<Response> => new Promise(() => {}));
  fetch.mockImplementationOnce(async () => Response.json({ success: true, data: samplePost('1') }));
  const stored = new Map<string, CachedResponse>();
  const cache = responseCache({
    get: (key) => stored.get(key),
    set: (key, response) => stored.set(key, { response, state: 'stale' }),
  });
  const blog = client('https://blog.example', { cache, fetch, timeout: false });
  const requests: number[] = [];
  for (const wait of [0, 1000, 58_000, 2001, 1000, 60_000]) {
    time += wait;
    await blog.posts.get('1');
    await new Promise((resolve) => setImmediate(resolve));
    requests.push(fetch.mock.calls.length);
  }
  expect(requests).toEqual([1, 2, 2, 3, 3, 4]);
});
