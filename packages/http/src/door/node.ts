import type { IncomingMessage, ServerResponse } from 'node:http';
import { BlockList, isIP } from 'node:net';
// The module's own function, which fake timers do not replace, even if this is loaded after them.
import { setImmediate as afterTurn } from 'node:timers';
import {
  ApiError,
  type ApiRequest,
  type ApiResponse,
  type Chunks,
  forwardedAddress,
  type ResponseBody,
  sizeOf,
} from '@broadsheet/core';

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

/**
 * The proxies whose `X-Forwarded-For` is believed: how many of them append to it, or their addresses, such as `10.0.0.5`
 * and `10.0.0.0/8`.
 */
export type TrustedProxies = number | readonly string[];

/** Finds the IP address of the client of a request. */
export type ClientIp = (incoming: IncomingMessage) => string | undefined;

/**
 * Each proxy appends the IP address from which it was called to `X-Forwarded-For`, so trusted proxies wrote the entries
 * on the right, and the client wrote the others. With addresses, the client is the first from the right that is not
 * trusted, whichever way a request took; with a number, it is that many places from the right. A header that the
 * proxies did not write leaves the address of the socket.
 *
 * @throws RangeError for a text that is not an address or a range
 */
export function createClientIp(trusted: TrustedProxies): ClientIp {
  if (trusted === 0) return ({ socket }) => socket.remoteAddress;
  const find: Find =
    typeof trusted === 'number' ? (socket, header) => forwardedAddress(header, trusted) ?? socket : byAddress(trusted);
  return ({ headers, socket: { remoteAddress } }) => {
    const header = headers['x-forwarded-for'];
    if (header === undefined || remoteAddress === undefined) return remoteAddress;
    return find(remoteAddress, String(header));
  };
}

/** Finds the client by the address of the socket and the entries of the header. */
type Find = (remoteAddress: string, header: string) => string;

function byAddress(ranges: readonly string[]): Find {
  const trusted = new BlockList();
  for (const range of ranges) {
    if (!isAddressRange(range))
      throw new RangeError(`${JSON.stringify(range)} is not an IP address or a range of them`);
    const [address = '', prefix = isIP(address) === 4 ? '32' : '128'] = range.split('/');
    trusted.addSubnet(address, Number(prefix), familyOf(address));
  }
  return (remoteAddress, header) => {
    let client = remoteAddress;
    for (const entry of header.split(',').reverse()) {
      const address = isIn(trusted, client) ? forwardedAddress(entry, 1) : undefined;
      if (address === undefined) break;
      client = address;
    }
    return client;
  };
}

/** Whether a text is an IP address, or a range such as `10.0.0.0/8`. A range of all addresses would trust every client. */
export function isAddressRange(text: string): boolean {
  const [address = '', prefix = '1', ...rest] = text.split('/');
  const most = { 4: 32, 6: 128 }[isIP(address)] ?? 0;
  return rest.length === 0 && /^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= most;
}

/** An address of a link may name its interface, as in `fe80::1%eth0`. */
function isIn(list: BlockList, client: string): boolean {
  const [address = ''] = client.split('%', 1);
  return isIP(address) !== 0 && list.check(address, familyOf(address));
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6');
