import { expect, onTestFinished, test } from 'vitest';
import { isBroadsheetError, type Page, type Post } from '../src/index.ts';
import { client, failureOf } from './support/client.ts';
import { envelope, json } from './support/responses.ts';
import { sampleCategory, samplePosts } from './support/samples.ts';
import { serve } from './support/serve.ts';

/** A blog of `total` posts by limit and offset; `drift` posts appear at the front with each request. */
const posts = (total: number, drift = 0) =>
  serve((request, response, nth) => {
    const query = new URL(request.url, 'http://x').searchParams;
    const from = Number(query.get('offset'));
    const data = samplePosts(-drift * nth, total).slice(from, from + Number(query.get('limit')));
    json(response, 200, { success: true, data });
  });

test('a page that is not full is the last one', async () => {
  const server = await posts(25);
  expect(await client(server.url).posts.list().collect()).toHaveLength(25);
  expect(server.seen.map(({ url }) => url)).toEqual([
    '/public/posts?offset=0&limit=10',
    '/public/posts?offset=10&limit=10',
    '/public/posts?offset=20&limit=10',
  ]);
});

test('posts that move while the list is being read are returned once, and the repeats are counted', async () => {
  const server = await posts(30, 2);
  const duplicates: number[] = [];
  const ids: string[] = [];
  for await (const page of client(server.url).posts.list().pages()) {
    duplicates.push(page.duplicates);
    ids.push(...page.items.map(({ id }) => id));
  }
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toHaveLength(30);
  expect(duplicates).toEqual([0, 2, 2, 2]);
});

