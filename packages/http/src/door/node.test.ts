import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Encoded, type Store } from '@broadsheet/core';
import { describe, expect, it } from 'vitest';
import { serveMemory } from '../../test/serve-memory.ts';
import type { Logger } from '../ops/log.ts';
import type { ServerOptions } from '../server-options.ts';
import { createClientIp, isAddressRange, type TrustedProxies } from './node.ts';

async function start(changes: Partial<Store> = {}, options: Partial<ServerOptions> = {}) {
  const { server, memory } = await serveMemory(options, changes);
  const { hostname, port } = new URL(server.url);
  return { memory, url: server.url, open: () => connect(Number(port), hostname) };
}

interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Reads the responses on a socket one by one; returns `undefined` if the socket was closed instead. */
function responsesOf(socket: Socket): (method?: string) => Promise<RawResponse | undefined> {
  let received = '';
  let ended = false;
  socket.setEncoding('latin1');
  socket.on('data', (text) => (received += text));
  socket.on('error', () => {});
  socket.on('close', () => (ended = true));
  return async (method = 'GET') => {
    for (;;) {
      const end = received.indexOf('\r\n\r\n');
      const head = received.slice(0, end);
      const length = method === 'HEAD' ? 0 : Number(/\r\ncontent-length: (\d+)/.exec(head)?.[1] ?? 0);
      if (end !== -1 && received.length >= end + 4 + length) {
        const [first = '', ...lines] = head.split('\r\n');
        const headers = Object.fromEntries(lines.map((line) => line.split(': ')));
        const body = received.slice(end + 4, end + 4 + length);
        received = received.slice(end + 4 + length);
        return { status: Number(first.split(' ')[1]), headers, body };
      }
      if (ended) return undefined;
      await Promise.race([once(socket, 'data'), once(socket, 'close')]);
    }
  };
}

const get = (path = '/public/posts/p1', more = '') =>
  `GET ${path} HTTP/1.1\r\nhost: x\r\nx-api-key: test-key\r\n${more}\r\n`;
const slots = JSON.stringify({ slots: [{ slotId: 'a', format: 'BANNER' }] });
const post = (framing: string) =>
  `POST /public/ads/formats HTTP/1.1\r\nhost: x\r\nx-api-key: test-key\r\ncontent-type: application/json\r\n${framing}\r\n\r\n`;
const sized = (length: number) => post(`content-length: ${length}`);
const chunked = post('transfer-encoding: chunked');
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
const codeOf = (response: RawResponse | undefined) => response && JSON.parse(response.body).error.code;

const owned = (bytes: Uint8Array<ArrayBuffer>) => ({ chunks: [bytes], owned: true });

describe('requests on one connection', () => {
  it('pipelined requests get their responses in order', async () => {
    const { open } = await start();
    const socket = open();
    const next = responsesOf(socket);
    socket.write(
      get('/public/posts/p1') + sized(slots.length) + slots + get('/public/posts/none') + get('/public/tags'),
    );
    expect(JSON.parse((await next())?.body ?? '').data.id).toBe('p1');
    expect(JSON.parse((await next())?.body ?? '')).toMatchObject([{ slotId: 'a', filled: true }]);
    expect((await next())?.status).toBe(404);
    expect(JSON.parse((await next())?.body ?? '').data).toEqual([]);
    socket.destroy();
  });

  it('HEAD returns the headers of GET, and the connection stays usable', async () => {
    const { open } = await start();
    const socket = open();
    const next = responsesOf(socket);
    socket.write(get());
    const whole = await next();
    socket.write(get().replace('GET', 'HEAD') + get());
    const head = await next('HEAD');
    expect(head?.headers['content-length']).toBe(whole?.headers['content-length']);
    expect((await next())?.body).toBe(whole?.body);
    socket.destroy();
  });

  it('a header that is sent twice is combined as HTTP defines', async () => {
    const { open } = await start();
    const socket = open();
    const next = responsesOf(socket);
    socket.write(get('/public/posts/p1', 'X-Api-Key: test-key\r\n'));
    expect(codeOf(await next())).toBe('UNAUTHORIZED');
    socket.write(get());
    const etag = (await next())?.headers['etag'];
    socket.write(get('/public/posts/p1', `If-None-Match: "other"\r\nif-none-match: ${etag}\r\n`));
    expect((await next())?.status).toBe(304);
    socket.destroy();
  });

  it('two Host headers are refused, even if they are equal', async () => {
    const { open } = await start();
    const socket = open();
    const next = responsesOf(socket);
    socket.write(get('/public/posts/p1', 'HOST: x\r\n'));
    expect([await next()].map((response) => [response?.status, codeOf(response)])).toEqual([[400, 'VALIDATION_ERROR']]);
  });

  it('a cached response keeps every byte, whether short or long', async () => {
    const json = (length: number) => new TextEncoder().encode(`{"title":"Größe €","content":"${'ö'.repeat(length)}"}`);
    for (const length of [10, 20_000]) {
      const { url } = await start({ getPost: () => new Encoded(owned(json(length))) });
      const read = async () => (await fetch(`${url}/public/posts/p1`, { headers: { 'x-api-key': 'test-key' } })).text();
      const first = await read();
      expect(first).toContain('Größe €');
      expect([await read(), await read(), await read()]).toEqual([first, first, first]);
    }
  });

  it('encoded JSON from a store is sent in the envelope', async () => {
    const json = '{"id":"p1","title":"é"}';
    const { open } = await start({ getPost: () => new Encoded(owned(new TextEncoder().encode(json))) });
    const socket = open();
    const next = responsesOf(socket);
    // The third response comes from the cache.
    for (let turn = 0; turn < 3; turn += 1) {
      socket.write(get());
      const body = Buffer.from((await next())?.body ?? '', 'latin1').toString();
      expect(body).toBe(`{"success":true,"data":${json}}`);
    }
    socket.write(get().replace('GET', 'HEAD'));
    expect((await next('HEAD'))?.headers['content-length']).toBe(String(Buffer.byteLength(json) + 24));
    socket.destroy();
  });
});

