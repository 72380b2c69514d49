import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type ApiAnswer,
  type ApiRequest,
  type BlogApi,
  type Bytes,
  Failure,
  isPromise,
  sizeOf,
} from '@broadsheet/core';
import type { Logger } from '../ops/log.ts';
import { clientIp } from './client-ip.ts';
import { headerOf } from './header-of.ts';
import { createResponseBatch } from './response-batch.ts';

/** What a {@link createDirectDoor} leads to. */
export interface DirectDoorOptions {
  readonly api: BlogApi;
  readonly trustProxy: number;
  readonly log: Logger | undefined;
}

/**
 * The shortest way from a socket to the API: no objects of the Fetch standard are built on it. Says whether it took
 * the request; what is not plainly for the API is left to the adapter.
 */
export function createDirectDoor({ api, trustProxy, log }: DirectDoorOptions) {
  const fail = (outgoing: ServerResponse, error: unknown) => {
    log?.error({ cause: error }, 'a request failed outside of the API');
    outgoing.destroy();
  };
  const sendLater = createResponseBatch(send, fail);
  return (incoming: IncomingMessage, outgoing: ServerResponse): boolean => {
    const { url } = incoming;
    if (!url?.startsWith('/public/')) return false;
    const request = toApiRequest(incoming, `http://localhost${url}`);
    const answer = api.answerChunks(request, { ip: clientIp(incoming, trustProxy) });
    if (isPromise(answer)) {
      answer.then(
        (late) => sendLater(outgoing, late),
        (error) => fail(outgoing, error),
      );
    } else sendLater(outgoing, answer);
    return true;
  };
}

function toApiRequest(incoming: IncomingMessage, url: string): ApiRequest {
  return {
    method: incoming.method ?? 'GET',
    url,
    header: (name) => headerOf(incoming, name),
    body: (limit) => readBody(incoming, limit),
  };
}

/** Head and body leave together; Node itself leaves the body out where the method or the status has none. */
function send(outgoing: ServerResponse, { status, headers, body }: ApiAnswer<string | Bytes>): void {
  if (body === null) {
    outgoing.writeHead(status, headers).end();
    return;
  }
  const length = typeof body === 'string' ? Buffer.byteLength(body) : sizeOf(body);
  outgoing.writeHead(status, { ...headers, 'content-length': length });
  if (typeof body === 'string' || body instanceof Uint8Array) outgoing.end(body);
  else sendPieces(outgoing, body);
}

/**
 * Sends pieces and gives their memory back once the system has taken them all: left to the garbage collector, large
 * ones pile up by the thousand, and each new one is memory that is in no cache of the processor.
 */
function sendPieces(outgoing: ServerResponse, pieces: Exclude<Bytes, Uint8Array>): void {
  for (const piece of pieces.slice(0, -1)) outgoing.write(piece);
  outgoing.end(pieces.at(-1), () => {
    for (const piece of pieces) piece.buffer.transfer(0);
  });
}

/** Reads a body, or stops keeping it past the limit: the rest flows by, so that the answer finds its way. */
function readBody(incoming: IncomingMessage, limit: number): Promise<Uint8Array | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    const keep = (chunk: Uint8Array) => {
      size += chunk.byteLength;
      chunks.push(chunk);
      if (size <= limit) return;
      incoming.off('data', keep).resume();
      resolve(undefined);
    };
    incoming.on('data', keep);
    incoming.on('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
    // The end of every request; of one that was cut off there is no other sign as long as nobody listens for errors.
    incoming.on('close', () => {
      if (incoming.complete) return;
      reject(new Failure('VALIDATION_ERROR', { message: 'The request ended before its body did.' }));
    });
  });
}
