import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test, vi } from 'vitest';
import { serveMemory } from '../../../http/test/serve-memory.ts';
import { remoteWorld } from '../control/remote-world.ts';
import { createMock } from '../node.ts';

test('the API responds over HTTP, each key in its own world', async () => {
  const mock = createMock({ baseUrl: 'https://api.example/v1' });
  await using server = await mock.listen();
  const world = mock.world();
  const get = (path: string, key = world.apiKey) => fetch(`${server.url}${path}`, { headers: { 'X-API-Key': key } });
  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
  expect((await get('/public/posts')).status).toBe(200);
  expect((await get('/public/posts', 'nobody')).status).toBe(401);
  world.fail('posts.list', 'reset');
  await expect(get('/public/posts')).rejects.toThrow(TypeError);
  world.fail('tags.list', 'cut');
  const cut = await get('/public/tags');
  await expect(cut.text()).rejects.toThrow();
  expect(world.calls['posts.list']).toHaveLength(2);
});

test('over HTTP, the IP address of a visitor is set by the test, then by X-Forwarded-For, and then by the connection', async () => {
  const mock = createMock();
  await using server = await mock.listen();
  const { main: world } = mock;
  world.put({ ads: [{ id: '11111111-1111-4111-8111-111111111111', format: 'POPUP', priority: 99 }] });
  const headers = { 'X-API-Key': world.apiKey, 'Content-Type': 'application/json' };
  const clicks = async (more: Record<string, string> = {}) => {
    const init = { headers: { ...headers, ...more } };
    const { id, clickToken } = await (await fetch(`${server.url}/public/ads/formats/POPUP`, init)).json();
    const body = JSON.stringify({ clickToken });
    await fetch(`${server.url}/public/ads/tracking/click`, { ...init, method: 'POST', body });
    return world.ad(id).clicks;
  };
  expect([await clicks(), await clicks()]).toEqual([1, 1]);
  for (const [index, ip] of ['198.51.100.1', '198.51.100.2', '2001:db8::1'].entries()) {
    world.visitAs({ ip });
    expect([await clicks(), await clicks()]).toEqual([2 + index, 2 + index]);
  }
  // A proxy appends the IP address, and some add its port; other values are ignored, as by the server.
  expect(await clicks({ 'X-Forwarded-For': '198.51.100.2, 198.51.100.9:4711' })).toBe(5);
  expect(await clicks({ 'X-Forwarded-For': '198.51.100.9' })).toBe(5);
  expect(await clicks({ 'X-Forwarded-For': '[2001:db8::1]:4711' })).toBe(5);
  expect(await clicks({ 'X-Forwarded-For': 'unknown' })).toBe(5);
});

test('an error in a function of the test is printed, and the connection closes', async () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  try {
    const mock = createMock();
    await using server = await mock.listen();
    mock.main.answer('tags.list', () => {
      throw new TypeError('a slip in the test');
    });
    const get = () => fetch(`${server.url}/public/tags`, { headers: { 'X-API-Key': mock.main.apiKey } });
    await expect(get()).rejects.toThrow(TypeError);
    expect(error.mock.calls).toEqual([
      ['mock: GET /public/tags failed:', expect.objectContaining({ message: 'a slip in the test' })],
    ]);
    mock.main.fail('tags.list', 'cut');
    await expect(get().then((response) => response.text())).rejects.toThrow();
    mock.main.hold('tags.list');
    const held = get();
    await expect.poll(() => mock.main.unfinished().join()).toMatch(/responses held by .*: 1/);
    mock.main.reset();
    await expect(held).rejects.toThrow();
    expect(error.mock.calls).toHaveLength(1);
  } finally {
    error.mockRestore();
  }
});

test.each([
  ['0.0.0.0', /^http:\/\/127\.0\.0\.1:/],
  ['::', /^http:\/\/\[::1\]:/],
  ['::1', /^http:\/\/\[::1\]:/],
  ['localhost', /^http:\/\/localhost:/],
])('the URL of a mock on %s reaches it, and its control plane', async (host, url) => {
  await using server = await createMock().listen({ host });
  expect(server.url).toMatch(url);
  expect((await remoteWorld(server.url)).name).toBe('world-1');
});

test('a port that is taken is an error', async () => {
  const mock = createMock();
  await using server = await mock.listen();
  await expect(mock.listen({ port: server.port })).rejects.toThrow(
    /port \d+ of 127.0.0.1: it is taken; choose another/,
  );
});

async function sendRaw(port: number, text: string): Promise<{ status: string; error: unknown }> {
  const socket = connect(port, '127.0.0.1');
  socket.write(text);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => void chunks.push(chunk));
  socket.on('error', () => undefined);
  await once(socket, 'close');
  const response = Buffer.concat(chunks).toString();
  const {
    requestId: _,
    docs: __,
    ...error
  } = (JSON.parse(response.split('\r\n\r\n')[1] || '{}').error ?? {}) as Record<string, unknown>;
  return { status: response.split('\r\n')[0] ?? '', error };
}

const KEY = 'X-API-Key: test-key';
const POST = 'POST /public/ads/formats HTTP/1.1\r\nHost: a\r\nConnection: close\r\n';
test.each([
  ['a whole URL', `GET http://other.example/public/tags HTTP/1.1\r\nHost: a\r\n${KEY}\r\nConnection: close\r\n\r\n`],
  ['a URL without a host', `GET http://[ HTTP/1.1\r\nHost: a\r\n${KEY}\r\nConnection: close\r\n\r\n`],
  ['an asterisk', `OPTIONS * HTTP/1.1\r\nHost: a\r\n${KEY}\r\nConnection: close\r\n\r\n`],
  ['an asterisk with GET', `GET * HTTP/1.1\r\nHost: a\r\n${KEY}\r\nConnection: close\r\n\r\n`],
  ['a bad host', `GET /public/tags HTTP/1.1\r\nHost: a b\r\n${KEY}\r\nConnection: close\r\n\r\n`],
  ['no host', `GET /public/tags HTTP/1.1\r\n${KEY}\r\nConnection: close\r\n\r\n`],
  ['two hosts', `GET /public/tags HTTP/1.1\r\nHost: a\r\nHost: b\r\n${KEY}\r\nConnection: close\r\n\r\n`],
  ['a backslash', `GET /public\\tags HTTP/1.1\r\nHost: a\r\n${KEY}\r\nConnection: close\r\n\r\n`],
  ['large headers', `GET /public/tags HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
  ['no HTTP', 'HELLO\r\n\r\n'],
  ['CONNECT', 'CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n'],
  [
    'two types',
    `${POST}${KEY}\r\nContent-Type: application/json\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}`,
  ],
])('the mock over HTTP responds as the server does: %s', async (_, text) => {
  await using mock = await createMock({ main: { apiKey: 'test-key' } }).listen();
  const { server } = await serveMemory();
  const [ours, theirs] = [await sendRaw(mock.port, text), await sendRaw(Number(new URL(server.url).port), text)];
  expect(ours).toEqual(theirs);
  expect(ours.status).toMatch(/^HTTP\/1.1 [245]\d\d /);
});

test('the OpenAPI document needs no key', async () => {
  await using server = await createMock({ baseUrl: 'https://api.example/v1' }).listen();
  for (const url of [`${server.url}/openapi.json`, `http://127.0.0.1:${server.port}/openapi.json`]) {
    const response = await fetch(url);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(await response.json()).toMatchObject({ openapi: '3.1.0', servers: [{ url: server.url }] });
  }
});
