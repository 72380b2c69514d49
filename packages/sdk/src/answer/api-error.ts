import type { ErrorCode } from '@broadsheet/contract';
import type { ErrorFacts } from '../errors/error-facts.ts';
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

const KIND_BY_STATUS: Readonly<Record<number, typeof ApiError>> = {
  400: ValidationError,
  413: ValidationError,
  415: ValidationError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  429: RateLimitError,
};

/** The error of the class that fits a status. */
export function apiError(status: number, message: string, facts: ErrorFacts): ApiError {
  const Kind = KIND_BY_STATUS[status] ?? (status >= 500 ? ServerError : ApiError);
  return new Kind(message, { ...facts, status });
}

/** The code of a failure that does not say its own, such as `{ error: 'text' }` of api.md 4.8. */
export const CODE_BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  400: 'VALIDATION_ERROR',
  401: 'UNAUTHORIZED',
  403: 'ORIGIN_NOT_ALLOWED',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  409: 'CLICK_TOKEN_USED',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'RATE_LIMITED',
  500: 'INTERNAL_ERROR',
  503: 'UNAVAILABLE',
};

/** Statuses that may pass with time, for answers that do not say `retryable`. */
export const TRANSIENT: readonly number[] = [408, 425, 429, 500, 502, 503, 504];

/** Statuses with which a proxy says that it did not pass the request on. */
export const REFUSING: readonly number[] = [429, 503];

/** Statuses that mean that a response was lost, regardless of the sender. */
export const LOST: readonly number[] = [408, 502, 504];

/** Milliseconds that a response asks to wait: from `retry-after-ms`, else from `Retry-After` in seconds or as an HTTP date. */
export function readRetryAfter(headers: Headers, now: number = Date.now()): number | undefined {
  const precise = headers.get('retry-after-ms');
  if (precise && /^\d+(\.\d+)?$/.test(precise)) return Number(precise);
  const value = headers.get('retry-after')?.trim();
  if (!value) return undefined;
  const ms = /^\d+(\.\d+)?$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** The end of a message about a response that names a time. */
export const retryAfterHint = (ms: number | undefined): string => (ms ? ` Wait ${Math.ceil(ms / 1000)} s.` : '');
