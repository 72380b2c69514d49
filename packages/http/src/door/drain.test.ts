import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { drain } from './drain.ts';

const LONG = 60_000;
const get = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';

/** A server with a connection that has had one response and is idle. */
async function serverWithIdleConnection(): Promise<{ server: Server; socket: Socket }> {
  const server = createServer((_, outgoing) => outgoing.end('fine')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => server.closeAllConnections());
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(get);
  await once(socket, 'data');
  return { server, socket };
}

it('a request on an idle connection gets a response with Connection: close', async () => {
  const { server, socket } = await serverWithIdleConnection();
  const drained = drain(server, { least: 0, idle: LONG, all: LONG });
  const port = connect((socket.remotePort ?? 0) as number, '127.0.0.1');
  expect(await once(port, 'error')).toMatchObject([{ code: 'ECONNREFUSED' }]);
  socket.write(get);
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*Connection: close\r\n[\s\S]*fine/);
  await drained;
});

it('idle connections are closed after the idle time', async () => {
  const { server, socket } = await serverWithIdleConnection();
  await Promise.all([drain(server, { least: 0, idle: 1, all: LONG }), once(socket, 'close')]);
});

it('requests that do not end are cut off', async () => {
  const { server, socket } = await serverWithIdleConnection();
  server.removeAllListeners('request');
  socket.on('error', () => {}).write(get);
  await once(server, 'request');
  await Promise.all([drain(server, { least: 0, idle: 1, all: 2 }), once(socket, 'close')]);
});
