import type { IncomingMessage } from 'node:http';
// The module's own function, which fake timers do not replace, even if this is loaded after them.
import { setImmediate as afterTurn } from 'node:timers';
import { ApiError, type ApiRequest } from '@broadsheet/core';

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
    body: (limit) => readBody(incoming, limit),
  };
}

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

/** Reads a body. Beyond the limit, it discards the rest, so that the client can read the response. */
function readBody(incoming: IncomingMessage, limit: number): Promise<Uint8Array | undefined> {
  // No event follows if the request has no body (`optimizeEmptyRequests`).
  if (incoming.readableEnded) return Promise.resolve(new Uint8Array());
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    incoming.on('data', (chunk: Uint8Array) => {
      size += chunk.byteLength;
      if (size <= limit) chunks.push(chunk);
      else resolve(undefined);
    });
    incoming.on('end', () => atEndOfTurn(() => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))));
    // Every request emits 'close'; without an error listener, it is the only sign of a request that was cut off.
    incoming.on('close', () => {
      if (incoming.complete) return;
      reject(new ApiError('VALIDATION_ERROR', { message: 'The request ended before its body did.' }));
    });
  });
}