it('the memory of sent chunks is freed only if they are owned', async () => {
  const bytes = () => new TextEncoder().encode(JSON.stringify({ id: 'p1', title: 'x'.repeat(10_000) }));
  const [shared, own] = [bytes(), bytes()];
  const responses = [{ chunks: [shared], owned: false }, owned(own), { chunks: [shared], owned: false }];
  const { open } = await start({ getPost: () => new Encoded(responses.shift() ?? '') });
  const socket = open();
  const next = responsesOf(socket);
  for (const id of [0, 1, 2]) {
    socket.write(get(`/public/posts/${id}`));
    expect(JSON.parse((await next())?.body ?? '').data.id).toBe('p1');
  }
  socket.destroy();
  expect([shared.byteLength, own.byteLength]).toEqual([bytes().byteLength, 0]);
});

it('a response is kept until a slow reader has received it', async () => {
  const content = Array.from({ length: 1_000_000 }, (_, index) => index.toString(36)).join(' ');
  const json = JSON.stringify({ id: 'p1', content });
  const { open } = await start({ getPost: () => new Encoded(owned(new TextEncoder().encode(json))) });
  const socket = open();
  const chunks: Buffer[] = [];
  socket.write(get('/public/posts/p1', 'connection: close\r\n'));
  // The server has begun to send, and nothing was read from the socket yet.
  await once(socket, 'readable');
  socket.on('data', (chunk) => chunks.push(chunk)).resume();
  await once(socket, 'close');
  const response = Buffer.concat(chunks).toString();
  expect(response.slice(response.indexOf('\r\n\r\n') + 4) === `{"success":true,"data":${json}}`).toBe(true);
});

