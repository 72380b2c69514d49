import { buildPath, ENDPOINT_IDS } from '@broadsheet/contract';
import { MESSAGES, validate } from '@broadsheet/contract/schemas';
import { expect, test } from 'vitest';
import { createMock } from '../node.ts';
import type { Mock } from './mock.ts';
import type { World } from './world.ts';

const get = (mock: Mock, world: World, path: string, init: RequestInit = {}) =>
  mock.fetch(`${mock.baseUrl}${path}`, { ...init, headers: { 'X-API-Key': world.apiKey, ...init.headers } });
const post = (mock: Mock, world: World, path: string, body: unknown, headers: Record<string, string> = {}) =>
  get(mock, world, path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json', ...headers },
  });
const banner = async (mock: Mock, world: World) =>
  (await (await get(mock, world, '/public/ads/formats/BANNER')).json()) as { id: string; clickToken: string };

test('without configuration, the responses of every endpoint match its schema', async () => {
  const mock = createMock();
  const world = mock.main;
  const { posts = [], categories = [], tags = [] } = world.blog;
  const ids = { posts: posts[0]?.id, categories: categories[0]?.id, tags: tags[0]?.id };
  for (const id of ENDPOINT_IDS) {
    const kind = id.split('.')[0] as keyof typeof ids;
    const path = buildPath(id, { id: ids[kind] ?? '', slug: posts[0]?.slug ?? '', format: 'BANNER' });
    const { clickToken } = await banner(mock, world);
    const body = { clickToken, slots: [{ slotId: 'a', format: 'SIDEBAR' }] };
    const headers = { Authorization: `Bearer ${await world.preview(posts[0]?.id ?? '')}` };
    const response = await (id.startsWith('ads.') && id !== 'ads.deliver'
      ? post(mock, world, path, body)
      : get(mock, world, id === 'search' ? `${path}?q=the` : path, id === 'preview' ? { headers } : {}));
    const json = (await response.json()) as { data?: unknown };
    const data = id.startsWith('ads.') ? json : json.data;
    expect([id, response.status, validate(MESSAGES[id].data, data).ok]).toEqual([id, 200, true]);
  }
});

test('a base URL may have a path', async () => {
  const mock = createMock({ baseUrl: 'https://api.example/v1/' });
  expect((await get(mock, mock.main, '/public/tags')).status).toBe(200);
  await expect(mock.fetch('https://api.example/public/tags')).rejects.toThrow(/is not below/);
  expect(() => createMock({ baseUrl: '/v1' })).toThrow(/must be an absolute URL/);
});

test('the same seed gives the same responses, another seed different ones', async () => {
  const text = async (seed: string) => {
    const mock = createMock({ seed });
    const responses = [
      await get(mock, mock.main, '/public/posts'),
      await get(mock, mock.main, '/public/ads/formats/BANNER'),
    ];
    return (await Promise.all(responses.map((response) => response.text()))).join();
  };
  expect(await text('a')).toBe(await text('a'));
  expect(await text('a')).not.toBe(await text('b'));
});

test('a click counts once, its token expires after ten minutes, and a visitor counts again after thirty', async () => {
  const mock = createMock();
  const world = mock.main;
  const click = async (clickToken: string, headers?: Record<string, string>) =>
    (await post(mock, world, '/public/ads/tracking/click', { clickToken }, headers)).status;
  world.put({ ads: [{ id: '11111111-1111-4111-8111-111111111111', format: 'POPUP', priority: 99 }] });
  const popup = async () =>
    (await (await get(mock, world, '/public/ads/formats/POPUP')).json()) as { id: string; clickToken: string };
  const first = await popup();
  expect(await click(first.clickToken)).toBe(200);
  expect(await click(first.clickToken)).toBe(409);
  expect(await click((await popup()).clickToken)).toBe(200);
  expect(world.ad(first.id)).toEqual({ impressions: 2, viewable: 0, clicks: 1 });
  expect(await click((await popup()).clickToken, { 'X-Forwarded-For': '198.51.100.7' })).toBe(200);
  expect(world.ad(first.id).clicks).toBe(2);

  const old = await popup();
  world.clock.advance('10m');
  expect(world.tokens.expired.map(({ token }) => token)).toContain(old.clickToken);
  expect(await click(old.clickToken)).toBe(400);
  world.clock.advance('21m');
  expect(await click((await popup()).clickToken)).toBe(200);
  expect(world.ad(first.id).clicks).toBe(3);
  expect(world.tokens.used).toHaveLength(4);
});

