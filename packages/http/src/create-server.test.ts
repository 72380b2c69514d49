import { once } from 'node:events';
import { connect } from 'node:net';
import { ErrorEnvelope, validate } from '@broadsheet/contract/schemas';
import { StoreUnavailable } from '@broadsheet/core';
import { describe, expect, it } from 'vitest';
import { freePort } from '../../../tools/testing/site.ts';
import { memoryServerStore } from '../test/memory-server-store.ts';
import { raw } from '../test/raw.ts';
import { serveMemory } from '../test/serve-memory.ts';
import type { ServerOptions } from './server-options.ts';

const start = async (options?: Partial<ServerOptions>): Promise<string> => (await serveMemory(options)).server.url;

const key = { 'X-API-Key': 'test-key' };

function expectEnvelope(body: unknown, status: number): void {
  const result = validate(ErrorEnvelope, body);
  expect(result).toMatchObject({ ok: true, value: { error: { statusCode: status } } });
}

describe('the API', () => {
  it('the API responds over a socket, with links to its own error pages', async () => {
    const url = await start();
    const posts = await fetch(`${url}/public/posts`, { headers: key });
    expect(await posts.json()).toMatchObject({ success: true, data: [{ id: 'p1' }] });

    const refused = await fetch(`${url}/public/posts`);
    expect(refused.status).toBe(401);
    const { error } = (await refused.json()) as ErrorEnvelope;
    expect(error.docs).toBe(`${url}/errors/UNAUTHORIZED`);
    expect((await fetch(error.docs)).status).toBe(200);
  });

  it('the host :: serves readers with IPv4 and with IPv6', async () => {
    const { port } = new URL(await start({ host: '::' }));
    for (const host of ['127.0.0.1', '[::1]'])
      expect((await fetch(`http://${host}:${port}/public/posts`, { headers: key })).status).toBe(200);
  });

  it('a click token is counted once under concurrent requests', async () => {
    const url = await start();
    const { clickToken } = (await (await fetch(`${url}/public/ads/formats/BANNER`, { headers: key })).json()) as {
      clickToken: string;
    };
    const click = () =>
      fetch(`${url}/public/ads/tracking/click`, {
        method: 'POST',
        headers: { ...key, 'Content-Type': 'application/json' },
        body: JSON.stringify({ clickToken }),
      });
    const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await click()).status));
    expect(statuses.toSorted()).toEqual([200, ...Array<number>(19).fill(409)]);
  });

  it('a body above 64 KiB is refused, with or without Content-Length', async () => {
    const url = await start();
    const body = JSON.stringify({ clickToken: 'x'.repeat(70_000) });
    const headers = { ...key, 'Content-Type': 'application/json' };
    const declared = await fetch(`${url}/public/ads/tracking/click`, { method: 'POST', headers, body });
    expect(declared.status).toBe(413);
    const chunked = await fetch(`${url}/public/ads/tracking/click`, {
      method: 'POST',
      headers,
      body: new Blob([body]).stream(),
      duplex: 'half',
    } as RequestInit);
    expect(chunked.status).toBe(413);
    expectEnvelope(await chunked.json(), 413);
  });

  it('the requests of a key are limited', async () => {
    const url = await start({ rateLimits: { key: 1 }, clock: { now: () => 0 } });
    const responses = [];
    for (let count = 0; count < 3; count += 1) responses.push(await fetch(`${url}/public/posts`, { headers: key }));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(responses[2]?.headers.get('retry-after')).toBe('1');
  });
});