describe('bodies', () => {
  it('a request without a body is treated as one with an empty body', async () => {
    const { open } = await start();
    const socket = open();
    const next = responsesOf(socket);
    socket.write(post('x-none: 1') + get());
    const response = await next();
    expect([codeOf(response), response?.body]).toEqual(['INVALID_JSON', expect.stringContaining('it is empty')]);
    expect((await next())?.status).toBe(200);
    socket.destroy();
  });

  it('a body may arrive slowly in chunks', async () => {
    const { open, memory, url } = await start();
    const socket = open();
    const next = responsesOf(socket);
    socket.write(chunked + chunk(slots.slice(0, 10)));
    // When this has its response, the server has read everything that was sent before.
    await fetch(url);
    expect(memory.figures('news', { by: [] })).toEqual([]);
    socket.write(chunk(slots.slice(10)));
    socket.write('0\r\n\r\n');
    expect((await next())?.status).toBe(200);
    expect(memory.figures('news', { by: [] })).toMatchObject([{ delivered: 1 }]);
    socket.destroy();
  });

  it('a client that expects 100 Continue receives it', async () => {
    const { open } = await start();
    const socket = open();
    const next = responsesOf(socket);
    socket.write(post(`content-length: ${slots.length}\r\nexpect: 100-continue`));
    expect((await next())?.status).toBe(100);
    socket.write(slots);
    expect((await next())?.status).toBe(200);
    socket.destroy();
  });

  it('a body above the limit is refused before it has arrived, and the next request gets a response', async () => {
    const { open } = await start();
    const socket = open();
    const next = responsesOf(socket);
    socket.write(sized(70_000) + 'x'.repeat(100));
    expect(codeOf(await next())).toBe('PAYLOAD_TOO_LARGE');
    socket.write('x'.repeat(69_900) + get());
    expect((await next())?.status).toBe(200);
    socket.write(chunked + chunk('x'.repeat(70_000)));
    expect(codeOf(await next())).toBe('PAYLOAD_TOO_LARGE');
    socket.write(`0\r\n\r\n${get()}`);
    expect((await next())?.status).toBe(200);
    socket.destroy();
  });

  it.each([
    ['with its length', sized(slots.length) + slots.slice(0, 20)],
    ['in chunks', chunked + chunk(slots.slice(0, 20))],
  ])('a truncated body sent %s counts nothing', async (_, bytes) => {
    const { open, memory, url } = await start();
    const half = open();
    const next = responsesOf(half);
    half.end(bytes);
    expect((await next())?.status ?? 'closed').toSatisfy((status) => status === 400 || status === 'closed');
    const gone = open();
    gone.on('error', () => {});
    gone.write(bytes, () => gone.destroy());
    await once(gone, 'close');

    const socket = open();
    const after = responsesOf(socket);
    socket.write(get());
    expect((await after())?.status).toBe(200);
    expect(memory.figures('news', { by: [] })).toEqual([]);
    socket.destroy();
    // Neither request waits forever for the rest of its body.
    const metrics = async () => (await fetch(`${url}/metrics`)).text();
    await expect.poll(metrics).toContain('broadsheet_requests_total{endpoint="ads.deliverBatch",status="400"} 2');
  });
});

describe('a request whose target is an absolute URL', () => {
  it('a request with an absolute URL reaches the API with its body, chunked or not', async () => {
    const { open, memory } = await start();
    const socket = open();
    const next = responsesOf(socket);
    const whole = (request: string) => request.replace(' /public', ' http://x/public');
    socket.write(whole(get()));
    expect(JSON.parse((await next())?.body ?? '').data.id).toBe('p1');
    socket.write(whole(sized(slots.length)) + slots + whole(chunked) + chunk(slots));
    expect((await next())?.status).toBe(200);
    socket.write(`0\r\n\r\n${whole(sized(70_000))}${'x'.repeat(70_000)}${get()}`);
    expect((await next())?.status).toBe(200);
    expect(codeOf(await next())).toBe('PAYLOAD_TOO_LARGE');
    expect((await next())?.status).toBe(200);
    expect(memory.figures('news', { by: [] })).toMatchObject([{ delivered: 2 }]);
    socket.destroy();
  });
});

it('requests get a response even if a log or a metric throws, including cached responses', async () => {
  const broken = () => {
    throw new Error('the log is full');
  };
  const log = { isLevelEnabled: () => true, debug: broken, error: broken } as unknown as Logger;
  const warnings: string[] = [];
  const collect = (warning: Error) => warnings.push(warning.message);
  process.on('warning', collect);
  const { open } = await start({}, { log });
  const socket = open();
  const next = responsesOf(socket);
  for (let turn = 0; turn < 4; turn += 1) {
    socket.write(get());
    expect((await next())?.status).toBe(200);
  }
  socket.destroy();
  await expect.poll(() => warnings[0]).toMatch(/neither counted nor logged: Error: the log is full/);
  process.off('warning', collect);
});

it('a caller that disconnects before its response does not affect other requests', async () => {
  const waiting = Promise.withResolvers<void>();
  const requested = Promise.withResolvers<void>();
  const { open } = await start({
    getPost: async () => {
      requested.resolve();
      await waiting.promise;
      return undefined;
    },
  });
  const left = open();
  left.write(get());
  await requested.promise;
  left.destroy();
  await once(left, 'close');
  waiting.resolve();

  const socket = open();
  const next = responsesOf(socket);
  socket.write(get('/public/tags'));
  expect((await next())?.status).toBe(200);
  socket.destroy();
});

function clientIp(trusted: TrustedProxies, remoteAddress: string | undefined, forwarded?: string) {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return createClientIp(trusted)({ headers, socket: { remoteAddress } } as unknown as IncomingMessage);
}

