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

/** What a {@link createApiDoor} leads to. */
export interface ApiDoorOptions {
  readonly api: BlogApi;
  readonly trustProxy: number;
  readonly log: Logger | undefined;
}

/** The one way to the API: from a socket, past the objects of the Fetch standard, which cost more than the answers. */
export function createApiDoor({ api, trustProxy, log }: ApiDoorOptions) {
  const fail = (outgoing: ServerResponse, error: unknown) => {
    log?.error({ cause: error }, 'a request failed outside of the API');
    outgoing.destroy();
  };
  const sendLater = createResponseBatch(send, fail);
  return (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const answer = api.answerChunks(toApiRequest(incoming), { ip: clientIp(incoming, trustProxy) });
    if (isPromise(answer)) {
      answer.then(
        (late) => sendLater(outgoing, late),
        (error) => fail(outgoing, error),
      );
    } else sendLater(outgoing, answer);
  };
}

function toApiRequest(incoming: IncomingMessage): ApiRequest {
  const { method = 'GET', url = '/' } = incoming;
  return {
    method,
    // A proxy is sent a whole URL, and so may we be.
    url: url.startsWith('/') ? `http://localhost${url}` : url,
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
  else sendChunks(outgoing, body);
}

/**
 * Sends chunks and gives their memory back once the system has taken them all: left to the garbage collector, large
 * ones pile up by the thousand, and each new one is memory that is in no cache of the processor.
 */
function sendChunks(outgoing: ServerResponse, chunks: Exclude<Bytes, Uint8Array>): void {
  for (const chunk of chunks.slice(0, -1)) outgoing.write(chunk);
  outgoing.end(chunks.at(-1), () => {
    for (const chunk of chunks) chunk.buffer.transfer(0);
  });
}

/** Reads a body, or lets it flow by once it is past the limit, so that the answer finds its way. */
function readBody(incoming: IncomingMessage, limit: number): Promise<Uint8Array | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    const collect = (chunk: Uint8Array) => {
      size += chunk.byteLength;
      chunks.push(chunk);
      if (size <= limit) return;
      incoming.off('data', collect).resume();
      resolve(undefined);
    };
    incoming.on('data', collect);
    incoming.on('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
    // The end of every request; of one that was cut off there is no other sign as long as nobody listens for errors.
    incoming.on('close', () => {
      if (incoming.complete) return;
      reject(new Failure('VALIDATION_ERROR', { message: 'The request ended before its body did.' }));
    });
  });
}
