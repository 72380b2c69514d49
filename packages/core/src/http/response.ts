import { ENDPOINTS, type Endpoint, type EndpointId, ERRORS, errorEnvelope } from '@broadsheet/contract';
import type { ApiError } from './api-error.ts';
import type { ApiRequest } from './request.ts';

/** A response before a door sends it; its body is buffered unless the type says otherwise. */
export interface ApiResponse<Body = string | Uint8Array<ArrayBuffer>> {
  readonly status: number;
  /** Names in lower case; `content-length` only where there is no body to measure. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body | null;
}

/** The response with the chunks of its body joined; a body of another kind is unchanged. */
export function buffered<Body>({
  body,
  ...response
}: ApiResponse<Body>): ApiResponse<Exclude<Body, Chunks> | Uint8Array<ArrayBuffer>> {
  return { ...response, body: isChunks(body) ? toBytes(body) : (body as Exclude<Body, Chunks>) };
}

/** A response of the Fetch standard. */
export const toFetch = ({ body, ...init }: ApiResponse<string | Uint8Array<ArrayBuffer> | ReadableStream>): Response =>
  new Response(body, init);

/** The body of a response: bytes, which may be shared, a string, or chunks. */
export type ResponseBody = string | Uint8Array<ArrayBuffer> | Chunks;

/** Bytes in consecutive chunks, so that large bodies need not be copied. */
export interface Chunks {
  readonly chunks: readonly Uint8Array<ArrayBuffer>[];
  /** Whether the receiver owns the buffers and may free their memory; otherwise others read them too. */
  readonly owned: boolean;
}

const utf8 = new TextEncoder();

export function isChunks(body: unknown): body is Chunks {
  return typeof body === 'object' && body !== null && 'chunks' in body;
}

/** The number of bytes of a body; for a string its length, which is close enough for an estimate. */
export function sizeOf(body: ResponseBody): number {
  return isChunks(body) ? body.chunks.reduce((size, chunk) => size + chunk.byteLength, 0) : body.length;
}

/** A body in one piece; a string becomes UTF-8. */
export function toBytes(body: ResponseBody): Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return utf8.encode(body);
  if (!isChunks(body)) return body;
  const joined = new Uint8Array(sizeOf(body));
  let at = 0;
  for (const chunk of body.chunks) {
    joined.set(chunk, at);
    at += chunk.byteLength;
  }
  return joined;
}

/** A value as its JSON, in a string or in UTF-8; `before` and `after` surround it, such as the brackets of a list. */
export class Encoded<T> {
  readonly json: Chunks | string;
  readonly before: string;
  readonly after: string;
  /** Phantom property: carries only the type. */
  declare readonly value: T;

  constructor(json: Chunks | string, before = '', after = '') {
    this.json = json;
    this.before = before;
    this.after = after;
  }

  /** The JSON between two more strings; bytes are not copied. */
  within(before: string, after: string): Chunks | string {
    const start = before + this.before;
    const end = this.after + after;
    if (typeof this.json === 'string') return start + this.json + end;
    return { ...this.json, chunks: [utf8.encode(start), ...this.json.chunks, utf8.encode(end)] };
  }
}

/** Whether a value is {@link Encoded}, even by another copy of this module. */
const isEncoded = (value: unknown): value is Encoded<unknown> => typeof Object(value).within === 'function';

/** A value, or its JSON if it is already encoded. */
export type MaybeEncoded<T> = T | Encoded<T>;

/** The value, decoded if necessary. */
export function decoded<T>(value: MaybeEncoded<T>): T {
  if (!isEncoded(value)) return value;
  const { json, before, after } = value;
  return JSON.parse(before + (typeof json === 'string' ? json : new TextDecoder().decode(toBytes(json))) + after);
}

/** Headers every response carries, so that a page on any site can read it; no cookie is ever involved. */
export const CORS: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'X-Request-Id, ETag, Retry-After, Idempotency-Accepted, Idempotency-Replayed, Broadsheet-Viewable',
};

const PREFLIGHT: Readonly<Record<string, string>> = {
  ...CORS,
  'access-control-allow-methods': 'GET, HEAD, POST, OPTIONS',
  'access-control-allow-headers': 'X-API-Key, Content-Type, If-None-Match',
  'access-control-max-age': '86400',
};

