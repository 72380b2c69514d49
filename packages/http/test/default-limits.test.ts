import { connect } from 'node:net';
import { LIMITS } from '@broadsheet/contract';
import { describe, expect, it } from 'vitest';
import { raw } from './raw.ts';
import { serveMemory } from './serve-memory.ts';

/** What a server with its default settings responds to requests with the test key. */
async function start() {
  const { server, memory } = await serveMemory({ clock: { now: () => 1_800_000_000_000 } });
  const headers = { 'X-API-Key': 'test-key', 'Content-Type': 'application/json' };
  const post = async (path: string, body: string) => {
    const response = await fetch(server.url + path, { method: 'POST', headers, body });
    const { error } = (await response.json()) as { readonly error?: { readonly code: string } };
    return { status: response.status, code: error?.code, retryAfter: response.headers.get('retry-after') };
  };
  const deliver = (count: number) => {
    const slots = Array.from({ length: count }, (_, index) => ({ slotId: `slot ${index}`, format: 'BANNER' }));
    return post('/public/ads/formats', JSON.stringify({ slots }));
  };
  return { url: server.url, memory, post, deliver };
}

describe('the default limits', () => {
  it('let a burst of 2,000 ad slots of one IP address pass, and refuse the next until there is room', async () => {
    const { url, deliver } = await start();
    for (let number = 0; number < 100; number += 1) expect((await deliver(20)).status).toBe(200);
    expect(await deliver(1)).toEqual({ status: 429, code: 'RATE_LIMITED', retryAfter: '1' });
    // Neither reads nor reports of viewable ads are limited.
    expect((await fetch(`${url}/public/posts`, { headers: { 'X-API-Key': 'test-key' } })).status).toBe(200);
    expect((await fetch(`${url}/measure/viewable`, { method: 'POST', body: 'x' })).status).toBe(204);
  });

  it('let thousands of reads of one key and IP address pass', async () => {
    const { url } = await start();
    const read = async () => {
      const response = await fetch(`${url}/public/posts`, { headers: { 'X-API-Key': 'test-key' } });
      await response.arrayBuffer();
      return response.status;
    };
    const statuses = [];
    for (let turn = 0; turn < 50; turn += 1) {
      statuses.push(...(await Promise.all(Array.from({ length: 50 }, read))));
    }
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  it(`let a batch of ${LIMITS.slots.max} slots pass, and refuse a longer one`, async () => {
    const { deliver } = await start();
    expect((await deliver(LIMITS.slots.max)).status).toBe(200);
    expect(await deliver(LIMITS.slots.max + 1)).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
  });

  it(`count ${LIMITS.placements} slot ids of a day separately, and fill later ones as well`, async () => {
    const { memory, post } = await start();
    const fill = (slotId: string) => {
      const slots = [{ slotId, format: 'BANNER' }];
      return post('/public/ads/formats', JSON.stringify({ slots }));
    };
    const counted = async () => {
      const figures = await memory.figures('news', { by: ['placement'] });
      return figures.map(({ placement, requests }) => [placement, requests] as const);
    };
    const names = Array.from({ length: LIMITS.placements }, (_, index) => `slot ${index}`);
    for (const name of names) expect((await fill(name)).status).toBe(200);
    expect(new Map(await counted())).toEqual(new Map(names.map((name) => [name, 1] as const)));
    for (const name of ['one more', 'another']) expect((await fill(name)).status).toBe(200);
    expect(new Map(await counted())).toEqual(new Map([...names.map((name) => [name, 1] as const), ['other', 2]]));
  });

  it('let a body of 64 KiB pass, and refuse a larger one', async () => {
    const { post } = await start();
    const batch = '{"slots":[{"slotId":"top","format":"BANNER"}]}';
    const padded = (bytes: number) => batch.padEnd(bytes, ' ');
    expect((await post('/public/ads/formats', padded(LIMITS.body))).status).toBe(200);
    const large = { status: 413, code: 'PAYLOAD_TOO_LARGE' };
    expect(await post('/public/ads/formats', padded(LIMITS.body + 1))).toMatchObject(large);
  });

  it('let headers of 15 KiB pass, and refuse those of more than 16 KiB', async () => {
    const { url } = await start();
    const read = (bytes: number) =>
      raw(
        url,
        `GET /public/tags HTTP/1.1\r\nHost: x\r\nX-API-Key: test-key\r\nConnection: close\r\nA: ${'a'.repeat(bytes)}\r\n\r\n`,
      );
    expect(await read(15 * 1024)).toMatch(/^HTTP\/1.1 200 /);
    expect(await read(16 * 1024)).toMatch(/^HTTP\/1.1 413 /);
  });

  it('let a hundred connections wait without a request, and respond to others', async () => {
    const { url } = await start();
    const { hostname, port } = new URL(url);
    const sockets = await Promise.all(
      Array.from(
        { length: 100 },
        () =>
          new Promise<ReturnType<typeof connect>>((resolve) => {
            const socket = connect(Number(port), hostname, () => resolve(socket));
          }),
      ),
    );
    expect((await fetch(`${url}/public/posts`, { headers: { 'X-API-Key': 'test-key' } })).status).toBe(200);
    for (const socket of sockets) {
      expect(socket.readyState).toBe('open');
      socket.destroy();
    }
  });
});