test.each([
  [10, 25],
  [10, 10],
  [1, 1],
])('with %i posts per page, %i posts published during the iteration hide no other posts', async (limit, burst) => {
  const before = samplePosts(0, 60);
  const server = await serve((request, response, nth) => {
    const offset = Number(new URL(request.url, 'http://x').searchParams.get('offset'));
    const all = nth < 3 ? before : [...samplePosts(-burst, 0), ...before];
    json(response, 200, { success: true, data: all.slice(offset, offset + limit) });
  });
  const read = await client(server.url).posts.list({ limit }).collect();
  expect(read.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
});

test('a list is also a call for its first page, in every form of a call, and is requested once', async () => {
  const server = await posts(3);
  const list = client(server.url).posts.list();
  expect(server.seen).toHaveLength(0);
  let ended = 0;
  const page = await list.finally(() => ended++);
  const { data, status, attempts } = await list.withMeta();
  const result = await list.safe();
  expect(ended).toBe(1);
  expect(data).toBe(page);
  expect(result.data).toBe(page);
  expect([status, attempts.length, result.info?.status]).toEqual([200, 1, 200]);
  expect(server.seen).toHaveLength(1);
  const closed = await serve((_, response) => json(response, 401, {}));
  const caught = await client(closed.url)
    .posts.list()
    .catch((error: unknown) => error);
  expect(isBroadsheetError(caught) && caught.status).toBe(401);
});

test('a server that ignores the offset does not cause an infinite loop', async () => {
  const pagination = { page: 1, pageSize: 10, total: 20, totalPages: 2, hasNextPage: true, hasPrevPage: false };
  const server = await serve((_, response) =>
    json(response, 200, { success: true, data: samplePosts(0, 10), meta: { pagination } }),
  );
  const { posts, tags } = client(server.url);
  expect(await posts.list().collect()).toHaveLength(10);
  expect(server.seen).toHaveLength(3);
  expect(await tags.posts('t').collect()).toHaveLength(10);
});

test('take() requests only the pages it needs; collect() refuses more than max', async () => {
  const server = await posts(25);
  const list = client(server.url).posts.list();
  expect(await list.take(10)).toHaveLength(10);
  expect(server.seen).toHaveLength(1);
  expect(await list.take(0)).toEqual([]);
  expect(server.seen).toHaveLength(1);
  const tooLong = { code: 'LIST_TOO_LONG', phase: 'input', endpoint: 'posts.list' };
  expect(await failureOf(list.collect({ max: 24 }))).toMatchObject({
    ...tooLong,
    message: expect.stringContaining('posts.list: more than 24 items: iterate, or raise collect({ max }).'),
  });
  expect(await list.collect({ max: 25 })).toHaveLength(25);
});

test.each([-1, 0.5, Number.NaN])('%d is not a valid number of items or pages', async (count) => {
  const list = client('https://blog.example').posts.list();
  const words = `must be given a whole number of 0 or more; received ${count}.`;
  const facts = { code: 'INVALID_INPUT', phase: 'input', endpoint: 'posts.list' };
  expect(await failureOf(list.take(count))).toMatchObject({ ...facts, message: `posts.list: take() ${words}` });
  expect(() => list.prefetch(count)).toThrow(`posts.list: prefetch() ${words}`);
});

test('every page has the facts of its response in meta', async () => {
  const server = await posts(3);
  const { meta } = await client(server.url).posts.list();
  expect(meta).toMatchObject({ status: 200, attempts: [{ status: 200 }] });
});

test.each([
  [0, 1],
  [2, 3],
])('prefetch(%i): exactly %i requests are sent for the first page', async (count, requests) => {
  const server = await posts(100);
  for await (const page of client(server.url).posts.list().prefetch(count).pages()) {
    expect(page.items).toHaveLength(10);
    await expect.poll(() => server.seen.length).toBeGreaterThanOrEqual(requests);
    break;
  }
  expect(server.seen).toHaveLength(requests);
});

test('an abort by the caller ends the request in flight', async () => {
  const leave = new AbortController();
  const server = await serve((request, response) => {
    if (request.url.includes('offset=0')) json(response, 200, { success: true, data: samplePosts(0, 10) });
    else leave.abort(new Error('enough'));
  });
  const list = client(server.url).posts.list({ signal: leave.signal });
  expect(await failureOf(list.collect())).toMatchObject({ code: 'ABORTED', cause: { message: 'enough' } });
});

test('prefetch() requests only pages that exist; leaving the loop aborts requests in flight', async () => {
  let closed = 0;
  const server = await serve((request, response) => {
    const page = Number(new URL(request.url, 'http://x').searchParams.get('page'));
    response.on('close', () => !response.writableEnded && closed++);
    const pagination = { page, pageSize: 2, total: 5, totalPages: 3, hasNextPage: page < 3, hasPrevPage: page > 1 };
    if (page === 1) json(response, 200, { success: true, data: samplePosts(0, 2), meta: { pagination } });
  });
  for await (const page of client(server.url).categories.posts('c', { pageSize: 2 }).prefetch(9).pages()) {
    expect(page.meta.pagination?.total).toBe(5);
    await expect.poll(() => server.seen.length).toBe(3);
    break;
  }
  await expect.poll(() => closed).toBe(2);
  expect(server.seen).toHaveLength(3);
});

test('a page can be followed, cloned, and resumed from its cursor', async () => {
  const server = await posts(25);
  const blog = client(server.url);
  const page = await blog.posts.list({ limit: 10 });
  expect((await page.next())?.items[0]?.id).toBe('10');
  const copy = structuredClone(page);
  expect(copy).toMatchObject({ hasNext: true, cursor: '10 10 posts.list', items: page.items });
  const rest = await blog.posts
    .list()
    .resume(copy.cursor ?? '')
    .collect();
  expect(rest.map(({ id }) => id)).toEqual(samplePosts(10, 25).map(({ id }) => id));
  for (const cursor of [
    '0.5 10 posts.list',
    '-1 10 posts.list',
    '0 posts.list',
    '0 10',
    '10 10 posts.list t',
    '10 10 tags.posts t',
    `${'9'.repeat(16)} 10 posts.list`,
    '',
  ])
    expect(() => blog.posts.list().resume(cursor)).toThrow(
      `the cursor must be page.cursor of the same list; received ${JSON.stringify(cursor)}.`,
    );
});

test('next() leads through every page to the last', async () => {
  const server = await posts(25);
  const ids: string[] = [];
  for (let page: Page<Post> | undefined = await client(server.url).posts.list(); page; page = await page.next())
    ids.push(...page.items.map(({ id }) => id));
  expect(ids).toEqual(samplePosts(0, 25).map(({ id }) => id));
});

test('resume() and prefetch() can be combined in either order', async () => {
  const server = await posts(50);
  const list = client(server.url).posts.list();
  for (const resumed of [list.resume('10 10 posts.list').prefetch(2), list.prefetch(2).resume('10 10 posts.list')]) {
    server.seen.length = 0;
    for await (const page of resumed.pages()) {
      expect(page.items[0]?.id).toBe('10');
      await expect.poll(() => server.seen.length).toBe(3); // its own, and two ahead
      break;
    }
  }
});

test('next() works without its page object', async () => {
  const server = await serve(({ url }, response) => {
    const offset = Number(new URL(url, 'http://x').searchParams.get('offset'));
    json(response, 200, { success: true, data: samplePosts(offset, Math.min(offset + 2, 3)) });
  });
  const { next } = await client(server.url).posts.list({ limit: 2 });
  const page = await next();
  expect(page?.items.map(({ id }) => id)).toEqual(['2']);
  expect(await page?.next()).toBeUndefined();
});

test('responses without an envelope are understood without an option', async () => {
  const server = await serve(({ url }, response) => {
    if (url.startsWith('/public/search')) {
      return json(response, 200, { data: [], meta: { q: 'abc', limit: 10, offset: 0, count: 0 } });
    }
    if (url.includes('/posts')) {
      const page = Number(new URL(url, 'http://x').searchParams.get('page'));
      const items = page === 1 ? samplePosts(0, 2) : samplePosts(2, 3);
      return json(response, 200, { posts: items, total: 3, page, pageSize: 2, totalPages: 2 });
    }
    // A field that a newer server may add.
    json(response, 200, url.endsWith('/c') ? { ...sampleCategory, posts: [] } : [sampleCategory]);
  });
  const drifts: unknown[] = [];
  const blog = client(server.url, { onDrift: (drift) => drifts.push(drift) });
  expect(await blog.categories.list()).toEqual([sampleCategory]);
  expect(await blog.categories.get('c')).toEqual({ ...sampleCategory, posts: [] });
  const first = await blog.tags.posts('t', { pageSize: 2 });
  expect(first).toMatchObject({
    hasNext: true,
    meta: { pagination: { total: 3, hasNextPage: true, hasPrevPage: false } },
  });
  expect(await first.next()).toMatchObject({
    hasNext: false,
    items: [{ id: '2' }],
    meta: { pagination: { page: 2, hasNextPage: false, hasPrevPage: true } },
  });
  expect((await blog.search('abc')).meta.search?.q).toBe('abc');
  expect(drifts).toEqual([]);
});

test('a list that failed is requested again when it is awaited again; a success is requested once', async () => {
  const server = await serve((_, response, nth) =>
    nth === 0
      ? json(response, 500, envelope(500, 'INTERNAL_ERROR'))
      : json(response, 200, { success: true, data: samplePosts(0, 1) }),
  );
  const list = client(server.url, { retry: 0 }).posts.list();
  expect(await failureOf(list)).toMatchObject({ code: 'INTERNAL_ERROR' });
  expect((await list).items).toHaveLength(1);
  expect((await list).items).toHaveLength(1);
  expect(server.seen).toHaveLength(2);
});

test('iteration with a signal needs no AbortSignal.any, which Firefox 115 lacks', async () => {
  const { any } = AbortSignal;
  Reflect.deleteProperty(AbortSignal, 'any');
  onTestFinished(() => void Object.assign(AbortSignal, { any }));
  const server = await serve(({ url }, response) => {
    if (url.includes('offset=0')) json(response, 200, { success: true, data: samplePosts(0, 2) });
  });
  const leave = new AbortController();
  const blog = client(server.url, { signal: new AbortController().signal });
  const ids: string[] = [];
  const read = async () => {
    for await (const { id } of blog.posts.list({ limit: 2, signal: leave.signal }).prefetch()) ids.push(id);
  };
  const failed = failureOf(read());
  await expect.poll(() => server.seen.length).toBe(2);
  leave.abort('left');
  expect(await failed).toMatchObject({ code: 'ABORTED', cause: 'left' });
  expect(ids).toHaveLength(2);
});
