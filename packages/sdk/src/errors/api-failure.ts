import type { ErrorCode } from '@broadsheet/contract';
import type { ErrorFacts } from './error-facts.ts';
import type { Failure } from './failure.ts';

const KIND_BY_STATUS: Readonly<Record<number, string>> = {
  400: 'ValidationError',
  413: 'ValidationError',
  415: 'ValidationError',
  401: 'AuthenticationError',
  403: 'PermissionError',
  404: 'NotFoundError',
  409: 'ConflictError',
  429: 'RateLimitError',
};

/** The failure of the kind that fits a status. */
export function apiFailure(status: number, message: string, facts: ErrorFacts): Failure {
  const kind = KIND_BY_STATUS[status] ?? (status >= 500 ? 'ServerError' : 'ApiError');
  return { kind, message, facts: { ...facts, status } };
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
