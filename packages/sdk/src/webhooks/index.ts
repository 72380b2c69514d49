/**
 * Verifies webhooks of a Broadsheet server in any runtime with WebCrypto. They follow
 * [Standard Webhooks](https://www.standardwebhooks.com).
 *
 * @module
 */
import {
  signedContent,
  WEBHOOK_HEADERS,
  WEBHOOK_SECRET_PREFIX,
  WEBHOOK_TOLERANCE,
  type WebhookEvent,
} from '@broadsheet/contract';
import { WebhookError } from './webhook-error.ts';

export type { WebhookEvent, WebhookType } from '@broadsheet/contract';
export { WebhookError, type WebhookErrorCode } from './webhook-error.ts';

/** The body of a request as it was received: as text, as bytes, or as a stream, such as a request of Node. */
export type RawBody = string | Uint8Array | AsyncIterable<Uint8Array>;

/** An event and the `webhook-id` of its message, which is the same when a message arrives twice. */
export type ReceivedEvent = WebhookEvent & { readonly id: string };

/** The headers of a request: `Headers`, or those of Node and Express. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

type Secret = string | null | undefined;

/**
 * Verifies a webhook and returns its event. Pass a `Request` whose body was not read before; or, in Node, the request as
 * the body, its headers and the secret. Parsed JSON no longer has the bytes that were signed. The time of the request
 * may differ from the clock by five minutes, so a recorded request cannot be sent again later.
 *
 * @param secret the secret that `broadsheet hooks add` printed (`whsec_…`); during a rotation, both secrets. One that is
 * undefined or null is ignored, as long as there is another.
 * @throws WebhookError for a request that is not authentic, and for a secret that is missing, damaged or shorter than 24
 * bytes
 *
 * @example
 * ```ts
 * const { data } = await unwrap(request, [process.env.WEBHOOK_SECRET, process.env.OLD_WEBHOOK_SECRET]);
 * for (const tag of data.tags) revalidateTag(tag, 'max');
 *
 * createServer(async (request, response) => {
 *   const { id, type } = await unwrap(request, request.headers, process.env.WEBHOOK_SECRET);
 *   response.writeHead(204).end();
 * });
 * ```
 */
export async function unwrap(request: Request, secret: Secret | readonly Secret[]): Promise<ReceivedEvent>;
export async function unwrap(
  body: RawBody,
  headers: WebhookHeaders,
  secret: Secret | readonly Secret[],
): Promise<ReceivedEvent>;
export async function unwrap(
  message: Request | RawBody,
  ...given: [secret: Secret | readonly Secret[]] | [headers: WebhookHeaders, secret: Secret | readonly Secret[]]
): Promise<ReceivedEvent> {
  const [headers, secret] = given.length === 2 ? given : [headersOf(message), given[0]];
  const keys = readSecrets(secret);
  const [id, timestamp, signature] = [WEBHOOK_HEADERS.id, WEBHOOK_HEADERS.timestamp, WEBHOOK_HEADERS.signature].map(
    (name) => (isHeaders(headers) ? headers.get(name) : headers[name]?.toString()),
  );
  if (!id || !timestamp || !signature) {
    const names = Object.values(WEBHOOK_HEADERS).join(', ');
    throw new WebhookError('HEADERS_MISSING', `A webhook has the headers ${names}; this request lacks one of them.`);
  }
  const age = Date.now() / 1000 - Number(timestamp);
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(age) > WEBHOOK_TOLERANCE) {
    const why = 'The time of the request differs by more than five minutes.';
    const advice = 'Check the clock of this machine; otherwise the request is a copy of an earlier one.';
    throw new WebhookError('TIMESTAMP_OUT_OF_RANGE', `${why} ${advice}`);
  }
  const body = await readBody(message);
  const signed = new TextEncoder().encode(signedContent(id, timestamp, body));
  if (!(await isSigned(signed, signature, keys))) {
    const advice = 'Check that the secret belongs to this webhook, and that nothing changed the body in transit.';
    throw new WebhookError('SIGNATURE_INVALID', `No signature of the request matches this secret. ${advice}`);
  }
  return { ...readEvent(body), id };
}

const isHeaders = (headers: WebhookHeaders): headers is Headers => typeof headers.get === 'function';

/** @throws TypeError for anything but a `Request` */
function headersOf(message: Request | RawBody): WebhookHeaders {
  if (typeof message === 'object' && 'headers' in message && isHeaders(message.headers)) return message.headers;
  throw new TypeError('unwrap: expected a Request and the secret, or the raw body, the headers and the secret.');
}

