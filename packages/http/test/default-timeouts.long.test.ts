// Long: waits for the time limits that a server has by default, which are up to half a minute.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createServer } from '../src/create-server.ts';
import type { RunningServer } from '../src/server-options.ts';
import { memoryServerStore, TEST_BLOG } from './memory-server-store.ts';

const HEAD = 'HTTP/1.1\r\nHost: x\r\nX-API-Key: test-key\r\n';
const BODY = '{"slots":[{"slotId":"top","format":"BANNER"}]}';
const POST = `POST /public/ads/formats ${HEAD}Content-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n`;

describe.concurrent('the default time limits of a request', () => {
  let server: RunningServer;
  beforeAll(async () => {
    const { store, memory } = memoryServerStore();
    memory.putBlog(TEST_BLOG, Date.now());
    server = await createServer({ store, port: 0 });
  });
  afterAll(() => server.close());

  /** Sends the begin of a request, and the rest after some seconds. */
  async function send(begin: string, rest?: { readonly after: number; readonly text: string }) {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    const started = performance.now();
    socket.write(begin);
    const response = firstLine(socket);
    if (rest) {
      await wait(rest.after * 1000);
      socket.write(rest.text);
    }
    const line = await response;
    socket.destroy();
    return { line, seconds: (performance.now() - started) / 1000 };
  }

  it('headers that arrive within 10 seconds get their response', async () => {
    const { line } = await send('GET /public/posts HTTP/1.1\r\n', { after: 7, text: HEAD.slice(10).concat('\r\n') });
    expect(line).toBe('HTTP/1.1 200 OK');
  });

  it('headers that do not arrive within 10 seconds are refused', async () => {
    const { line, seconds } = await send(`GET /public/posts ${HEAD}`);
    expect(line).toBe('HTTP/1.1 400 Bad Request');
    expect(seconds).toBeGreaterThan(9);
    // The limit is checked every five seconds.
    expect(seconds).toBeLessThan(20);
  });

  it('a body that arrives within 30 seconds gets its response', async () => {
    const { line } = await send(POST + BODY.slice(0, 9), { after: 25, text: BODY.slice(9) });
    expect(line).toBe('HTTP/1.1 200 OK');
  });

  it('a body that does not arrive within 30 seconds is refused', async () => {
    const { line, seconds } = await send(POST + BODY.slice(0, 9));
    expect(line).toBe('HTTP/1.1 400 Bad Request');
    expect(seconds).toBeGreaterThan(29);
    expect(seconds).toBeLessThan(40);
  });
});

/** The first line of the next response. */
async function firstLine(socket: Socket): Promise<string> {
  const [bytes]: Buffer[] = await once(socket, 'data');
  return bytes?.toString('latin1').split('\r\n')[0] ?? '';
}
