import { Readable } from 'node:stream';
import { ReadableStream } from 'node:stream/web';
import { expect, test } from 'vitest';
import { client } from './support/client.ts';
import { json } from './support/responses.ts';
import { samplePosts } from './support/samples.ts';
import { serve } from './support/serve.ts';

const PAGES = 3;
const SIZE = 2;

/** A list of three pages of two posts whose server says this about every page, and sends this for those after the last. */
const stating = (claim: Record<string, unknown>, after: (page: number) => unknown[] = () => []) =>
  serve((request, response) => {
    const page = Number(new URL(request.url, 'http://x').searchParams.get('page'));
    const data = page <= PAGES ? samplePosts((page - 1) * SIZE, page * SIZE) : after(page);
    const truth = {
      page,
      pageSize: SIZE,
      total: 6,
      totalPages: PAGES,
      hasNextPage: page < PAGES,
      hasPrevPage: page > 1,
    };
    json(response, 200, { success: true, data, meta: { pagination: { ...truth, ...claim } } });
  });

const loop = (page: number): unknown[] => samplePosts(((page - 1) % PAGES) * SIZE, ((page - 1) % PAGES) * SIZE + SIZE);
const nameless = (): unknown[] => samplePosts(0, SIZE).map(({ id: _, ...post }) => post);

test.each<[string, Record<string, unknown>, number, ((page: number) => unknown[])?]>([
  ['the truth', {}, 6],
  ['always another page', { hasNextPage: true }, 6],
  ['always another page, without a number of pages', { hasNextPage: true, totalPages: undefined }, 6],
  ['always another page, with null pages', { hasNextPage: true, totalPages: null }, 6],
  ['always another page, with the number as text', { hasNextPage: true, totalPages: '3' }, 6],
  ['always another page, with endless pages', { hasNextPage: true, totalPages: 1e9 }, 6],
  ['always another page, which repeats the first', { hasNextPage: true, totalPages: 1e9 }, 6, () => loop(1)],
  ['always another page, the same three in turn', { hasNextPage: true, totalPages: 1e9 }, 6, loop],
  ['always another page, of posts without ids', { hasNextPage: true, totalPages: 1e9 }, 10, nameless],
  ['the text "false"', { hasNextPage: 'false' }, 2],
  ['the text "true"', { hasNextPage: 'true' }, 2],
  ['the number 1', { hasNextPage: 1 }, 2],
  ['null', { hasNextPage: null }, 2],
  ['an object', { hasNextPage: {} }, 2],
  ['nothing', { hasNextPage: undefined }, 2],
  ['no page', { hasNextPage: true, totalPages: 0 }, 2],
  ['fewer pages', { hasNextPage: true, totalPages: 2 }, 4],
  ['negative pages', { hasNextPage: true, totalPages: -1 }, 2],
])('a list ends when its server states %s', async (_, claim, items, after) => {
  const server = await stating(claim, after);
  const blog = client(server.url);
  for (const list of [blog.tags.posts('t', { pageSize: SIZE }), blog.tags.posts('t', { pageSize: SIZE }).prefetch(2)])
    expect(await list.collect({ max: 100 })).toHaveLength(items);
  // By hand, with `next()`, no list repeats an empty page.
  let page = await blog.categories.posts('c', { pageSize: SIZE });
  for (let left = 50; page.hasNext && page.items.length > 0 && left > 0 && !after; left--) {
    const next = await page.next();
    if (!next) break;
    page = next;
  }
  expect(page.hasNext).toBe(Boolean(after));
});

test.each([
  ['always the first page', (_: number) => samplePosts(0, 10)],
  ['two pages in turn', (offset: number) => samplePosts((offset / 10) % 2 ? 10 : 0, (offset / 10) % 2 ? 20 : 10)],
])('a list by offset ends when its server sends %s', async (_, pageAt) => {
  const server = await serve((request, response) => {
    const offset = Number(new URL(request.url, 'http://x').searchParams.get('offset'));
    json(response, 200, { success: true, data: pageAt(offset) });
  });
  expect((await client(server.url).posts.list().collect({ max: 100 })).length).toBeLessThanOrEqual(20);
});

test.each([[50], ['all'], [{ max: -1 }], [{ max: Number.NaN }], [{ max: '5' }]])(
  'collect(%j) is refused',
  async (argument) => {
    const list = client('https://blog.example').posts.list();
    await expect(list.collect(argument as never)).rejects.toMatchObject({ name: 'InputError', code: 'INVALID_INPUT' });
  },
);

/** A blog whose second page never arrives, and how many requests were closed before a response. */
async function hanging() {
  let closed = 0;
  const server = await serve((request, response) => {
    response.on('close', () => !response.writableEnded && closed++);
    if (request.url.includes('offset=0')) json(response, 200, { success: true, data: samplePosts(0, 10) });
  });
  const list = client(server.url, { timeout: false }).posts.list();
  return {
    list,
    second: () => expect.poll(() => server.seen.length).toBe(2),
    left: () => expect.poll(() => closed).toBe(1),
  };
}

test('a Web stream of a list that is cancelled aborts the page on its way', async () => {
  const { list, second, left } = await hanging();
  const reader = ReadableStream.from(list.pages()).getReader();
  await reader.read();
  const waiting = reader.read();
  await second();
  await reader.cancel();
  await left();
  expect((await waiting).done).toBe(true);
});

test('a Node stream of a list that is destroyed aborts the page on its way', async () => {
  const { list, second, left } = await hanging();
  const stream = Readable.from(list);
  stream.resume();
  await second();
  stream.destroy();
  await left();
});

test.each(['return', 'throw'] as const)(
  '%s() of an iterator ends it at once, and so does what waits for it',
  async (verb) => {
    const { list, second, left } = await hanging();
    const iterator = list.pages();
    await iterator.next();
    const waiting = iterator.next();
    await second();
    const end = verb === 'return' ? iterator.return() : iterator.throw(new Error('enough')).catch(() => undefined);
    await left();
    expect(await waiting).toEqual({ done: true, value: undefined });
    await end;
  },
);
