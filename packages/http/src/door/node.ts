import type { IncomingMessage, ServerResponse } from 'node:http';
// The module's own function, which fake timers do not replace, even if this is loaded after them.
import { setImmediate as afterTurn } from 'node:timers';
import { ApiError, type ApiRequest, type ApiResponse, type Chunks, type ResponseBody, sizeOf } from '@broadsheet/core';

export { listenToAll } from './broken-request.ts';

/** Adapts a request of `node:http` to the API; its body is read on demand. */
export function nodeRequest(incoming: IncomingMessage, host = 'localhost'): ApiRequest {
  const { method = 'GET', url = '/' } = incoming;
  return {
    method,
    // A client may send an absolute URL, as to a proxy.
    url: url.startsWith('/') ? `http://${host}${url}` : url,
    header: (name) => {
      const value = incoming.headers[name];
      return (Array.isArray(value) ? value.join(', ') : value) ?? null;
    },
    async body(limit) {
      // No event follows if the request has no body (`optimizeEmptyRequests`).
      if (incoming.readableEnded) return new Uint8Array();
      if (Number(incoming.headers['content-length']) > limit) return undefined;
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const chunks: Uint8Array[] = [];
      let size = 0;
      incoming.on('data', (chunk: Uint8Array) => {
        size += chunk.byteLength;
        // The rest is discarded, so that the client can read the response.
        if (size <= limit) chunks.push(chunk);
        else resolve();
      });
      incoming.on('end', () => atEndOfTurn(resolve));
      // Every request emits 'close'; without an error listener, it is the only sign of a request that was cut off.
      incoming.on('close', () => {
        if (!incoming.complete) reject(CUT_OFF);
      });
      await promise;
      if (size > limit) return undefined;
      return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
    },
  };
}

const CUT_OFF = new ApiError('VALIDATION_ERROR', { message: 'The request ended before its body was complete.' });

let waiting: (() => void)[] = [];

/** Batches work at the end of a turn of the event loop, which keeps CPU caches warm. The work must not throw. */
export function atEndOfTurn(work: () => void): void {
  if (waiting.push(work) > 1) return;
  afterTurn(() => {
    const ready = waiting;
    waiting = [];
    for (const next of ready) next();
  });
}

/** Sends head and body together. Node omits the body if the method or the status does not allow one. */
export function send(outgoing: ServerResponse, { status, headers, body }: ApiResponse<ResponseBody>): void {
  if (body === null) {
    outgoing.writeHead(status, headers).end();
    return;
  }
  const isBytes = body instanceof Uint8Array;
  const length = isBytes ? body.length : typeof body === 'string' ? Buffer.byteLength(body) : sizeOf(body);
  outgoing.writeHead(status, { ...headers, 'content-length': length });
  // A string with as many bytes as characters is ASCII, and Node writes Latin-1 faster.
  if (typeof body === 'string') outgoing.end(body, length === body.length ? 'latin1' : 'utf8');
  else if (!isBytes) sendChunks(outgoing, body);
  else if (length <= SMALL)
    outgoing.end(Buffer.from(body.buffer, body.byteOffset, length).toString('latin1'), 'latin1');
  else outgoing.end(body);
}

/** The size in bytes up to which Node sends a string faster than a buffer, because it writes head and string at once. */
const SMALL = 8192;

/** Sends chunks and then frees the memory of owned ones: waiting for the garbage collector costs more. */
function sendChunks(outgoing: ServerResponse, { chunks, owned }: Chunks): void {
  for (const chunk of chunks.slice(0, -1)) outgoing.write(chunk);
  const free = () => {
    for (const { buffer } of chunks) if (buffer.byteLength >= LARGE) buffer.transfer(0);
  };
  if (owned) outgoing.end(chunks.at(-1), free);
  else outgoing.end(chunks.at(-1));
}

/** The size in bytes from which freeing a buffer is worth the call. */
const LARGE = 4096;
