import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An HTTP server on a free port of 127.0.0.1, and so with a separate origin. */
export interface Site extends AsyncDisposable {
  /** Its origin, without a slash at the end. */
  readonly url: string;
  /** Stops it and closes all its connections. */
  close(): Promise<void>;
}

/** Serves until it is closed: in a test with `await using`, in a group with `afterAll`. */
export async function openSite(handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<Site> {
  const server = createServer(handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close, [Symbol.asyncDispose]: close };
}

/** The whole body of a request. */
export async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += chunk;
  return body;
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const site = await openSite(() => {});
  await site.close();
  return Number(new URL(site.url).port);
}