describe('the client of a request', () => {
  it.each([
    ['no proxy trusted', '10.0.0.1', '198.51.100.7', 0, '10.0.0.1'],
    ['one proxy', '10.0.0.1', '198.51.100.7', 1, '198.51.100.7'],
    ['a forged entry on the left', '10.0.0.1', '1.1.1.1, 198.51.100.7', 1, '198.51.100.7'],
    ['two proxies', '10.0.0.1', '1.1.1.1, 198.51.100.7, 10.0.0.2', 2, '198.51.100.7'],
    ['fewer entries than proxies', '10.0.0.1', '198.51.100.7', 2, '10.0.0.1'],
    ['no header', '10.0.0.1', undefined, 1, '10.0.0.1'],
    ['an entry that is not an address', '10.0.0.1', 'unknown', 1, '10.0.0.1'],
    ['an address with a port', '10.0.0.1', '198.51.100.7:4711', 1, '198.51.100.7'],
    ['IPv6 with a port', '10.0.0.1', '[2001:db8::1]:4711', 1, '2001:db8::1'],
    ['IPv6', '::1', '2001:db8::1', 1, '2001:db8::1'],
  ])('is found by the number of proxies: %s', (_, socket, header, hops, expected) => {
    expect(clientIp(hops, socket, header)).toBe(expected);
  });

  it.each([
    ['a reader of the proxy', '127.0.0.1', '198.51.100.7', '198.51.100.7'],
    ['a reader of the site', '127.0.0.1', '198.51.100.7, 203.0.113.5', '198.51.100.7'],
    ['a reader of the site, directly', '203.0.113.5', '198.51.100.7', '198.51.100.7'],
    ['a reader who forges an entry', '127.0.0.1', '192.0.2.1, 198.51.100.7', '198.51.100.7'],
    ['a reader who names a proxy', '127.0.0.1', '192.0.2.1, 203.0.113.5, 198.51.100.7', '198.51.100.7'],
    [
      'a reader who names a proxy on the way through the site',
      '127.0.0.1',
      '10.1.1.1, 198.51.100.7, 203.0.113.5',
      '198.51.100.7',
    ],
    ['a reader without a proxy', '198.51.100.7', '192.0.2.1', '198.51.100.7'],
    ['a proxy within a range', '10.9.9.9', '198.51.100.7, 10.1.2.3', '198.51.100.7'],
    ['an IPv6 proxy', '2001:db8:0:1::9', '2001:db8:f::1', '2001:db8:f::1'],
    ['a proxy on a socket for both families', '::ffff:127.0.0.1', '198.51.100.7', '198.51.100.7'],
    ['a proxy that names its interface', 'fe80::1%lo', '198.51.100.7', '198.51.100.7'],
    ['a proxy itself', '127.0.0.1', undefined, '127.0.0.1'],
    ['only proxies', '127.0.0.1', '10.1.1.1, 203.0.113.5', '10.1.1.1'],
    ['an entry that is not an address', '127.0.0.1', '192.0.2.1, unknown', '127.0.0.1'],
    ['an entry that is not an address behind a proxy', '127.0.0.1', '198.51.100.7, , 203.0.113.5', '203.0.113.5'],
    ['an entry with a port', '127.0.0.1', '[2001:db8:f::1]:80, 203.0.113.5:4711', '2001:db8:f::1'],
  ])('is the first from the right that is not trusted: %s', (_, socket, header, expected) => {
    const trusted = ['127.0.0.1', '10.0.0.0/8', '203.0.113.5', '2001:db8::/48', 'fe80::1'];
    expect(clientIp(trusted, socket, header)).toBe(expected);
  });

  it('a connection that is gone has no IP address', () => {
    for (const trusted of [0, 1, ['127.0.0.1']]) expect(clientIp(trusted, undefined, '198.51.100.7')).toBeUndefined();
  });
});

it.each([
  ['10.0.0.1', true],
  ['10.0.0.0/8', true],
  ['10.0.0.1/32', true],
  ['::1', true],
  ['2001:db8::/128', true],
  ['', false],
  ['10.0.0', false],
  ['10.0.0.0/33', false],
  ['10.0.0.0/', false],
  ['10.0.0.0/8/8', false],
  ['0.0.0.0/0', false],
  ['::/0', false],
  ['::/129', false],
  ['10.0.0.0/08', false],
  ['localhost', false],
  ['10.0.0.1:80', false],
])('%j is an address or a range: %s', (text, expected) => {
  expect(isAddressRange(text)).toBe(expected);
  if (!expected) expect(() => createClientIp([text])).toThrow(RangeError);
});
