import { setupServer } from 'msw/node';
import { beforeEach, expect, test } from 'vitest';
import { visit } from '../../test/support/visit.ts';
import { createMock as inBrowser } from '../browser.ts';
import { remoteWorld } from '../control/remote-world.ts';
import { createMock } from '../node.ts';
import type { World } from '../worlds/world.ts';

const mock = createMock();
let world: World;
beforeEach(() => {
  world = mock.world();
});

const json = async (path: string, of = world) => (await (await visit(of).send(path)).json()) as { data: never };
const tags = async (of = world) => (await json('/public/tags', of)).data as { id: string; name: string }[];

test('a function changes the data of responses: once, always, or for some calls', async () => {
  const all = await tags();
  const twice = world.answer('tags.list', (data) => data.slice(0, 2), { times: 2 });
  expect([await tags(), (await tags()).length, (await tags()).length]).toEqual([all.slice(0, 2), 2, all.length]);
  expect(twice.hits).toBe(2);
  const search = async (q: string) => ((await json(`/public/search?q=${q}`)).data as { data: object[] }).data.length;
  const before = await search('the');
  world.answer('search', (data) => ({ ...data, data: [] }), { when: ({ query }) => query.q === 'night' });
  expect([await search('night'), await search('the')]).toEqual([0, before]);
  const fault = world.answer('tags.list', () => []);
  expect(await tags()).toEqual([]);
  fault.lift();
  expect(await tags()).toEqual(all);
});

test('a JSON merge patch changes some fields, with or without a success envelope', async () => {
  world.answer('posts.get', { title: 'Patched', categories: [] }, { id: 'post-1' });
  expect((await json('/public/posts/post-1')).data).toMatchObject({ title: 'Patched', categories: [], id: 'post-1' });
  expect((await json('/public/posts/post-2')).data).not.toMatchObject({ title: 'Patched' });
  world.answer('ads.deliver', { title: null, content: 'New' });
  expect(await visit(world).deliver()).toMatchObject({ filled: true, content: 'New' });
});

test('a change off the contract is refused with its problems, unless `offContract` is set', async () => {
  world.answer('tags.list', (data) => data.map((tag) => ({ ...tag, name: 5 as unknown as string })));
  await expect(tags()).rejects.toThrow(
    /world.answer\('tags.list'\): 0.name: expected a string, received 5.*Pass \{ offContract: true \}/,
  );
  expect(() => world.assertOnContract()).toThrow(/0.name: expected a string, received 5/);
  world.answer('tags.list', (data) => data.map((tag) => ({ ...tag, colour: 'red' })));
  await expect(tags()).rejects.toThrow(/0.colour: is not a field of the contract/);
  world.answer('tags.list', (data) => data.map((tag) => ({ ...tag, colour: 'red' })), { offContract: true });
  expect((await tags())[0]).toMatchObject({ colour: 'red' });
  world.answer('posts.list', [{ status: 'ARCHIVED' }], { offContract: true });
  expect((await json('/public/posts')).data).toEqual([{ status: 'ARCHIVED' }]);
});

test('with `offContract` a response may have any status, body and headers', async () => {
  const headers = { 'Content-Type': 'text/html', 'Retry-After': '86400' };
  world.answer('tags.list', () => '<h1>Bad gateway</h1>', { offContract: true, status: 502, headers });
  const response = await visit(world).send('/public/tags');
  expect([response.status, response.headers.get('retry-after'), response.headers.get('content-type')]).toEqual([
    502,
    '86400',
    'text/html',
  ]);
  expect(await response.text()).toBe('<h1>Bad gateway</h1>');
  expect(world.journal[0]).toMatchObject({ status: 502, fault: 'answer' });
  world.answer('ads.click', { oops: true }, { offContract: true, status: 504 });
  const click = await visit(world).post('/public/ads/tracking/click', { clickToken: 'none' });
  expect([click.status, await click.json()]).toEqual([504, { oops: true }]);
  expect(() => world.answer('tags.list', () => [], { status: 502 } as object)).toThrow(/require offContract: true/);
});

test('a changed response is sent even if the caller has the original in its cache', async () => {
  const first = await visit(world).send('/public/tags');
  const headers = { 'If-None-Match': first.headers.get('etag') ?? '' };
  expect((await visit(world).send('/public/tags', { headers })).status).toBe(304);
  world.answer('tags.list', () => []);
  const changed = await visit(world).send('/public/tags', { headers });
  expect([changed.status, changed.headers.has('etag'), (await changed.json()).data]).toEqual([200, false, []]);
});

test('every adapter sends the changed response: fetch, MSW, a browser, and HTTP with a merge patch', async () => {
  const count = async (response: Promise<Response>) =>
    ((await (await response).json()) as { data: object[] }).data.length;
  const url = `${mock.baseUrl}/public/tags`;
  const init = { headers: { 'X-API-Key': world.apiKey } };
  world.answer('tags.list', (data) => data.slice(0, 1));
  expect(await count(mock.fetch(url, init))).toBe(1);
  const server = setupServer(...mock.handlers());
  server.listen();
  try {
    expect(await count(fetch(url, init))).toBe(1);
  } finally {
    server.close();
  }
  const page = inBrowser().main;
  page.answer('tags.list', () => []);
  expect(await tags(page)).toEqual([]);

  await using listening = await mock.listen();
  const remote = await remoteWorld(listening.url);
  const { connection } = remote;
  const get = (path: string) => fetch(connection.baseUrl + path, { headers: { 'X-API-Key': connection.apiKey } });
  const patch = { data: [], meta: { count: 0 } };
  const fault = await remote.answer('search', patch, { offContract: true, when: { query: { q: 'night' } } });
  const search = async (q: string) => (await (await get(`/public/search?q=${q}`)).json()).data.data.length;
  expect([await search('night'), (await search('the')) > 0]).toEqual([0, true]);
  expect(await fault.hits).toBe(1);
  await remote.answer('tags.list', 'down', { offContract: true, status: 502, times: 1 });
  const down = await get('/public/tags');
  expect([down.status, await down.text()]).toEqual([502, 'down']);
});
