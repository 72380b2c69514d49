import { describe, expect, it } from 'vitest';
import { serveMemory } from '../../test/serve-memory.ts';
import type { RateLimits } from './rate-limits.ts';

/** A server whose clock is stopped, so that the buckets gain no tokens. */
async function start(rateLimits: RateLimits) {
  const { server } = await serveMemory({ rateLimits, trustProxy: 1, clock: { now: () => 1_800_000_000_000 } });
  /** The status, the Retry-After and the error message of a request from an IP address. */
  const send = async (address: string, apiKey = 'test-key', path = '/public/posts') => {
    const headers = { 'X-API-Key': apiKey, 'X-Forwarded-For': address };
    const response = await fetch(server.url + path, { headers });
    const body = (await response.json()) as { error?: { code: string; message: string } };
    return [response.status, response.headers.get('retry-after'), body.error?.message];
  };
  const deliver = async (address: string, count: number) => {
    const slots = Array.from({ length: count }, (_, index) => ({ slotId: `slot ${index}`, format: 'BANNER' }));
    const headers = { 'X-API-Key': 'test-key', 'X-Forwarded-For': address, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ slots });
    const response = await fetch(`${server.url}/public/ads/formats`, { method: 'POST', headers, body });
    await response.arrayBuffer();
    return [response.status, response.headers.get('retry-after')];
  };
  const report = async (address: string, method = 'POST') => {
    const headers = { 'X-Forwarded-For': address };
    return (await fetch(`${server.url}/measure/viewable`, { method, headers })).status;
  };
  return { url: server.url, send, deliver, report };
}

describe('limitRates', () => {
  it('the limit of an IP address refuses a flood, and the key still works for everyone else', async () => {
    const { send } = await start({ address: 2, key: 10 });
    for (let turn = 0; turn < 4; turn += 1) expect((await send('192.0.2.1'))[0]).toBe(200);
    for (let turn = 0; turn < 20; turn += 1) {
      expect(await send('192.0.2.1')).toEqual([429, '1', 'This IP address has exceeded its rate limit.']);
    }
    expect((await send('192.0.2.2'))[0]).toBe(200);
  });

  it('the limit of an IP address applies to images and pages separately', async () => {
    const { url, send } = await start({ address: 1 });
    const images = [];
    for (let turn = 0; turn < 3; turn += 1) images.push((await send('192.0.2.1', 'test-key', '/media/none.png'))[0]);
    expect(images).toEqual([404, 404, 429]);
    for (const path of [
      '/docs/',
      '/docs/guides/node',
      '/openapi.json',
      '/llms-full.txt',
      '/errors',
      '/broadsheet.js',
    ]) {
      expect((await fetch(`${url}${path}`, { headers: { 'X-Forwarded-For': '192.0.2.1' } })).status, path).toBe(429);
    }
    for (const path of ['/healthz', '/readyz', '/metrics']) {
      expect((await fetch(`${url}${path}`, { headers: { 'X-Forwarded-For': '192.0.2.1' } })).status, path).toBe(200);
    }
    expect((await send('192.0.2.1'))[0]).toBe(200);
    expect((await send('192.0.2.2', 'test-key', '/media/none.png'))[0]).toBe(404);
  });

  it('the limit of an IP address also applies to guesses of report tokens', async () => {
    const { send } = await start({ address: 2 });
    const statuses = [];
    for (let turn = 0; turn < 6; turn += 1) statuses.push((await send('192.0.2.1', 'test-key', `/report/${turn}`))[0]);
    expect(statuses).toEqual([404, 404, 404, 404, 429, 429]);
    expect((await send('192.0.2.2', 'test-key', '/report/1'))[0]).toBe(404);
  });

  it('the limit of an IP address treats an IPv6 /64 as one address', async () => {
    const { send } = await start({ address: 1 });
    const statuses = [];
    for (const ip of ['2001:db8::1', '2001:db8::2', '2001:db8::3', '2001:db8:0:1::1'])
      statuses.push((await send(ip))[0]);
    expect(statuses).toEqual([200, 200, 429, 200]);
  });

  it('the limit of a key applies to all IP addresses together', async () => {
    const { send } = await start({ key: 1 });
    const responses = [await send('192.0.2.1'), await send('192.0.2.2'), await send('192.0.2.3')];
    expect(responses.map(([status]) => status)).toEqual([200, 200, 429]);
  });

  it('the limit of slots counts each slot of a batch and does not affect reads', async () => {
    const { send, deliver } = await start({ slots: 10 });
    expect(await deliver('192.0.2.1', 19)).toEqual([200, null]);
    expect(await deliver('192.0.2.1', 2)).toEqual([429, '1']);
    expect(await deliver('192.0.2.1', 1)).toEqual([200, null]);
    expect((await send('192.0.2.1', 'test-key', '/public/ads/formats/BANNER'))[0]).toBe(429);
    expect((await send('192.0.2.1'))[0]).toBe(200);
    expect(await deliver('192.0.2.2', 20)).toEqual([200, null]);
    expect((await send('192.0.2.2', 'wrong', '/public/ads/formats/BANNER'))[0]).toBe(401);
  });

  it('a batch above the limit of slots is delivered once, and the next request has to wait', async () => {
    const { deliver } = await start({ slots: 5 });
    expect(await deliver('192.0.2.1', 20)).toEqual([200, null]);
    expect(await deliver('192.0.2.1', 1)).toEqual([429, '3']);
  });

  it.each<RateLimits>([{ slots: 1 }, { key: 1 }, { key: 1, slots: 1 }, {}])(
    'with %j, reports of viewable ads are received before, while and after deliveries are refused',
    async (rateLimits) => {
      const { deliver, report } = await start(rateLimits);
      const isLimited = Object.keys(rateLimits).length > 0;
      for (const delivered of [200, 200, isLimited ? 429 : 200, isLimited ? 429 : 200]) {
        expect(await report('192.0.2.1')).toBe(204);
        expect(await report('192.0.2.1', 'GET')).toBe(405);
        expect((await deliver('192.0.2.1', 1))[0]).toBe(delivered);
        expect(await report('192.0.2.1')).toBe(204);
      }
    },
  );

  it('only the limit of an IP address also applies to reports of viewable ads', async () => {
    const { report } = await start({ address: 1 });
    expect([await report('192.0.2.1'), await report('192.0.2.1'), await report('192.0.2.1')]).toEqual([204, 204, 429]);
    expect(await report('192.0.2.2')).toBe(204);
  });
});
