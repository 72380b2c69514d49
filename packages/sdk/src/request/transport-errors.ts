import type { Outgoing } from '../calls/outgoing.ts';
import { NetworkError, ResponseError } from '../errors/error-kinds.ts';
import { type BroadsheetError, type ErrorFacts, tryRead } from '../errors/errors.ts';
import { redactError } from '../errors/redact.ts';

/** The error of a request that got no response. */
export function networkError({ id, endpoint, settings }: Outgoing, url: string, cause: unknown): BroadsheetError {
  const reason = reasonOf(cause);
  const codes = codesOf(cause);
  const remedy = /\bSSL\b|EPROTO/i.test(reason)
    ? 'If the server has no https, use http:// in baseUrl'
    : 'Check baseUrl, and that the server is running';
  const error = new NetworkError(`${id}: ${endpoint.method} ${url} got no response (${reason}). ${remedy}.`, {
    code: 'NETWORK_ERROR',
    phase: 'connect',
    // Another attempt does not change a certificate.
    retryable: !/CERT|LEAF_SIGNATURE/.test(codes),
    // Without a connection nothing can have been counted.
    mayRepeat: /\b(ECONNREFUSED|ConnectionRefused|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)\b/.test(codes),
    cause,
  });
  return redactError(error, settings.redact); // a middleware may see it first
}

/** The error of a response whose body could not be read. */
export function bodyError(
  { id, endpoint, url }: Outgoing,
  { status, headers }: Response,
  why: string,
  facts: Omit<ErrorFacts, 'phase'>,
): ResponseError {
  const requestId = headers.get('x-request-id') ?? undefined;
  return new ResponseError(`${id}: ${endpoint.method} ${url}: ${why}.`, { ...facts, phase: 'body', status, requestId });
}

/** The message of the innermost cause: undici's own is only `fetch failed`. */
export const reasonOf = (error: unknown): string => tryRead(() => innermost(error)) ?? 'unreadable error';

function innermost(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return innermost(error.cause);
  // The middle of a message of OpenSSL: the rest is about its own source.
  const message = error.message.replace(/^.*:(SSL routines):[^:]*:([^:]*):.*$/s, '$1: $2');
  return message || ('code' in error ? String(error.code) : error.name);
}

/** The codes of an error and of its causes. */
const codesOf = (error: unknown): string =>
  tryRead(() => error instanceof Error && `${'code' in error ? error.code : ''} ${codesOf(error.cause)}`) || '';