const ONCE = { ...CORS, 'content-type': 'application/json', 'cache-control': 'no-store' };
const CONTENT = { ...ONCE, 'cache-control': 'private, no-cache', vary: 'X-API-Key' };

/** Seconds after which a caller should try again, by default. */
const RETRY_AFTER = '1';

/** The headers of {@link PREFLIGHT} for previews, which also need `Authorization`. */
const PREVIEW_PREFLIGHT = {
  ...PREFLIGHT,
  'access-control-allow-headers': `${PREFLIGHT['access-control-allow-headers']}, Authorization`,
};

/** The properties of a call that its response depends on. */
interface RequestWithId {
  readonly request: ApiRequest;
  readonly requestId: string;
}

/** The response to `OPTIONS`, which needs no key: browsers cannot send one with a preflight. */
export function preflight({ request, requestId }: RequestWithId): ApiResponse {
  const headers = request.url.includes(ENDPOINTS.preview.path) ? PREVIEW_PREFLIGHT : PREFLIGHT;
  return { status: 204, headers: { ...headers, 'x-request-id': requestId }, body: null };
}

/** The response to a beacon, which has no body. */
export function noContent({ requestId }: RequestWithId): ApiResponse {
  return { status: 204, headers: { ...CORS, 'cache-control': 'no-store', 'x-request-id': requestId }, body: null };
}

/** The body of a success: in the envelope or bare, depending on the endpoint (api.md 4). */
export function encode(
  { form }: Endpoint,
  { data, meta }: { readonly data: unknown; readonly meta?: unknown },
): string | Chunks {
  const bare = form === 'bare';
  const before = bare ? '' : '{"success":true,"data":';
  const after = bare ? '' : meta === undefined ? '}' : `,"meta":${JSON.stringify(meta)}}`;
  // A value that is already encoded is not parsed.
  return isEncoded(data) ? data.within(before, after) : before + JSON.stringify(data) + after;
}

/**
 * The response to a read: with its body, without it for HEAD, or 304 when the caller already has it. Callers may cache
 * content but must revalidate it each time, and it differs by key; previews must not be reused.
 */
export function readResponse(
  { request, requestId }: RequestWithId,
  { id, body }: { readonly id: EndpointId; readonly body: ResponseBody },
  revision: string,
): ApiResponse<ResponseBody> {
  const etag = id === 'preview' ? undefined : `"${revision}"`;
  const headers = etag ? { ...CONTENT, 'x-request-id': requestId, etag } : { ...ONCE, 'x-request-id': requestId };
  const known = request.header('if-none-match');
  if (known !== null && matchesTag(known, etag)) {
    const { 'content-type': _, ...rest } = headers;
    return { status: 304, headers: rest, body: null };
  }
  if (request.method !== 'HEAD') return { status: 200, headers, body };
  return { status: 200, headers: { ...headers, 'content-length': String(toBytes(body).byteLength) }, body: null };
}

/** The response to a call with an effect, which must not be reused. */
export const effectResponse = (
  { requestId }: RequestWithId,
  body: ResponseBody,
  headers: Readonly<Record<string, string>>,
): ApiResponse<ResponseBody> => ({ status: 200, headers: { ...ONCE, 'x-request-id': requestId, ...headers }, body });

/** The standard error envelope (api.md 7). */
export function errorResponse(
  error: ApiError,
  requestId: string,
  docsUrl: string,
): ApiResponse & { readonly headers: Record<string, string>; readonly body: string } {
  const { code, details, message } = error;
  const { status } = ERRORS[code];
  const { fields, retryable } = details;
  const body = JSON.stringify(errorEnvelope(code, { message, fields, retryable, requestId, docsUrl }));
  const headers: Record<string, string> = { ...ONCE, 'x-request-id': requestId };
  if (status === 503) headers['retry-after'] = RETRY_AFTER;
  return { status, headers: { ...headers, ...details.headers }, body };
}

/** Whether an `If-None-Match` header names this strong tag; the comparison is weak, as HTTP requires for reads. */
export function matchesTag(header: string | null, etag: string | undefined): boolean {
  if (header === null || etag === undefined) return false;
  return header.trim() === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
