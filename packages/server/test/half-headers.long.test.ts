import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { TEST_BLOG } from '../../http/test/memory-server-store.ts';
import { serve } from './broadsheet.ts';

it('clients that never finish their headers are disconnected and do not delay other clients', async () => {
  const cwd = await temporaryFolder().write({ 'blog.json': JSON.stringify({ blogs: [TEST_BLOG] }) });
  const server = await serve(['--import', 'blog.json'], { cwd, openFiles: 128 });
  onTestFinished(async () => void (await server.stop()));
  const { hostname, port } = new URL(server.url);
  // Like an attacker's connections, they never close their end.
  const sockets = Array.from({ length: 150 }, () => {
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    socket.on('error', () => {}).write('GET /public/posts HTTP/1.1\r\nHost: blog.exam');
    return { connected: once(socket, 'connect'), response: text(socket).catch(() => 'refused') };
  });
  await Promise.all(sockets.map(({ connected }) => connected));
  const read = () => fetch(`${server.url}/public/posts`, { headers: { 'X-API-Key': 'test-key' } });
  await expect.poll(async () => (await read().catch(() => undefined))?.status).toBe(200);
  const responses = await Promise.all(sockets.map(({ response }) => response));
  expect(responses.filter((response) => response.startsWith('HTTP/1.1 400 ')).length).toBeGreaterThan(32);
  const openFiles = async () =>
    Number(/^process_open_fds (\d+)$/m.exec(await (await fetch(`${server.url}/metrics`)).text())?.[1]);
  // If the server did not destroy its ends, 64 of these would be sockets of the clients.
  await expect.poll(openFiles, { timeout: 10_000 }).toBeLessThan(64);
});
