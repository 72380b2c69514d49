import { HttpResponse, http } from 'msw';
import { setupWorker } from 'msw/browser';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createMock } from '../../src/browser.ts';

const mock = createMock({ baseUrl: 'https://api.example/v1' });
const worker = setupWorker(...mock.handlers());
beforeAll(async () => {
  await worker.start({ quiet: true, onUnhandledFrame: 'bypass' });
});
afterEach(() => {
  worker.resetHandlers();
  mock.main.reset();
});
afterAll(() => worker.stop());

const send = (path: string, init: RequestInit = {}) =>
  fetch(`${mock.baseUrl}${path}`, { ...init, headers: { 'X-API-Key': mock.main.apiKey, ...init.headers } });
const click = (clickToken: string) =>
  send('/public/ads/tracking/click', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ clickToken }),
  });
const deliver = async () =>
  (await (await send('/public/ads/formats/POPUP')).json()) as { id: string; clickToken: string };

test('a page reads, delivers and clicks through the worker', async () => {
  const posts = (await (await send('/public/posts?limit=3')).json()) as { data: unknown[] };
  expect(posts.data).toHaveLength(3);
  const { id, clickToken } = await deliver();
  expect((await click(clickToken)).status).toBe(200);
  expect((await click(clickToken)).status).toBe(409);
  expect(mock.main.ad(id)).toEqual({ impressions: 1, viewable: 0, clicks: 1 });
});

test('the page is the origin of a click, although the worker does not see the header', async () => {
  const own = mock.world({ blog: { ...mock.main.blog, domains: [location.host] } });
  const foreign = mock.world({ blog: { ...mock.main.blog, domains: ['elsewhere.example'] } });
  const statuses = [];
  for (const world of [own, foreign]) {
    const headers = { 'X-API-Key': world.apiKey, 'Content-Type': 'application/json' };
    const ad = (await (await send('/public/ads/formats/POPUP', { headers })).json()) as { clickToken: string };
    const body = JSON.stringify({ clickToken: ad.clickToken });
    statuses.push((await send('/public/ads/tracking/click', { method: 'POST', headers, body })).status);
  }
  expect(statuses).toEqual([200, 403]);
});

test('a wrong fault throws where it is written, as in Node', () => {
  const status: number = 999;
  const endpoint: string = 'x';
  // @ts-expect-error: no endpoint of the API
  expect(() => mock.main.fail(endpoint, 404)).toThrow('x');
  // @ts-expect-error: no status of this endpoint
  expect(() => mock.main.fail('posts.get', status)).toThrow('999');
});

test('faults, gates and time work as in Node', async () => {
  mock.main.fail('tags.list', 'reset', { times: 1 });
  await expect(send('/public/tags')).rejects.toThrow(TypeError);
  mock.main.fail('tags.list', 503, { times: 1 });
  expect((await send('/public/tags')).status).toBe(503);
  const gate = mock.main.hold('tags.list');
  const held = send('/public/tags');
  await gate.arrived();
  gate.release();
  expect((await held).status).toBe(200);
  const { clickToken } = await deliver();
  mock.main.clock.advance('10m');
  expect((await click(clickToken)).status).toBe(400);
});

test('a plain MSW handler overrides an endpoint', async () => {
  worker.use(http.get(`${mock.baseUrl}/public/tags`, () => HttpResponse.json({ success: true, data: [] })));
  expect(await (await send('/public/tags')).json()).toEqual({ success: true, data: [] });
});
