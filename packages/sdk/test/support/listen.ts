import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request that a server saw. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Handles a request; `nth` is 0 for the first. */
export type Handler = (request: Seen, response: ServerResponse, nth: number) => void;

/** A real server on its own port. */
export interface Listening {
  readonly url: string;
  readonly seen: Seen[];
  close(): void;
}

/** Serves until it is closed. Inside a test use `serve`, which closes at its end. */
export async function listen(handler: Handler): Promise<Listening> {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const one = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
    seen.push(one);
    handler(one, response, seen.length - 1);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen, close };
}
