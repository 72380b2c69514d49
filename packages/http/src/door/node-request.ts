import type { IncomingMessage } from 'node:http';
import { ApiError, type ApiRequest } from '@broadsheet/core';

/** Adapts a request of `node:http` to the API; headers and body are read on demand. */
export function nodeRequest(incoming: IncomingMessage, host = 'localhost'): ApiRequest {
  const { method = 'GET', url = '/' } = incoming;
  return {
    method,
    // A client may send an absolute URL, as to a proxy.
    url: url.startsWith('/') ? `http://${host}${url}` : url,
    header: (name) => headerOf(incoming, name),
    body: (limit) => readBody(incoming, limit),
  };
}

/**
 * The value that `incoming.headers` has for a name in lower case, or `null`. It does not build that object of all
 * headers, because most requests need only two.
 */
export function headerOf(incoming: IncomingMessage, name: string): string | null {
  const { rawHeaders } = incoming;
  let found: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const candidate = rawHeaders[index] ?? '';
    if (candidate.length !== name.length || candidate.toLowerCase() !== name) continue;
    // Node combines duplicate headers by rules that depend on the header; with two hosts, neither can be trusted.
    if (found !== undefined && name === 'host') return '';
    if (found !== undefined) return joined(incoming.headers[name]);
    found = rawHeaders[index + 1];
  }
  return found ?? null;
}

const joined = (value: string | string[] | undefined) => (Array.isArray(value) ? value.join(', ') : value) ?? null;

// Captured early so that fake timers do not replace it.
const afterTurn = setImmediate;
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

/** Reads a body. Beyond the limit, it discards the rest, so that the client can read the answer. */
function readBody(incoming: IncomingMessage, limit: number): Promise<Uint8Array | undefined> {
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
