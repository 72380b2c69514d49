import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Mock } from '../../src/worlds/mock.ts';

/** The part of MSW that the suite needs, of any version. */
export interface MswInNode {
  /** Starts a server that refuses unhandled requests. */
  listen(): void;
  use(path: string, respond: (request: Request) => Response | Promise<Response>): void;
  resetHandlers(): void;
  close(): void;
}

/** The promises of the handlers, with every version of MSW. */
export function handlersSuite(mock: Mock, server: MswInNode): void {
  beforeAll(() => server.listen());
  afterEach(() => server.resetHandlers());
  afterAll(() => server.close());

  const get = (path: string, init: RequestInit = {}) =>
    fetch(`${mock.baseUrl}${path}`, { ...init, headers: { 'X-API-Key': mock.main.apiKey, ...init.headers } });

  test('there is one handler per endpoint and one for beacons, which handles other methods as the server does', async () => {
    expect(mock.handlers()).toHaveLength(16);
    expect((await get('/public/posts?limit=2')).status).toBe(200);
    expect((await get('/public/posts', { method: 'HEAD' })).headers.get('etag')).toBeTruthy();
    const preflight = await get('/public/posts', { method: 'OPTIONS' });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
    expect((await get('/public/posts', { method: 'DELETE' })).status).toBe(405);
    expect((await get(`/public/posts/${encodeURIComponent('a/b c')}`)).status).toBe(404);
  });

  test('the handlers receive the body and the origin of a click', async () => {
    const world = mock.world({ blog: { ...mock.main.blog, domains: ['site.example'] } });
    const headers = { 'X-API-Key': world.apiKey, 'Content-Type': 'application/json', Origin: 'https://site.example' };
    const ad = (await (await get('/public/ads/formats/POPUP', { headers })).json()) as { clickToken: string };
    const body = JSON.stringify({ clickToken: ad.clickToken });
    const click = async (from: Record<string, string>) =>
      (await get('/public/ads/tracking/click', { method: 'POST', headers: { ...headers, ...from }, body })).status;
    expect(await click({ Origin: 'https://elsewhere.example' })).toBe(403);
    expect(await click({})).toBe(200);
    expect(await click({})).toBe(409);
    expect(world.calls['ads.click'][0]?.body).toEqual({ clickToken: ad.clickToken });
  });

  test('unknown paths stay unhandled', async () => {
    await expect(get('/public/nothing')).rejects.toThrow();
  });

  test('a plain MSW handler overrides one endpoint until it is reset', async () => {
    server.use(`${mock.baseUrl}/public/tags`, () => Response.json({ success: true, data: [] }));
    expect(await (await get('/public/tags')).json()).toEqual({ success: true, data: [] });
    expect((await get('/public/categories')).status).toBe(200);
    server.resetHandlers();
    expect(((await (await get('/public/tags')).json()) as { data: unknown[] }).data).toHaveLength(8);
  });

  test('an override may change the response of the mock', async () => {
    server.use(`${mock.baseUrl}/public/tags`, async (request) => {
      const { data } = (await (await mock.fetch(request)).json()) as { data: object[] };
      return Response.json({ success: true, data: data.slice(0, 2) });
    });
    const { data } = (await (await get('/public/tags')).json()) as { data: object[] };
    expect(data).toMatchObject([{ name: 'city' }, { name: 'craft' }]);
  });

  test('a broken connection is a network error, and reading a cut body fails', async () => {
    mock.main.fail('tags.list', 'reset', { times: 1 });
    // Compares the name: a test in another realm has a different TypeError.
    await expect(get('/public/tags')).rejects.toMatchObject({ name: 'TypeError' });
    mock.main.fail('tags.list', 'cut', { times: 1 });
    await expect(get('/public/tags').then((response) => response.text())).rejects.toThrow();
    expect((await get('/public/tags')).status).toBe(200);
  });

  test('a response is held until its gate is released', async () => {
    const gate = mock.main.hold('tags.list', { times: 1 });
    const response = get('/public/tags');
    await gate.arrived();
    gate.release();
    expect((await response).status).toBe(200);
  });
}
