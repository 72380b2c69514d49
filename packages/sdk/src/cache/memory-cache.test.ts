import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { client, failureOf, KEY } from '../../test/support/client.ts';
import { json } from '../../test/support/responses.ts';
import { samplePost } from '../../test/support/samples.ts';
import { serve } from '../../test/support/serve.ts';
import { type MemoryCacheOptions, memoryCache } from './memory-cache.ts';
import { responseCache } from './response-cache.ts';

const tagged = () =>
  serve(({ headers, url }, response, nth) => {
    if (url.includes('/ads/')) return json(response, 200, { filled: false });
    if (headers['if-none-match'] === '"one"') {
      response.writeHead(304, { etag: '"one"' });
      return void response.end();
    }
    json(response, 200, { success: true, data: samplePost('1', { title: `Read ${nth}` }) }, { etag: '"one"' });
  });

test('without a fresh time every read sends a request, and a 304 returns the stored response', async () => {
  const server = await tagged();
  const blog = client(server.url, { cache: memoryCache() });
  expect((await blog.posts.get('1')).title).toBe('Read 0');
  expect((await blog.posts.get('1')).title).toBe('Read 0');
  expect(server.seen.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"one"']);
});

test('a fresh response is used without a request, a stale one is used and renewed, and a tag removes both', async () => {
  const server = await tagged();
  let time = 0;
  const cache = memoryCache({ fresh: 100, stale: 100, now: () => time });
  const blog = client(server.url, { cache });
  await blog.posts.get('1');
  time = 99;
  await blog.posts.get('1');
  expect(server.seen).toHaveLength(1);
  time = 150;
  expect((await blog.posts.get('1')).title).toBe('Read 0');
  await expect.poll(() => server.seen.length).toBe(2);
  cache.revalidateTag('post:2');
  cache.revalidateTag('post:1');
  expect((await blog.posts.get('1')).title).toBe('Read 2');
});

test.each(['revalidateTag', 'clear'] as const)(
  'a response that %s removed while it was in flight is not stored',
  async (verb) => {
    const resolvers: ((response: Response) => void)[] = [];
    const cache = memoryCache({ fresh: 1000 });
    const fetch = (): Promise<Response> => new Promise((resolve) => resolvers.push(resolve));
    const blog = client('https://blog.example', { cache, fetch });
    const before = blog.posts.get('1');
    await expect.poll(() => resolvers.length).toBe(1);
    if (verb === 'clear') cache.clear();
    else cache.revalidateTag('post:1');
    resolvers[0]?.(Response.json({ success: true, data: samplePost('1', { title: 'Old' }) }));
    expect((await before).title).toBe('Old');
    const after = blog.posts.get('1');
    await expect.poll(() => resolvers.length).toBe(2);
    resolvers[1]?.(Response.json({ success: true, data: samplePost('1', { title: 'New' }) }));
    expect((await after).title).toBe('New');
  },
);

test('two keys never share a response; ads never use the cache', async () => {
  const server = await tagged();
  const cache = memoryCache({ fresh: 1000 });
  await client(server.url, { cache }).posts.get('1');
  await client(server.url, { cache, apiKey: KEY.replace(/9$/, '8') }).posts.get('1');
  const { ads } = client(server.url, { cache });
  await ads.deliver('BANNER');
  await ads.deliver('BANNER');
  expect(server.seen).toHaveLength(4);
});

test('the least recently used response is removed first', async () => {
  const server = await tagged();
  const blog = client(server.url, { cache: memoryCache({ fresh: 1000, maxEntries: 2 }) });
  for (const id of ['a', 'b', 'a', 'c', 'a']) await blog.posts.get(id);
  expect(server.seen).toHaveLength(3);
  await blog.posts.get('b');
  expect(server.seen).toHaveLength(4);
});

test('aborting a call that got a stale response does not abort its renewal', async () => {
  let time = 0;
  let finish: (response: Response) => void = () => {};
  const signals: unknown[] = [];
  const respond = (): Response => Response.json({ success: true, data: samplePost('1') });
  const blog = client('https://blog.example', {
    cache: memoryCache({ fresh: 100, stale: 100, now: () => time }),
    fetch: (_, { signal }) => {
      signals.push(signal);
      return signals.length === 1 ? Promise.resolve(respond()) : new Promise((resolve) => (finish = resolve));
    },
  });
  await blog.posts.get('1');
  time = 150;
  const leave = new AbortController();
  await blog.posts.get('1', { signal: leave.signal });
  leave.abort();
  expect(signals).toMatchObject([{}, { aborted: false }]);
  finish(respond());
  await new Promise((resolve) => setTimeout(resolve));
  time = 240; // fresh since 150, when it was renewed
  await blog.posts.get('1');
  expect(signals).toHaveLength(2);
});

test('the deadline applies to reads through a cache, and the error names the phase', async () => {
  const server = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"success":true,');
  });
  const blog = client(server.url, { cache: memoryCache(), retry: 0, timeout: 500 });
  expect(await failureOf(blog.posts.get('1'))).toMatchObject({ code: 'TIMEOUT', phase: 'body' });
  const store = { get: () => new Promise<undefined>(() => {}), set() {} };
  const hanging = client(server.url, { cache: responseCache(store), retry: 0, timeout: 50 });
  expect(await failureOf(hanging.posts.get('1'))).toMatchObject({ code: 'TIMEOUT' });
});

