import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApiError, CORS, errorResponse } from '@broadsheet/core';
import { atEndOfTurn, listenToAll, nodeRequest, send } from '@broadsheet/http/node';
import { CONTROL_PATH, handleControl } from '../control/respond.ts';
import { ANY, check, type OptionRules, ORIGIN, PACE } from '../worlds/checks.ts';
import type { InnerMock, Listening, ListenOptions } from '../worlds/mock.ts';
import { type BodyStream, reportError, type WorldRequest, type WorldResponse } from './response.ts';

const LISTEN: OptionRules<ListenOptions> = {
  port: ['an integer from 0 to 65535', (port) => Number.isInteger(port) && Number(port) >= 0 && Number(port) <= 65_535],
  host: ANY,
  pace: PACE,
  allowOrigins: [`a list with ${ORIGIN[0]}`, (origins) => Array.isArray(origins) && origins.every(ORIGIN[1])],
};

/** Serves a mock over HTTP: the API, and the control plane below `/__mock`. */
export async function listen(mock: InnerMock, options: ListenOptions): Promise<Listening> {
  check('mock.listen', options, LISTEN);
  const { port = 0, host = '127.0.0.1', pace = 'virtual', allowOrigins = [] } = options;
  const { basePath, docsUrl } = mock;
  const respond = (request: WorldRequest, ip: string | undefined): Promise<WorldResponse> => {
    if (isBelow(CONTROL_PATH, request)) return handleControl(mock, request, { pace, allowOrigins });
    const reads = request.method === 'GET' || request.method === 'HEAD';
    const describes = reads && ['', basePath].some((base) => isBelow(`${base}/openapi.json`, request));
    return describes ? described(new URL(request.url).origin + basePath) : mock.respond(request, { ip });
  };
  const server = createServer({ requireHostHeader: false });
  listenToAll(server, docsUrl, (incoming, outgoing) =>
    serve(incoming, outgoing, async (signal) =>
      isGoodTarget(incoming)
        ? respond(requestOf(incoming, signal), incoming.socket.remoteAddress)
        : errorResponse(BAD_TARGET, `req_${crypto.randomUUID()}`, docsUrl),
    ),
  );
  await once(server.listen(port, host), 'listening').catch((cause: NodeJS.ErrnoException) => {
    const why = cause.code === 'EADDRINUSE' ? 'it is taken; choose another, or 0 for a free one' : cause.message;
    throw new Error(`mock.listen: cannot listen on port ${port} of ${host}: ${why}`, { cause });
  });
  const { port: actual } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve, reject) => {
      server.close((error) => (error ? reject(error) : resolve()));
      server.closeAllConnections();
    });
  return { url: `http://${reachable(host)}:${actual}${basePath}`, port: actual, close, [Symbol.asyncDispose]: close };
}

/** The host at which this machine reaches a server: a server on all interfaces also listens on the loopback address. */
function reachable(host: string): string {
  const address = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return address.includes(':') ? `[${address}]` : address;
}

/** Whether a request is for a path or below it. The text is searched first, because parsing every URL is slow. */
function isBelow(path: string, { url }: WorldRequest): boolean {
  if (!url.includes(path) || !URL.canParse(url)) return false;
  const { pathname } = new URL(url);
  return pathname === path || pathname.startsWith(`${path}/`);
}

/** The OpenAPI document of the API, which needs no key. */
async function described(baseUrl: string): Promise<WorldResponse> {
  const { openapi } = await import('@broadsheet/contract/schemas');
  const headers = { ...CORS, 'content-type': 'application/json' };
  return { status: 200, headers, body: JSON.stringify(openapi({ baseUrl })) };
}

/**
 * Handles one request. Unlike adapters for production, it reproduces failures: a network error closes the connection,
 * and a failing body cuts it.
 */
async function serve(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  respond: (signal: AbortSignal) => Promise<WorldResponse>,
): Promise<void> {
  const gone = new AbortController();
  outgoing.on('close', () => {
    if (!outgoing.writableFinished) gone.abort(new DOMException('The client went away.', 'AbortError'));
  });
  try {
    const response = await respond(gone.signal).catch((error: unknown) => {
      reportError(`${incoming.method} ${incoming.url}`, error);
      return undefined;
    });
    if (!response || response.status === 0) incoming.socket.destroy();
    else if (response.body instanceof ReadableStream)
      await stream(response.body, outgoing.writeHead(response.status, response.headers));
    else {
      // As the server does: responses that are ready in the same turn take a third less CPU when they are sent together.
      await new Promise<void>((resolve) => atEndOfTurn(resolve));
      send(outgoing, { ...response, body: response.body });
    }
  } catch {
    // Destroys the socket, not the response: Bun would end an unstarted response as an empty 200.
    incoming.socket.destroy();
  }
}

const BAD_TARGET = new ApiError('VALIDATION_ERROR', {
  message: 'The request target or the Host header is not valid.',
});

/** A path, or the full URL of a request to a proxy. */
const isGoodTarget = ({ url = '/' }: IncomingMessage): boolean =>
  /^(\/|https?:\/\/)[^\\?]*(\?|$)/i.test(url) && (url.startsWith('/') || URL.canParse(url));

function requestOf(incoming: IncomingMessage, signal: AbortSignal): WorldRequest {
  const headers: Record<string, string> = {};
  for (const [name, value = ''] of Object.entries(incoming.headers)) headers[name] = String(value);
  return { ...nodeRequest(incoming, headers['host']), headers, signal };
}

async function stream(body: BodyStream, outgoing: ServerResponse): Promise<void> {
  // Headers are sent at once, because a body that stalls must not hold them back.
  outgoing.flushHeaders();
  for await (const chunk of body) {
    if (!outgoing.write(chunk)) await new Promise((resolve) => outgoing.once('drain', resolve).once('close', resolve));
  }
  outgoing.end();
}
