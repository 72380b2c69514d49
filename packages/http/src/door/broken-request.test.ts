import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { listenToAll } from './broken-request.ts';

/** A client that has sent a request and reads nothing, and its socket in the server, which is checked every 10 ms. */
async function start(listener: RequestListener, request: string) {
  const server = createServer();
  listenToAll(server, 'https://docs.example', listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  onTestFinished(() => {
    client.destroy();
    server.close();
  });
  client.on('error', () => {});
  client.write(request);
  const [, outgoing] = await once(server, 'request');
  const { socket } = outgoing as { readonly socket: Socket };
  expect(socket.timeout).toBe(30_000);
  return { client, socket: socket.setTimeout(10) };
}

const LARGE = Buffer.alloc(32 * 1024 * 1024);

it('the connection is closed if the client does not read its response', async () => {
  const { client, socket } = await start((_, outgoing) => outgoing.end(LARGE), 'GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  await once(socket, 'close');
  expect(client.bytesRead).toBeLessThan(LARGE.length);
});

it('the connection stays open while a request arrives slowly or a response takes long', async () => {
  const request = 'POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 2\r\n\r\n';
  const { client, socket } = await start((incoming, outgoing) => {
    incoming.resume().once('end', () => socket.once('timeout', () => outgoing.end('done')));
  }, request);
  await once(socket, 'timeout');
  client.write('a');
  await once(socket, 'timeout');
  client.write('b');
  const parts = await client.resume().toArray();
  expect(Buffer.concat(parts).toString()).toMatch(/done$/);
});

it('a pipelined request waits until the response before it was sent', async () => {
  const served: (string | undefined)[] = [];
  const server = createServer();
  const arrived: string[] = [];
  let first: ServerResponse | undefined;
  listenToAll(server, 'https://docs.example', ({ url }, outgoing) => {
    served.push(url);
    if (url === '/1') first = outgoing;
    else outgoing.end(url);
  });
  const both = new Promise<void>((resolve) => {
    server.on('request', ({ url }) => arrived.push(url ?? '') === 2 && resolve());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => void server.close());
  const head = 'HTTP/1.1\r\nhost: x\r\n';
  client.write(`GET /1 ${head}\r\nGET /2 ${head}connection: close\r\n\r\n`);
  await both;
  expect(served).toEqual(['/1']);
  first?.end('/1');
  expect(Buffer.concat(await client.toArray()).toString()).toMatch(/\/1.*HTTP.*\/2$/s);
  expect(served).toEqual(['/1', '/2']);
});