test('the origin of a click is checked, from the header or else from the visitor', async () => {
  const mock = createMock({
    main: {
      blog: {
        name: 'Mine',
        domains: ['mine.example'],
        ads: [{ id: '11111111-1111-4111-8111-111111111111', format: 'BANNER' }],
      },
    },
  });
  const world = mock.main;
  const status = async (headers: Record<string, string> = {}) => {
    const { clickToken } = await banner(mock, world);
    return (await post(mock, world, '/public/ads/tracking/click', { clickToken }, headers)).status;
  };
  expect(await status()).toBe(403);
  expect(await status({ Origin: 'https://mine.example' })).toBe(200);
  expect(await status({ Origin: 'https://other.example' })).toBe(403);
  world.visitAs({ origin: 'https://mine.example' });
  expect(await status()).toBe(200);
});

test('an unknown or dropped key is refused', async () => {
  const mock = createMock();
  const world = mock.world();
  const status = async (key: string) =>
    (await mock.fetch(`${mock.baseUrl}/public/tags`, { headers: { 'X-API-Key': key } })).status;
  expect(await status('nobody')).toBe(401);
  expect(await status(world.apiKey)).toBe(200);
  mock.drop(world);
  expect(await status(world.apiKey)).toBe(401);
});

test('fifty worlds at once never mix', async () => {
  const mock = createMock();
  const worlds = Array.from({ length: 50 }, (_, n) => mock.world({ name: `w${n}` }));
  await Promise.all(
    worlds.map(async (world, n) => {
      world.put({ tags: [{ id: 'mine', name: `tag of ${n}` }] });
      if (n % 2 === 0) world.fail('search', 500);
      world.clock.advance(n * 1000);
      for (let round = 0; round < 10; round += 1) {
        const tag = (await (await get(mock, world, '/public/tags/mine')).json()) as {
          data: { name: string; blogId: string };
        };
        expect(tag.data).toMatchObject({ name: `tag of ${n}` });
        expect((await get(mock, world, '/public/search?q=the')).status).toBe(n % 2 === 0 ? 500 : 200);
        await banner(mock, world);
      }
    }),
  );
  for (const [n, world] of worlds.entries()) {
    expect(world.calls['tags.get']).toHaveLength(10);
    expect(world.journal).toHaveLength(30);
    expect(world.tokens.issued).toHaveLength(10);
    expect(world.clock.now()).toBe(Date.UTC(2026, 0, 1, 12) + n * 1000);
  }
  expect(mock.main.journal).toHaveLength(0);
  const [one, two] = worlds;
  const { clickToken } = await banner(mock, one as World);
  expect((await post(mock, two as World, '/public/ads/tracking/click', { clickToken })).status).toBe(400);
});

test('a name or key belongs to one world only', () => {
  const mock = createMock();
  mock.world({ name: 'a', apiKey: 'k' });
  expect(() => mock.world({ name: 'a' })).toThrow(/mock.world: the name a is taken/);
  expect(() => mock.world({ apiKey: 'k' })).toThrow(/mock.world: the key k belongs to a; drop that world, or pass/);
});

test('a request with an unknown key leaves no trace in main', async () => {
  const mock = createMock();
  const { main } = mock;
  const dropped = mock.world();
  mock.drop(dropped);
  const fault = main.fail('*', 503, { times: 1 });
  main.hold('posts.list');
  const send = async (key: string, path: string) =>
    (await mock.fetch(`${mock.baseUrl}${path}`, { headers: { 'X-API-Key': key } })).status;
  for (const key of ['nobody', dropped.apiKey]) {
    expect([await send(key, '/public/tags?typo=1'), await send(key, '/public/posts')]).toEqual([401, 401]);
    expect(await send(key, '/public/nothing')).toBe(401);
  }
  expect([fault.hits, main.journal]).toEqual([0, []]);
  expect(() => main.assertOnContract()).not.toThrow();
  // A request without a key is sent to main.
  expect((await mock.fetch(`${mock.baseUrl}/public/tags`)).status).toBe(503);
});

test('main cannot be dropped', async () => {
  const mock = createMock();
  expect(() => mock.drop(mock.main)).toThrow(/mock.drop: main cannot be dropped; reset it/);
  expect((await get(mock, mock.main, '/public/tags')).status).toBe(200);
});
