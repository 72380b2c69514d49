import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ApiError, errorResponse } from '@broadsheet/core';
import { systemRandom } from '../crypto.ts';

/**
 * Handles requests that `node:http` refuses with an empty body, or with no response at all, with the envelope of all
 * other errors: bytes that are not HTTP, a `CONNECT`, a request without a valid Host, a path with dot segments. An
 * unknown `Expect` is ignored. The connection of a client that does not read its response is closed, and pipelined
 * requests are served one after another: otherwise one connection could make the server hold the responses to hundreds
 * of requests.
 *
 * @param serve handles every valid request
 * @param slowPaths see `ServerOptions`
 */
export function listenToAll(
  server: Server,
  docsUrl: string,
  serve: (incoming: IncomingMessage, outgoing: ServerResponse) => void,
  slowPaths: readonly string[] = [],
): void {
  server.timeout = UNREAD;
  const sendError = (socket: Duplex, error: ApiError) => respondOnSocket(socket, prepare(error, docsUrl));
  const uploads = new WeakMap<Duplex, ServerResponse>();
  const respond = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    // A response gets the socket once the responses before it have been sent.
    if (!outgoing.socket) return void outgoing.once('socket', () => respond(incoming, outgoing));
    outgoing.on('timeout', endIfUnread);
    for (const path of slowPaths) if (incoming.url?.startsWith(path)) uploads.set(incoming.socket, outgoing);
    const error = !isGoodHost(incoming) ? BAD_HOST : NOT_NORMAL.test(incoming.url ?? '') ? BAD_PATH : undefined;
    if (!error) return serve(incoming, outgoing);
    const { status, headers, body } = prepare(error, docsUrl);
    outgoing.writeHead(status, headers).end(body);
  };
  server.on('request', respond);
  server.on('checkExpectation', respond);
  server.on('connect', (_, socket) => sendError(socket, NO_PROXY));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const upload = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? uploads.get(socket) : undefined;
    if (error.code === 'ECONNRESET') socket.destroy();
    else if (upload?.headersSent === false) {
      const late = setTimeout(() => sendError(socket, errorFor(error.code)), UPLOAD_TIMEOUT);
      upload.once('close', () => clearTimeout(late));
    } else sendError(socket, errorFor(error.code));
  });
}

/** Milliseconds between two checks whether a client has read some of its response. */
const UNREAD = 30_000;

/**
 * Ends the connection of a client that does not read its response, which would take up memory for as long as the client
 * likes. Node calls this when no byte was received or sent since the last check. A response that is not ready yet and
 * a request that is still arriving have limits of their own.
 */
function endIfUnread(socket: Socket): void {
  if (socket.writableLength > 0) socket.destroy();
}

/** Milliseconds that a request below a slow path may take beyond the time of any other request. */
const UPLOAD_TIMEOUT = 600_000;

/** Hosts that are certainly valid in a URL, so that most requests skip the full check. */
const PLAIN_HOST = /^[a-z\d.-]+(?::\d{1,5})?$/i;

function isGoodHost(incoming: IncomingMessage): boolean {
  const { host } = incoming.headers;
  if (host === undefined) return incoming.httpVersion === '1.0';
  // Node returns the first of several Host headers, of which none can be trusted.
  const names = incoming.rawHeaders;
  let hosts = 0;
  for (let at = 0; at < names.length; at += 2) if (names[at]?.toLowerCase() === 'host') hosts += 1;
  if (hosts > 1) return false;
  return PLAIN_HOST.test(host) || (!/[/?#@\\]/.test(host) && URL.canParse(`http://${host}`));
}

/** Paths that a URL parser would change: a proxy that allows or denies by path would not recognize them. */
const NOT_NORMAL = /^[^?]*(?:[/\\](?:\.|%2e){1,2}(?:[/\\?#]|$)|\\)/i;

const BAD_PATH = new ApiError('VALIDATION_ERROR', {
  message: 'The path must not contain dot segments or backslashes.',
});
const BAD_HOST = new ApiError('VALIDATION_ERROR', { message: 'The Host header is missing or not valid.' });
const NO_PROXY = new ApiError('METHOD_NOT_ALLOWED', {
  message: 'CONNECT is not supported; use GET, HEAD, POST, OPTIONS.',
  headers: { allow: 'GET, HEAD, POST, OPTIONS' },
});

/** A response that closes the connection, because the start of the next request is unknown. */
function prepare(error: ApiError, docsUrl: string) {
  const { status, headers, body } = errorResponse(error, `req_${systemRandom.uuid()}`, docsUrl);
  return { status, headers: { ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' }, body };
}

function respondOnSocket(socket: Duplex, { status, headers, body }: ReturnType<typeof prepare>): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join('')}\r\n${body}`);
  // A client that never closes its end would occupy a file descriptor forever.
  const late = setTimeout(() => socket.destroy(), LINGER);
  socket.once('close', () => clearTimeout(late));
}

/** Milliseconds that a client has to read a response that ends its connection. */
const LINGER = 1000;

function errorFor(code: string | undefined): ApiError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new ApiError('PAYLOAD_TOO_LARGE', { message: 'The headers of the request are larger than 16 KiB.' });
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ApiError('VALIDATION_ERROR', { message: 'The request did not arrive in time.' });
    default:
      return new ApiError('VALIDATION_ERROR', { message: 'The request is not well-formed HTTP/1.1.' });
  }
}