test('reads that filled a cache leave no listeners on the signal of the client', async () => {
  const server = await tagged();
  const { signal } = new AbortController();
  const blog = client(server.url, { cache: memoryCache(), signal });
  for (let nth = 0; nth < 3; nth++) await blog.posts.get('1');
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('a clock that is set back does not keep responses fresh', async () => {
  const server = await tagged();
  let time = 1_000_000;
  const blog = client(server.url, { cache: memoryCache({ fresh: 100, now: () => time }) });
  await blog.posts.get('1');
  time = 0;
  await blog.posts.get('1');
  await blog.posts.get('1'); // stored at 0, and so fresh
  expect(server.seen).toHaveLength(2);
});

test('a read after revalidation does not join a request that began before it', async () => {
  const resolvers: ((title: string) => void)[] = [];
  const cache = memoryCache();
  const blog = client('https://blog.example', {
    cache,
    fetch: () =>
      new Promise((resolve) => {
        resolvers.push((title) => resolve(Response.json({ success: true, data: { ...samplePost('1'), title } })));
      }),
  });
  const early = blog.posts.get('1').then(({ title }) => title);
  await expect.poll(() => resolvers).toHaveLength(1);
  cache.revalidateTag('posts');
  const late = blog.posts.get('1').then(({ title }) => title);
  await expect.poll(() => resolvers).toHaveLength(2);
  resolvers[0]?.('before');
  resolvers[1]?.('after');
  expect([await early, await late]).toEqual(['before', 'after']);
  expect(cache.generation).toBe(1);
});

/** A cache whose reads return the given text if they send a request. */
function readings(options: MemoryCacheOptions = {}) {
  let time = 0;
  const cache = memoryCache({ ...options, now: () => time });
  const sent: string[] = [];
  const read = async (id: string, text: string, status = 200) => {
    const request = async (etag?: string) => {
      sent.push(`${id} ${etag ?? ''}`.trim());
      return { status, headers: new Headers({ etag: `"${text}"` }), text };
    };
    const through = async (isRenewal: boolean): Promise<string> => {
      const task = { id: 'posts.get', params: { id }, isRenewal } as const;
      const renew = () => through(true);
      const response = await cache.read({ url: id, options: {}, settings: { variant: [] }, task }, { request, renew });
      response.keep?.();
      return response.text;
    };
    return through(false);
  };
  return { cache, read, sent, pass: (ms: number) => (time += ms) };
}

test('only a 200 is stored, and only a 304 returns the stored response', async () => {
  const { read, sent } = readings({ fresh: 100 });
  expect(await read('a', 'not found', 404)).toBe('not found');
  expect(await read('a', 'one')).toBe('one');
  expect(await read('a', 'two')).toBe('one');
  expect(sent).toEqual(['a', 'a']);
  const stale = readings();
  await stale.read('a', 'one');
  expect(await stale.read('a', 'gone', 404)).toBe('gone');
  expect(await stale.read('a', '', 304)).toBe('one');
  expect(stale.sent).toEqual(['a', 'a "one"', 'a "one"']);
});

test('a response is fresh before `fresh` ms, and stale before `fresh + stale` ms', async () => {
  const { read, sent, pass } = readings({ fresh: 100, stale: 100 });
  await read('a', 'one');
  pass(99);
  expect(await read('a', 'two')).toBe('one');
  expect(sent).toHaveLength(1);
  pass(1);
  // Both stale reads share one renewal.
  expect(await Promise.all([read('a', 'three'), read('a', 'four')])).toEqual(['one', 'one']);
  expect(sent).toHaveLength(2);
  await expect.poll(() => read('a', 'five')).toBe('three');
  pass(200);
  expect(await read('a', 'six')).toBe('six');
  pass(150);
  await read('a', 'seven');
  expect(sent).toHaveLength(4);
});

test('revalidateTag() removes what is stored under a tag, clear() everything', async () => {
  const { cache, read, sent } = readings({ fresh: 100 });
  const readBoth = async () => {
    sent.length = 0;
    for (const key of ['a', 'b']) await read(key, key);
    return sent;
  };
  expect(await readBoth()).toEqual(['a', 'b']);
  cache.revalidateTag('post:a');
  expect(await readBoth()).toEqual(['a']);
  cache.revalidateTag('posts');
  expect(await readBoth()).toEqual(['a', 'b']);
  cache.clear();
  expect(await readBoth()).toEqual(['a', 'b']);
  expect(cache.generation).toBe(3);
});

const refusal = (status: number) => ({
  success: false,
  error: { message: 'no', statusCode: status, retryable: status >= 500 },
});

/** A client with `staleIfError`, and what the API responds from the second request on. */
function outage(respond: (init: RequestInit) => Promise<Response>, options: MemoryCacheOptions = {}) {
  let time = 0;
  let isUp = true;
  const etags: unknown[] = [];
  const cache = memoryCache({ fresh: 100, staleIfError: 1000, ...options, now: () => time });
  const blog = client('https://blog.example', {
    cache,
    retry: 0,
    fetch: async (_, init) => {
      etags.push(new Headers(init.headers).get('if-none-match'));
      if (!isUp) return respond(init);
      return Response.json({ success: true, data: samplePost('1') }, { headers: { etag: '"one"' } });
    },
  });
  const first = async (): Promise<void> => {
    await blog.posts.get('1');
    isUp = false;
  };
  return { cache, blog, etags, first, pass: (ms: number) => (time += ms), recover: () => (isUp = true) };
}

test.each<[string, (init: RequestInit) => Promise<Response>]>([
  ['no connection', () => Promise.reject(new TypeError('fetch failed'))],
  ['a time-out', () => new Promise(() => {})],
  ['status 500', async () => Response.json(refusal(500), { status: 500 })],
  ['a proxy without a server', async () => new Response('<h1>Bad Gateway</h1>', { status: 502 })],
  ['a status that is not temporary', async () => new Response('', { status: 501 })],
  ['a response that is cut off', async () => new Response('{"success":true,')],
])('%s does not fail a read whose response was revalidated or expired, for staleIfError ms', async (_, respond) => {
  const { cache, blog, etags, first, pass } = outage(respond);
  await first();
  cache.revalidateTag('posts');
  const read = () => blog.posts.get('1', { timeout: 50 });
  const { data, status } = await read().withMeta();
  expect([data.id, status]).toEqual(['1', 200]);
  pass(1099);
  expect((await read()).id).toBe('1');
  expect(etags).toEqual([null, '"one"', '"one"']);
  pass(1);
  expect(await failureOf(read())).toBeInstanceOf(Error);
});

test.each([401, 403, 404, 410])(
  'status %i is a response: the old response is not used, even in a later outage',
  async (status) => {
    let respond = async (): Promise<Response> => Response.json(refusal(status), { status });
    const { cache, blog, first } = outage(() => respond());
    await first();
    cache.revalidateTag('post:1');
    expect(await failureOf(blog.posts.get('1'))).toMatchObject({ status });
    respond = () => Promise.reject(new TypeError('fetch failed'));
    expect(await failureOf(blog.posts.get('1'))).toMatchObject({ name: 'NetworkError' });
  },
);

test('a read does not use an old response if its caller aborts it, if it has no time left, or after clear()', async () => {
  const { cache, blog, first } = outage(() => Promise.reject(new TypeError('fetch failed')));
  await first();
  cache.revalidateTag('post:1');
  expect(await failureOf(blog.posts.get('1', { signal: AbortSignal.abort() }))).toMatchObject({ code: 'ABORTED' });
  expect((await blog.posts.get('1')).id).toBe('1');
  expect(await failureOf(blog.posts.get('1', { timeout: 0 }))).toMatchObject({ code: 'TIMEOUT' });
  cache.clear();
  expect(await failureOf(blog.posts.get('1'))).toMatchObject({ name: 'NetworkError' });
});

test('a failure that an old response replaces is reported, so that a log shows the outage', async () => {
  const { cache, blog, first } = outage(() => Promise.reject(new TypeError('fetch failed')));
  const kinds: string[] = [];
  const observed = blog.with({ onEvent: ({ kind }) => void kinds.push(kind) });
  await first();
  cache.revalidateTag('post:1');
  expect((await observed.posts.get('1')).id).toBe('1');
  expect(kinds).toContain('failure');
});

test('after an outage the next read fetches a new response, which is fresh again', async () => {
  const { cache, blog, etags, first, recover } = outage(() => Promise.reject(new TypeError('fetch failed')));
  await first();
  cache.revalidateTag('post:1');
  await blog.posts.get('1');
  recover();
  await blog.posts.get('1');
  await blog.posts.get('1');
  expect(etags).toHaveLength(3);
});

test('a site whose server goes away after an edit keeps its pages', async () => {
  const server = await serve((_, response) => json(response, 200, { success: true, data: [samplePost('1')] }));
  const cache = memoryCache({ fresh: 3_600_000, staleIfError: 3_600_000 });
  const blog = client(server.url, { cache, retry: { baseDelay: 1 } });
  const titles = async () => (await blog.posts.list()).items.map(({ id }) => id);
  expect(await titles()).toEqual(['1']);
  cache.revalidateTag('posts');
  await server.close();
  expect(await Promise.all([titles(), titles()])).toEqual([['1'], ['1']]);
});
