import { type Endpoint, ERRORS, type ErrorEnvelope } from '@broadsheet/contract';
import type { Failure } from './failure.ts';

/** Headers every answer carries, so that a page on any site can read it; no cookie is ever involved. */
export const CORS: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'X-Request-Id, ETag, Retry-After',
};

const PREFLIGHT: Readonly<Record<string, string>> = {
  ...CORS,
  'access-control-allow-methods': 'GET, HEAD, POST, OPTIONS',
  'access-control-allow-headers': 'X-API-Key, Content-Type, If-None-Match',
  'access-control-max-age': '86400',
};

/** Seconds a caller is asked to wait when the server cannot say better. */
const RETRY_AFTER = '1';

/** The answer to `OPTIONS`, which needs no key: browsers cannot send one with it. */
export function preflight(requestId: string): Response {
  return new Response(null, { status: 204, headers: { ...PREFLIGHT, 'x-request-id': requestId } });
}

/** The body of a success, by the form of its endpoint: in the envelope, or bare (api.md 4). */
export function encode(endpoint: Endpoint, answer: { readonly data: unknown; readonly meta?: unknown }): string {
  if (endpoint.form === 'bare') return JSON.stringify(answer.data);
  const { data, meta } = answer;
  return JSON.stringify(meta === undefined ? { success: true, data } : { success: true, data, meta });
}

/**
 * The headers of a success. Content may be kept by the caller but must be asked about each time, and differs by key;
 * the answers of the ad endpoints are worth something once.
 */
export function successHeaders(endpoint: Endpoint, requestId: string, etag: string): Record<string, string> {
  const headers = { ...CORS, 'x-request-id': requestId };
  return endpoint.form === 'bare'
    ? { ...headers, 'content-type': 'application/json', 'cache-control': 'no-store' }
    : {
        ...headers,
        'content-type': 'application/json',
        'cache-control': 'private, no-cache',
        vary: 'X-API-Key',
        etag,
      };
}

/** The standard error envelope (api.md 7). */
export function failed(failure: Failure, requestId: string, docsUrl: string): Response {
  const { code, details, message } = failure;
  const { status, type, retryable } = ERRORS[code];
  const body: ErrorEnvelope = {
    success: false,
    error: {
      message,
      code,
      type,
      statusCode: status,
      retryable,
      ...(details.fields && { details: { fields: [...details.fields] } }),
      requestId,
      docs: `${docsUrl}/errors/${code}`,
    },
  };
  const headers: Record<string, string> = {
    ...CORS,
    'x-request-id': requestId,
    'content-type': 'application/json',
    'cache-control': 'no-store',
  };
  if (status === 503) headers['retry-after'] = RETRY_AFTER;
  return new Response(JSON.stringify(body), { status, headers: { ...headers, ...details.headers } });
}

/** A read's answer as the request wants it: whole, its headers alone, or the news that the caller has it already. */
export function content(
  request: Request,
  body: Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>>,
): Response {
  if (matchesTag(request.headers.get('if-none-match'), headers['etag'] ?? '')) {
    const { 'content-type': _, ...rest } = headers;
    return new Response(null, { status: 304, headers: rest });
  }
  if (request.method !== 'HEAD') return new Response(body, { headers });
  return new Response(null, { headers: { ...headers, 'content-length': String(body.byteLength) } });
}

/** Whether an `If-None-Match` header names this strong tag; the comparison is weak, as HTTP asks for reads. */
function matchesTag(header: string | null, etag: string): boolean {
  if (header === null) return false;
  return header.trim() === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