/** The event in a body. A type that a newer server sends is returned as well. */
function readEvent(body: string): WebhookEvent {
  try {
    const event = JSON.parse(body) as WebhookEvent;
    if (typeof event.type === 'string' && Array.isArray(event.data.tags)) return event;
  } catch (cause) {
    throw new WebhookError('BODY_INVALID', 'The body is not the JSON of an event.', cause);
  }
  throw new WebhookError('BODY_INVALID', 'The body has no type or no tags: another program sent it.');
}

/** The maximum number of bytes to read of a body. The body of an event only names what changed, and is much shorter. */
const MAX_BODY = 256 * 1024;

/** A body as text. @throws WebhookError when it is empty, too large, cut off, or not what was received */
async function readBody(body: RawBody | Request): Promise<string> {
  const text = typeof body === 'string' ? body : await readChunks(chunksOf(body));
  if (text !== '') return text;
  throw unreadable('The body of the request is empty. Pass it before anything else reads it.');
}

const unreadable = (message: string, cause?: unknown) => new WebhookError('BODY_UNREADABLE', message, cause);

function chunksOf(body: Uint8Array | AsyncIterable<Uint8Array> | Request): AsyncIterable<Uint8Array> | [Uint8Array] {
  if (body instanceof Uint8Array) return [body];
  if (typeof body === 'object' && body !== null) {
    if (Symbol.asyncIterator in body) return body;
    if (body.bodyUsed || body.body?.locked) {
      const advice = 'Pass the request to unwrap before anything reads it, or a clone of it.';
      throw unreadable(`The body of the request was already read, or is being read. ${advice}`);
    }
    // A JSON parser returns an object without a stream.
    if (body.body === null || typeof body.body?.getReader === 'function') return streamed(body.body);
  }
  const advice = 'Parsed JSON no longer has the bytes that were signed: use express.raw(), for example.';
  throw unreadable(`The body is neither text, nor bytes, nor a stream. ${advice}`);
}

/** The chunks of a stream, because not every browser can iterate over one. */
async function* streamed(stream: ReadableStream<Uint8Array> | null): AsyncIterable<Uint8Array> {
  const reader = stream?.getReader();
  try {
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) yield part.value;
  } finally {
    void reader?.cancel().catch(() => {});
  }
}

async function readChunks(chunks: AsyncIterable<Uint8Array> | [Uint8Array]): Promise<string> {
  // A byte order mark is signed as well.
  const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
  let size = 0;
  let text = '';
  try {
    for await (const chunk of chunks) {
      size += chunk.byteLength;
      if (size > MAX_BODY) break;
      text += utf8.decode(chunk, { stream: true });
    }
  } catch (cause) {
    throw unreadable('The connection closed while the body was being read.', cause);
  }
  if (size <= MAX_BODY) return text + utf8.decode();
  throw new WebhookError('BODY_TOO_LARGE', `The body is longer than ${MAX_BODY / 1024} KiB, the limit for webhooks.`);
}

type Bytes = Uint8Array<ArrayBuffer>;

/** Bytes of a secret, by Standard Webhooks. */
const SHORTEST = 24;

/** The keys of the given secrets. A short secret, such as the text "null" in a variable, can be guessed. */
function readSecrets(secret: Secret | readonly Secret[]): Bytes[] {
  const given = [secret].flat().filter((one) => one !== undefined && one !== null && one !== '');
  const keys = given.map((one) => decodeBase64(String(one).trim().replace(WEBHOOK_SECRET_PREFIX, '')));
  if (keys.length > 0 && keys.every((key): key is Bytes => key !== undefined && key.byteLength >= SHORTEST))
    return keys;
  const what = given.length === 0 ? 'The secret of the webhook is missing' : 'A secret of the webhook is damaged';
  throw new WebhookError('SECRET_INVALID', `${what}: pass what "broadsheet hooks add" printed, whsec_ and base64.`);
}

function decodeBase64(text: string): Bytes | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** Whether one of the keys created one of the signatures in a header. `verify` compares in constant time. */
async function isSigned(signed: Bytes, header: string, keys: readonly Bytes[]): Promise<boolean> {
  const signatures = header
    .split(' ')
    .flatMap((one) => (one.startsWith('v1,') ? (decodeBase64(one.slice(3)) ?? []) : []));
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  for (const bytes of keys) {
    const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify']);
    for (const signature of signatures) if (await crypto.subtle.verify('HMAC', key, signature, signed)) return true;
  }
  return false;
}
