import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createMock } from '../mock.ts';

const mock = createMock({ baseUrl: 'https://api.example/v1' });
const server = setupServer(...mock.handlers());
beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const get = (path: string, init: RequestInit = {}) =>
  fetch(`${mock.baseUrl}${path}`, { ...init, headers: { 'X-API-Key': mock.main.apiKey } });

test('there is one handler per endpoint, which answers other methods as the server does', async () => {
  expect(mock.handlers()).toHaveLength(14);
  expect((await get('/public/posts?limit=2')).status).toBe(200);
  expect((await get('/public/posts', { method: 'HEAD' })).headers.get('etag')).toBeTruthy();
  const preflight = await get('/public/posts', { method: 'OPTIONS' });
  expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
  expect((await get('/public/posts', { method: 'DELETE' })).status).toBe(405);
  expect((await get(`/public/posts/${encodeURIComponent('a/b c')}`)).status).toBe(404);
});

test('unknown paths stay unhandled', async () => {
  await expect(get('/public/nothing')).rejects.toThrow();
});

test('a plain MSW handler overrides one endpoint until it is reset', async () => {
  server.use(http.get(`${mock.baseUrl}/public/tags`, () => HttpResponse.json({ success: true, data: [] })));
  expect(await (await get('/public/tags')).json()).toEqual({ success: true, data: [] });
  expect((await get('/public/categories')).status).toBe(200);
  server.resetHandlers();
  expect(((await (await get('/public/tags')).json()) as { data: unknown[] }).data).toHaveLength(8);
});

test('a broken connection is a network error', async () => {
  mock.main.disrupt('tags.list', 'reset', { times: 1 });
  await expect(get('/public/tags')).rejects.toThrow(TypeError);
  expect((await get('/public/tags')).status).toBe(200);
});