describe('invalid HTTP', () => {
  it.each([
    ['no HTTP at all', 'hello\r\n\r\n', 400],
    ['a space in the target', 'GET /a b HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['a target that is not a path', 'GET nowhere HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['an invalid Host', 'GET /public/posts HTTP/1.1\r\nHost: a b/c\r\nConnection: close\r\n\r\n', 400],
    ['no Host at all', 'GET /public/posts HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['two Hosts', 'GET /public/posts HTTP/1.1\r\nHost: x\r\nHost: x\r\nConnection: close\r\n\r\n', 400],
    ['a CONNECT', 'CONNECT x.example:1 HTTP/1.1\r\nHost: x\r\n\r\n', 405],
    ['an unknown Expect', 'GET /nowhere HTTP/1.1\r\nHost: x\r\nExpect: luck\r\nConnection: close\r\n\r\n', 401],
    ['endless headers', `GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`, 413],
  ])('%s gets the error envelope', async (_, bytes, status) => {
    const response = await raw(await start(), bytes);
    expect(response).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expectEnvelope(JSON.parse(response.slice(response.indexOf('{'))), status);
  });
});

describe('operations', () => {
  it('a server is healthy, and it is ready while its database responds', async () => {
    let away = false;
    const { store } = memoryServerStore({
      check: () => {
        if (away) throw new StoreUnavailable('gone');
      },
      findBlog: () => {
        throw new StoreUnavailable('gone');
      },
    });
    let now = 0;
    const url = await start({ store, clock: { now: () => now } });
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    away = true;
    now += 1000;
    const unready = await fetch(`${url}/readyz`);
    expect(unready.status).toBe(503);
    expect(unready.headers.get('retry-after')).toBe('1');
    const unavailable = await fetch(`${url}/public/posts`, { headers: key });
    expect(unavailable.status).toBe(503);
    expect(unavailable.headers.get('retry-after')).toBe('1');
    expectEnvelope(await unavailable.json(), 503);
    away = false;
    now += 1000;
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  });

  it('/readyz checks the database once for all callers and shares the result for one second', async () => {
    let now = 0;
    let checks = 0;
    const held = Promise.withResolvers<void>();
    const check = () => {
      checks += 1;
      return held.promise;
    };
    const { server } = await serveMemory({ clock: { now: () => now } }, { check });
    const ready = async () => (await fetch(`${server.url}/readyz`)).status;
    const callers = Array.from({ length: 20 }, ready);
    // This request came last: when it has its response, all of the others have arrived.
    await fetch(`${server.url}/healthz`);
    held.resolve();
    expect(await Promise.all(callers)).toEqual(Array(20).fill(200));
    expect(checks).toBe(1);
    now = 999;
    expect([await ready(), checks]).toEqual([200, 1]);
    now = 1000;
    expect([await ready(), checks]).toEqual([200, 2]);
  });

  it('the metrics name the busiest blogs', async () => {
    const { server, memory } = await serveMemory();
    for (let number = 0; number < 25; number += 1) {
      memory.putBlog({ id: `blog-${number}`, name: 'B', apiKeys: [`key-${number}`] }, 0);
      for (let count = 0; count <= number; count += 1)
        await fetch(`${server.url}/public/tags`, { headers: { 'x-api-key': `key-${number}` } });
    }
    await fetch(`${server.url}/public/ads/formats/BANNER`, { headers: key });
    const text = await (await fetch(`${server.url}/metrics`)).text();
    expect(text).toContain('broadsheet_blog_requests_total{blog="blog-24"} 25');
    expect(text.match(/^broadsheet_blog_requests_total\{/gm)).toHaveLength(20);
    expect(text).not.toContain('blog="blog-3"');
    expect(text).toContain('broadsheet_blog_impressions_total{blog="news"} 1');
  });

  it.each([
    '/./metrics',
    '/x/../metrics',
    '/%2e/metrics',
    '/x/%2E./metrics',
    '/\\metrics',
    '/x\\..\\metrics',
    '/docs/..',
  ])('a proxy that blocks a path is not circumvented by %s', async (path) => {
    const response = await raw(await start(), `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(response).toMatch(/^HTTP\/1.1 400 /);
    expectEnvelope(JSON.parse(response.slice(response.indexOf('{'))), 400);
  });

  it('/metrics counts requests, impressions and durations for Prometheus', async () => {
    const url = await start();
    await fetch(`${url}/public/ads/formats/BANNER`, { headers: key });
    await fetch(`${url}/public/posts`);
    const text = await (await fetch(`${url}/metrics`)).text();
    expect(text).toContain('broadsheet_requests_total{endpoint="ads.deliver",status="200"} 1');
    expect(text).toContain('broadsheet_requests_total{endpoint="none",status="401"} 1');
    expect(text).toContain('broadsheet_impressions_total 1');
    expect(text).toContain('broadsheet_request_duration_seconds_count{endpoint="ads.deliver"} 1');
    expect(text).toMatch(/broadsheet_request_duration_seconds_sum\{endpoint="ads.deliver"\} \d/);
  });

  it('with an operations port, metrics and documentation are served only there, and health on both', async () => {
    const { server } = await serveMemory({ ops: { port: 0 } });
    const { url, opsUrl = '' } = server;
    const paths = ['/metrics', '/docs/', '/openapi.json', '/llms.txt', '/healthz', '/readyz'];
    const statuses = async (base: string) =>
      Promise.all(
        [...paths, '/errors/NOT_FOUND', '/broadsheet.css'].map(async (path) => (await fetch(base + path)).status),
      );
    expect(await statuses(opsUrl)).toEqual([200, 200, 200, 200, 200, 200, 200, 200]);
    expect(await statuses(url)).toEqual([401, 401, 401, 401, 200, 200, 200, 200]);
    expect((await fetch(`${url}/`, { headers: { accept: 'text/html' } })).status).toBe(404);
    expect((await fetch(`${url}/public/posts`, { headers: key })).status).toBe(200);
    const api = await fetch(`${opsUrl}/public/posts`, { headers: key });
    expect([api.status, await api.json()]).toMatchObject([404, { error: { code: 'NO_SUCH_ENDPOINT' } }]);
    await server.close();
    await expect(fetch(`${opsUrl}/healthz`)).rejects.toThrow();
  });

  it('a start that fails because the operations port is taken leaves no port open', async () => {
    const { server } = await serveMemory();
    const taken = Number(new URL(server.url).port);
    const port = await freePort();
    await expect(serveMemory({ port, ops: { port: taken } })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow();
  });

  it('the server closes a connection after a malformed request, even if the client never closes its end', async () => {
    const { server } = await serveMemory();
    const { hostname, port } = new URL(server.url);
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    socket.write('hello\r\n\r\n');
    socket.resume();
    await once(socket, 'end');
    // It resolves when the last connection is closed.
    await server.close();
    socket.destroy();
  });

  it.each([
    '/public/x/../posts/p1',
    '/public/x\\..\\posts/p1',
    '/public/./posts/p1',
    '/public/%2E%2e/public/posts/p1',
    '/public/posts/p1/..',
    'http://x/public/x/../posts/p1',
    '/docs/../metrics',
    '/panel/../metrics',
    '/..?x',
    '/measure/../measure/viewable',
  ])('the path %s is refused, because a URL parser would change it', async (path) => {
    const url = await start();
    const response = await raw(url, `GET ${path} HTTP/1.1\r\nhost: x\r\nx-api-key: test-key\r\n\r\n`);
    expect(response).toMatch(/^HTTP\/1.1 400 /);
    expect(response).toContain('dot segments');
  });

  it('dots in a name and in a query are not dot segments', async () => {
    const url = await start();
    for (const path of ['/public/posts/..a', '/public/posts/a..', '/public/posts/...', '/public/search?q=/../x\\'])
      expect(await raw(url, `GET ${path} HTTP/1.0\r\nx-api-key: test-key\r\n\r\n`)).toMatch(/^HTTP\/1.1 (404|200) /);
  });

  it('a server that closes finishes the requests in flight', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const deliver = async () => {
      await held;
      return { outcome: 'counted' as const, adIds: [] };
    };
    const { server } = await serveMemory({}, { deliver });
    const { url } = server;
    const response = fetch(`${url}/public/ads/formats/BANNER`, { headers: key });
    await fetch(`${url}/healthz`);
    const closing = server.close();
    release();
    expect((await response).status).toBe(200);
    await closing;
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  });
});
