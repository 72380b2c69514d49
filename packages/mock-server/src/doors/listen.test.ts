import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { serveMemory } from '../../../http/test/serve-memory.ts';
import { createMock } from '../node.ts';

test('the API answers over HTTP, each key in its own world', async () => {
  const mock = createMock({ baseUrl: 'https://api.example/v1' });
  await using server = await mock.listen();
  const world = mock.world();
  const get = (path: string, key = world.apiKey) => fetch(`${server.url}${path}`, { headers: { 'X-API-Key': key } });
  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
  expect((await get('/public/posts')).status).toBe(200);
  expect((await get('/public/posts', 'nobody')).status).toBe(401);
  world.disrupt('posts.list', 'reset');
  await expect(get('/public/posts')).rejects.toThrow(TypeError);
  world.disrupt('tags.list', 'cut');
  const cut = await get('/public/tags');
  await expect(cut.text()).rejects.toThrow();
  expect(world.calls['posts.list']).toHaveLength(2);
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
  const answer = Buffer.concat(chunks).toString();
  const {
    requestId: _,
    docs: __,
    ...error
  } = (JSON.parse(answer.split('\r\n\r\n')[1] || '{}').error ?? {}) as Record<string, unknown>;
  return { status: answer.split('\r\n')[0] ?? '', error };
}

const KEY = 'X-API-Key: test-key';
const POST = 'POST /public/ads/formats HTTP/1.1\r\nHost: a\r\nConnection: close\r\n';
test.each([
  ['a whole URL', `GET http://other.example/public/tags HTTP/1.1\r\nHost: a\r\n${KEY}\r\nConnection: close\r\n\r\n`],
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
])('the mock over HTTP answers as the server does: %s', async (_, text) => {
  await using mock = await createMock({ main: { apiKey: 'test-key' } }).listen();
  const { server } = await serveMemory();
  const [ours, theirs] = [await sendRaw(mock.port, text), await sendRaw(Number(new URL(server.url).port), text)];
  expect(ours).toEqual(theirs);
  expect(ours.status).toMatch(/^HTTP\/1.1 [245]\d\d /);
});

test('the OpenAPI document needs no key', async () => {
  await using server = await createMock({ baseUrl: 'https://api.example/v1' }).listen();
  for (const url of [`${server.url}/openapi.json`, `http://127.0.0.1:${server.port}/openapi.json`]) {
    const answer = await fetch(url);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(await answer.json()).toMatchObject({ openapi: '3.1.0', servers: [{ url: server.url }] });
  }
});
