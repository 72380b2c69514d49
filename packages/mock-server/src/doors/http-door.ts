import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { Failure, failureAnswer } from '@broadsheet/core';
import type { WorldAnswer, WorldRequest } from './answer.ts';

/** What a door leads to. */
export interface HttpDoorOptions {
  /** Answers a request that came from an address. */
  answer(request: WorldRequest, ip: string | undefined): Promise<WorldAnswer>;
  /** The `{docs_url}` of error bodies. */
  docsUrl(): Promise<string>;
}

/**
 * A world behind node:http. Unlike adapters made for production it leaves what is broken broken: a network error closes
 * the connection without a word, and a body that fails cuts it. What node:http refuses by itself with an empty body is
 * answered as the server does, in the envelope.
 */
export function createHttpDoor({ answer, docsUrl }: HttpDoorOptions): Server {
  const refuse = async (socket: Duplex, failure: Failure): Promise<void> => {
    const { status, headers, body } = await refusal(failure, docsUrl);
    if (!socket.writable) {
      socket.destroy();
      return;
    }
    const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join('')}\r\n${body}`);
  };
  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const wrong = isGoodHost(incoming) ? isGoodTarget(incoming) || BAD_TARGET : BAD_HOST;
    if (wrong !== true) {
      const { status, headers, body } = await refusal(wrong, docsUrl);
      outgoing.writeHead(status, headers).end(body);
      return;
    }
    const gone = new AbortController();
    outgoing.on('close', () => {
      if (!outgoing.writableFinished) gone.abort(new DOMException('The client went away.', 'AbortError'));
    });
    try {
      const given = await answer(requestOf(incoming, gone.signal), incoming.socket.remoteAddress);
      if (given.status === 0) incoming.socket.destroy();
      else await send(given, outgoing);
    } catch {
      // Not the answer: Bun ends one that has not begun as an empty 200.
      incoming.socket.destroy();
    }
  };
  const server = createServer({ requireHostHeader: false }, serve);
  server.on('checkExpectation', serve);
  server.on('connect', (_, socket) => refuse(socket, NO_PROXY));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET') socket.destroy();
    else void refuse(socket, error.code === 'HPE_HEADER_OVERFLOW' ? LARGE_HEADERS : NOT_HTTP);
  });
  return server;
}

const BAD_HOST = new Failure('VALIDATION_ERROR', { message: 'The Host header is missing or not valid.' });
const BAD_TARGET = new Failure('VALIDATION_ERROR', {
  message: 'The request target or the Host header is not valid.',
});
const NOT_HTTP = new Failure('VALIDATION_ERROR', { message: 'The request is not well-formed HTTP/1.1.' });
const LARGE_HEADERS = new Failure('PAYLOAD_TOO_LARGE', {
  message: 'The headers of the request are larger than 16 KiB.',
});
const NO_PROXY = new Failure('METHOD_NOT_ALLOWED', {
  message: 'CONNECT is not a method of this server; use GET, HEAD, POST, OPTIONS.',
  headers: { allow: 'GET, HEAD, POST, OPTIONS' },
});

/** An answer after which the connection is closed: where the next request would begin is unknown. */
async function refusal(failure: Failure, docsUrl: HttpDoorOptions['docsUrl']) {
  const { status, headers, body } = failureAnswer(failure, `req_${crypto.randomUUID()}`, await docsUrl());
  return { status, headers: { ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' }, body };
}

/** A path, or the whole URL that a proxy is sent. */
const isGoodTarget = ({ url = '/' }: IncomingMessage): boolean => /^(\/|https?:\/\/)[^\\]*$/i.test(url);

/** Of two hosts neither can be believed; an old client may send none. */
function isGoodHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  const isHost = (_: string, index: number) => rawHeaders[index - 1]?.toLowerCase() === 'host' && index % 2 === 1;
  const [host, ...more] = rawHeaders.filter(isHost);
  if (host === undefined) return httpVersion === '1.0';
  return more.length === 0 && !/[/?#@\\]/.test(host) && URL.canParse(`http://${host}`);
}

function requestOf(incoming: IncomingMessage, signal: AbortSignal): WorldRequest {
  const { method = 'GET', url = '/' } = incoming;
  const headers: Record<string, string> = {};
  // What becomes of a header that is sent twice depends on which it is, and Node knows.
  for (const [name, value = ''] of Object.entries(incoming.headers)) {
    headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return {
    method,
    headers,
    signal,
    // A proxy is sent a whole URL, and so may we be.
    url: url.startsWith('/') ? `http://${headers['host'] ?? 'localhost'}${url}` : url,
    header: (name) => headers[name] ?? null,
    body: (limit) => bytesOf(incoming, limit),
  };
}

/** The bytes of a body; one that is too long is read to its end as well, so that the client reads the answer. */
async function bytesOf(incoming: IncomingMessage, limit: number): Promise<Uint8Array | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= limit) chunks.push(chunk);
  }
  return size <= limit ? Buffer.concat(chunks) : undefined;
}

async function send({ status, headers, body }: WorldAnswer, outgoing: ServerResponse): Promise<void> {
  if (!(body instanceof ReadableStream)) {
    const length = body !== null && { 'content-length': Buffer.byteLength(body) };
    outgoing.writeHead(status, { ...headers, ...length }).end(body ?? undefined);
    return;
  }
  // Headers go out at once: a body that stalls must not hold them back.
  outgoing.writeHead(status, headers).flushHeaders();
  for await (const chunk of body) {
    if (!outgoing.write(chunk)) await new Promise((resolve) => outgoing.once('drain', resolve).once('close', resolve));
  }
  outgoing.end();
}
