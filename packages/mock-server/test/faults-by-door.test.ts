import { setupServer } from 'msw/node';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TransportFault } from '../src/faults/fault.ts';
import { createMock } from '../src/node.ts';

// Every adapter delivers a transport fault as a client would receive it in production.

const mock = createMock({ baseUrl: 'https://api.example' });
const network = setupServer(...mock.handlers());
let http: Awaited<ReturnType<typeof mock.listen>>;
beforeAll(async () => {
  http = await mock.listen();
  network.listen({ onUnhandledFrame: 'bypass' });
});
afterAll(async () => {
  network.close();
  await http.close();
});
beforeEach(() => mock.main.reset());

const doors: Readonly<Record<string, (init: RequestInit) => Promise<Response>>> = {
  'mock.fetch': (init) => mock.fetch(`${mock.baseUrl}/public/tags`, init),
  'MSW in Node': (init) => fetch(`${mock.baseUrl}/public/tags`, init),
  HTTP: (init) => fetch(`${http.url}/public/tags`, init),
};

describe.each(Object.keys(doors))('through %s', (door) => {
  const send = (fault?: TransportFault, signal?: AbortSignal) => {
    if (fault) mock.main.fail('tags.list', fault, { times: 1 });
    const headers = { 'X-API-Key': mock.main.apiKey };
    return doors[door]?.({ headers, ...(signal && { signal }) }) ?? Promise.reject(new Error(door));
  };

  test('a reset is a network error', async () => {
    await expect(send('reset')).rejects.toThrow(TypeError);
    expect(mock.main.calls['tags.list'][0]).toMatchObject({ fault: 'reset', status: 0 });
  });

  test('a body that is cut fails while it is being read', async () => {
    const response = await send('cut');
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  });

  test('a truncated body can be read, but is not JSON', async () => {
    const text = await (await send('truncate')).text();
    expect(text).toMatch(/^\{"success":true/);
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
  });

  test('an HTML page, a wrong type and an empty body arrive unchanged', async () => {
    const page = await send('html');
    expect([page.headers.get('content-type'), await page.text()]).toEqual([
      'text/html',
      expect.stringMatching(/^<!doc/),
    ]);
    const plain = await send('wrong-type');
    expect([plain.headers.get('content-type'), await plain.json()]).toMatchObject(['text/plain', { success: true }]);
    const empty = await send('empty');
    expect([empty.status, await empty.text()]).toEqual([200, '']);
  });

  test('a stall sends headers, but never ends the body', async () => {
    const gone = new AbortController();
    const response = await send('stall', gone.signal);
    const text = response.text();
    gone.abort(new Error('enough'));
    await expect(text).rejects.toThrow();
  });

  test('a drip is complete once enough time has passed in the world', async () => {
    const whole = await (await send()).text();
    let arrived: string | undefined;
    const text = send('drip').then(async (response) => {
      arrived = await response.text();
    });
    while (arrived === undefined) {
      mock.main.clock.advance('1s');
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await text;
    expect(arrived).toBe(whole);
  });
});
