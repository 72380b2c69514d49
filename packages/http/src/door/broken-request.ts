import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { ApiError, errorParts } from '@broadsheet/core';
import { systemRandom } from '../crypto.ts';
import { endUnreadResponses } from './unread-response.ts';

/**
 * Handles requests that `node:http` refuses with an empty body, or with no response at all, with the envelope of all
 * other errors: bytes that are not HTTP, a `CONNECT`, a request without a valid Host, a path with dot segments. An
 * unknown `Expect` is ignored. A response that its client does not read is ended, and pipelined requests are served one
 * after another: otherwise one connection could make the server hold the responses to hundreds of requests.
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
  endUnreadResponses(server);
  const sendError = (socket: Duplex, error: ApiError) => respondOnSocket(socket, prepare(error, docsUrl));
  const uploads = new WeakMap<Duplex, ServerResponse>();
  const respond = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    if (slowPaths.some((path) => incoming.url?.startsWith(path))) uploads.set(incoming.socket, outgoing);
    const error = isGoodHost(incoming) ? isChanged(incoming) && NOT_NORMAL : BAD_HOST;
    if (error) {
      const { status, headers, body } = prepare(error, docsUrl);
      outgoing.writeHead(status, headers).end(body);
    } else serve(incoming, outgoing);
  };
  const respondInTurn = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    // A response has the socket once those before it were sent.
    if (outgoing.socket) respond(incoming, outgoing);
    else outgoing.once('socket', () => respond(incoming, outgoing));
  };
  server.on('request', respondInTurn);
  server.on('checkExpectation', respondInTurn);
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

/** Milliseconds that a request below a slow path may take beyond the time of any other request. */
const UPLOAD_TIMEOUT = 600_000;

/** Hosts that are certainly valid in a URL, so that most requests skip the full check. */
const PLAIN_HOST = /^[a-z\d.-]+(?::\d{1,5})?$/i;

function isGoodHost(incoming: IncomingMessage): boolean {
  const { host } = incoming.headers;
  if (host === undefined) return incoming.httpVersion === '1.0';
  // Node returns the first of several Host headers, of which none can be trusted.
  const hosts = incoming.rawHeaders.filter((text, index) => index % 2 === 0 && text.length === 4 && /host/i.test(text));
  if (hosts.length > 1) return false;
  return PLAIN_HOST.test(host) || (!/[/?#@\\]/.test(host) && URL.canParse(`http://${host}`));
}

/** Whether a URL parser would change the path: a proxy that allows or denies by path would not recognize it. */
const isChanged = ({ url = '' }: IncomingMessage): boolean =>
  /^[^?]*(?:[/\\](?:\.|%2e){1,2}(?:[/\\?#]|$)|\\)/i.test(url);

const NOT_NORMAL = new ApiError('VALIDATION_ERROR', {
  message: 'The path must not contain dot segments or backslashes.',
});
const BAD_HOST = new ApiError('VALIDATION_ERROR', { message: 'The Host header is missing or not valid.' });
const NO_PROXY = new ApiError('METHOD_NOT_ALLOWED', {
  message: 'CONNECT is not a method of this server; use GET, HEAD, POST, OPTIONS.',
  headers: { allow: 'GET, HEAD, POST, OPTIONS' },
});

/** A response that closes the connection, because the start of the next request is unknown. */
function prepare(error: ApiError, docsUrl: string) {
  const { status, headers, body } = errorParts(error, `req_${systemRandom.uuid()}`, docsUrl);
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
