import { createHmac, randomUUID } from 'node:crypto';
import { createApi, createMemoryStore } from '@broadsheet/core';
import ky from 'ky';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Blog, ConflictError, createClient, NotFoundError, ValidationError } from '../src/index.ts';
import { kyFetch } from '../src/ky/index.ts';

// The whole client against the whole API in one process, with each transport.

const hmac = (text: string) => createHmac('sha256', 'secret').update(text).digest('base64url');

describe.each(['fetch', 'ky'])('by %s', (carrier) => {
  let connect: () => Blog;
  let blog: Blog;
  const drifts: unknown[] = [];

  beforeAll(() => {
    const store = createMemoryStore();
    store.putBlog(
      {
        id: 'b',
        name: 'Blog',
        apiKeys: ['key'],
        categories: [{ id: 'c/1', name: 'News' }],
        tags: [{ id: 't', name: 'Tag' }],
        posts: Array.from({ length: 25 }, (_, index) => ({
          id: `p${index}`,
          title: `Title ${index}`,
          slug: `ä ${index}`,
          publishedAt: new Date(Date.UTC(2026, 0, 1 + index)).toISOString(),
          categoryIds: ['c/1'],
          tagIds: ['t'],
        })),
        ads: [{ id: randomUUID(), format: 'BANNER', linkUrl: 'https://shop.example' }],
      },
      Date.now(),
    );
    const random = { uuid: () => randomUUID(), below: (bound: number) => Math.floor(Math.random() * bound) };
    const api = createApi({
      store,
      clock: { now: () => Date.now() },
      random,
      hmac,
      docsUrl: 'https://docs.example',
      basePath: '/api',
    });
    const respond = (request: Request | URL | string, init?: RequestInit): Promise<Response> =>
      api.fetch(new Request(request, init), { ip: '203.0.113.7' });
    connect = () =>
      createClient({
        baseUrl: 'https://blog.example/api/',
        apiKey: 'key',
        onDrift: (drift) => drifts.push(drift),
        fetch: carrier === 'ky' ? kyFetch(ky.create({ fetch: respond })) : respond,
      });
    blog = connect();
  });

  test('every response has the shape of its type', async () => {
    expect((await blog.posts.list()).items).toHaveLength(10);
    expect((await blog.posts.get('p3')).title).toBe('Title 3');
    expect((await blog.posts.getBySlug('ä 3')).id).toBe('p3');
    expect(await blog.categories.list()).toMatchObject([{ id: 'c/1', _count: { posts: 25 } }]);
    expect((await blog.categories.get('c/1')).name).toBe('News');
    expect((await blog.tags.list()).map(({ id }) => id)).toEqual(['t']);
    expect((await blog.tags.get('t')).name).toBe('Tag');
    expect(await blog.ads.impression()).toEqual({ status: 'ok' });
    expect(drifts).toEqual([]);
  });

  test('the three styles of pagination look the same', async () => {
    const ids = (items: readonly { id: string }[]) => items.map(({ id }) => id);
    const all = ids(await blog.posts.list({ limit: 7 }).collect());
    expect(all).toHaveLength(25);
    expect(ids(await blog.categories.posts('c/1', { pageSize: 4 }).collect())).toEqual(all);
    expect(ids(await blog.tags.posts('t', { pageSize: 4 }).prefetch(3).collect())).toEqual(all);
    expect(ids(await blog.search('title', { limit: 9 }).collect())).toEqual(all);
    const page = await blog.search('  title   1 ', { limit: 2 });
    expect(page.meta.search).toMatchObject({ q: 'title 1', limit: 2, count: 2 });
  });

  test('every failure has the class of its kind', async () => {
    const { ok, error } = await blog.posts.get('nowhere').safe();
    expect(ok).toBe(false);
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error).toMatchObject({ code: 'NOT_FOUND', status: 404, docs: 'https://docs.example/errors/NOT_FOUND' });
    expect(error?.requestId).toMatch(/^req_/);
    const search = await blog.search('ab').safe();
    expect(search.error).toBeInstanceOf(ValidationError);
    expect(search.error?.fields).toMatchObject([{ field: 'q', code: 'too_small' }]);
  });

  test('an ad goes from delivery to its click', async () => {
    const [placement] = await blog.ads.place([{ slotId: 'top', format: 'BANNER' }]);
    expect(placement?.ad?.linkUrl).toBe('https://shop.example');
    expect(await placement?.click()).toEqual({ status: 'ok' });
    const used = await connect()
      .ads.click(placement?.ad?.clickToken ?? '')
      .safe();
    expect(used.error).toBeInstanceOf(ConflictError);
    expect(await blog.ads.deliver('POPUP')).toEqual({ filled: false });
  });
});

const NAVIGATION = { 'user-agent': 'Mozilla/5.0', 'sec-fetch-mode': 'navigate' };
const PROXIED = { 'x-forwarded-for': '198.51.100.8' };

// The headers of the request for a page, whose server then requests its ad.
test.each<[string, string, Record<string, string>]>([
  ['who come from a search engine', 'valid', { ...PROXIED, referer: 'https://search.example/' }],
  ['who typed the URL', 'valid', PROXIED],
  ['for whom the page is only prefetched', 'prefetch', { ...PROXIED, 'sec-purpose': 'prefetch' }],
  ['whose addresses are not known', 'unknown', {}],
])('impressions for readers %s are %s traffic', async (_, expected, headers) => {
  const store = createMemoryStore();
  const ads = [{ id: randomUUID(), format: 'BANNER' as const, linkUrl: 'https://shop.example' }];
  store.putBlog({ id: 'b', name: 'Blog', apiKeys: ['key'], domains: ['my.blog'], ads }, Date.now());
  const random = { uuid: () => randomUUID(), below: () => 0 };
  const api = createApi({ store, clock: { now: () => Date.now() }, random, hmac, docsUrl: 'https://docs.example' });
  const fetch = (url: string, init: RequestInit): Promise<Response> => {
    const request = new Request(url, init);
    return api.fetch(request, { ip: request.headers.get('x-forwarded-for') ?? '203.0.113.7' });
  };
  const blog = createClient({ baseUrl: 'https://blog.example', apiKey: 'key', fetch, trust: 1 });
  for (let reader = 0; reader < 100; reader++) {
    const own = 'x-forwarded-for' in headers && { 'x-forwarded-for': `198.51.100.${reader}` };
    const visitor = new Request('https://my.blog/post', { headers: { ...NAVIGATION, ...headers, ...own } });
    await blog.ads.deliver('BANNER', { visitor });
  }
  expect(store.figures('b', { by: ['traffic'] })).toMatchObject([{ traffic: expected, delivered: 100 }]);
});
