import type { ErrorCode } from '@broadsheet/contract';
import {
  ApiError,
  AuthenticationError,
  ConflictError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  ValidationError,
} from '../errors/error-kinds.ts';
import type { ErrorFacts } from '../errors/errors.ts';

/** The class of the error for a status, and its code if the response has none, such as `{ error: 'text' }` of api.md 4.8. */
export const BY_STATUS: Readonly<Record<number, readonly [typeof ApiError, ErrorCode]>> = {
  400: [ValidationError, 'VALIDATION_ERROR'],
  401: [AuthenticationError, 'UNAUTHORIZED'],
  403: [PermissionError, 'ORIGIN_NOT_ALLOWED'],
  404: [NotFoundError, 'NOT_FOUND'],
  405: [ApiError, 'METHOD_NOT_ALLOWED'],
  409: [ConflictError, 'CLICK_TOKEN_USED'],
  413: [ValidationError, 'PAYLOAD_TOO_LARGE'],
  415: [ValidationError, 'UNSUPPORTED_MEDIA_TYPE'],
  429: [RateLimitError, 'RATE_LIMITED'],
  500: [ServerError, 'INTERNAL_ERROR'],
  503: [ServerError, 'UNAVAILABLE'],
};

/** An error of the class for a status. */
export function apiError(
  status: number,
  message: string,
  { code, ...facts }: Omit<ErrorFacts, 'code'> & { readonly code?: string | undefined },
): ApiError {
  const [Kind, usual] = BY_STATUS[status] ?? [status >= 500 ? ServerError : ApiError, `HTTP_${status}`];
  return new Kind(message, { ...facts, code: code ?? usual, status });
}

/** Statuses of failures that may be temporary, for responses without `retryable`. */
export const TRANSIENT: readonly number[] = [408, 425, 429, 500, 502, 503, 504];

/** Statuses of a proxy that did not pass the request on. */
export const REFUSING: readonly number[] = [429, 503];

/** Statuses that report a lost response, regardless of the sender. */
export const LOST: readonly number[] = [408, 502, 504];

/** Milliseconds that a response asks to wait: `Retry-After` in seconds or as an HTTP date. */
export function readRetryAfter(headers: Headers, now: number = Date.now()): number | undefined {
  const value = headers.get('retry-after')?.trim();
  if (!value) return undefined;
  const ms = /^\d+(\.\d+)?$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** The end of a message about a response that names a time. */
export const retryAfterHint = (ms: number | undefined): string => (ms ? ` Wait ${Math.ceil(ms / 1000)} s.` : '');
