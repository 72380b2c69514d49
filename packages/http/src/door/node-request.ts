import type { IncomingMessage } from 'node:http';
import { ApiError, type ApiRequest } from '@broadsheet/core';

/** A request of `node:http` as the API takes it; only what is used of it is read. */
export function nodeRequest(incoming: IncomingMessage, host = 'localhost'): ApiRequest {
  const { method = 'GET', url = '/' } = incoming;
  return {
    method,
    // A proxy is sent a whole URL, and so may we be.
    url: url.startsWith('/') ? `http://${host}${url}` : url,
    header: (name) => headerOf(incoming, name),
    body: (limit) => readBody(incoming, limit),
  };
}

/**
 * A header by its name in lower case, or `null`, as `incoming.headers` has it: without making that object of all of
 * them, of which most requests need two.
 */
export function headerOf(incoming: IncomingMessage, name: string): string | null {
  const { rawHeaders } = incoming;
  let found: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const candidate = rawHeaders[index] ?? '';
    if (candidate.length !== name.length || candidate.toLowerCase() !== name) continue;
    // What becomes of a header that is sent twice depends on which it is; of two hosts neither can be believed.
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

/** Does the work of one turn of the event loop in a row at its end, which keeps caches warm; the work must not throw. */
export function atEndOfTurn(work: () => void): void {
  if (waiting.push(work) > 1) return;
  afterTurn(() => {
    const ready = waiting;
    waiting = [];
    for (const next of ready) next();
  });
}

/** Reads a body, or lets it flow by once it is past the limit, so that the answer finds its way. */
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
    // The end of every request; of one that was cut off there is no other sign as long as nobody listens for errors.
    incoming.on('close', () => {
      if (incoming.complete) return;
      reject(new ApiError('VALIDATION_ERROR', { message: 'The request ended before its body did.' }));
    });
  });
}
