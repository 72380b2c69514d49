import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ApiResponse, type BlogApi, type Chunks, type ResponseBody, sizeOf } from '@broadsheet/core';
import type { Logger } from '../ops/log.ts';
import type { ClientIp } from './client-ip.ts';
import { atEndOfTurn, nodeRequest } from './node-request.ts';

/** Options of {@link createApiDoor}. */
export interface ApiDoorOptions {
  readonly api: BlogApi;
  readonly clientIp: ClientIp;
  readonly log: Logger | undefined;
}

/** Passes requests to the API without `Request` and `Response` objects, which cost more than the responses. */
export function createApiDoor({ api, clientIp, log }: ApiDoorOptions) {
  const fail = (outgoing: ServerResponse, error: unknown) => {
    log?.error({ cause: error }, 'a request failed outside of the API');
    outgoing.destroy();
  };
  const trySend = (outgoing: ServerResponse, response: ApiResponse<ResponseBody>) => {
    try {
      send(outgoing, response);
    } catch (error) {
      fail(outgoing, error);
    }
  };
  return (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const request = nodeRequest(incoming);
    const caller = { ip: clientIp(incoming) };
    const sendLater = (response: ApiResponse<ResponseBody>) => atEndOfTurn(() => trySend(outgoing, response));
    const hit = api.hit(request, caller);
    if (hit) sendLater(hit);
    else api.handle(request, caller).then(sendLater, (error) => fail(outgoing, error));
  };
}

/** Sends head and body together. Node omits the body if the method or the status does not allow one. */
export function send(outgoing: ServerResponse, { status, headers, body }: ApiResponse<ResponseBody>): void {
  if (body === null) {
    outgoing.writeHead(status, headers).end();
    return;
  }
  const length = body instanceof Uint8Array ? body.length : sizeInBytes(body);
  outgoing.writeHead(status, { ...headers, 'content-length': length });
  // A string with as many bytes as characters is ASCII, and Node writes Latin-1 faster.
  if (typeof body === 'string') outgoing.end(body, length === body.length ? 'latin1' : 'utf8');
  else if (!(body instanceof Uint8Array)) sendChunks(outgoing, body);
  else if (length <= SMALL)
    outgoing.end(Buffer.from(body.buffer, body.byteOffset, length).toString('latin1'), 'latin1');
  else outgoing.end(body);
}

const sizeInBytes = (body: string | Chunks): number =>
  typeof body === 'string' ? Buffer.byteLength(body) : sizeOf(body);

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
