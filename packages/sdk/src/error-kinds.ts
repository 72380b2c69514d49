import { BroadsheetError, type ErrorFacts } from './errors.ts';

/** The call was refused before the network: an id that cannot stand in a path, an expired token, a wrong option. */
export class InputError extends BroadsheetError {
  static override readonly kind: string = 'InputError';
}

/** The server could not be reached, or the connection broke before an answer. */
export class NetworkError extends BroadsheetError {
  static override readonly kind: string = 'NetworkError';
}

/** The deadline of the call passed. `phase` says what it was doing then. */
export class TimeoutError extends BroadsheetError {
  static override readonly kind: string = 'TimeoutError';
}

/** The caller's signal was aborted; its reason is the `cause`. */
export class AbortError extends BroadsheetError {
  static override readonly kind: string = 'AbortError';
}

/** The server redirects to where the key must not go. */
export class RedirectError extends BroadsheetError {
  static override readonly kind: string = 'RedirectError';
}

/** The answer is not what the API promises: cut off, not JSON, or of another shape. */
export class ResponseError extends BroadsheetError {
  static override readonly kind: string = 'ResponseError';
}

/** The API answered that the call failed (api.md 7). The base of the classes by status. */
export class ApiError extends BroadsheetError {
  static override readonly kind: string = 'ApiError';
}

/** 400, 413, 415: something in the request is wrong; `fields` names what. */
export class ValidationError extends ApiError {
  static override readonly kind: string = 'ValidationError';
}

/** 401: the key is missing, wrong or rotated. */
export class AuthenticationError extends ApiError {
  static override readonly kind: string = 'AuthenticationError';
}

/** 403: the click comes from a site that is not one of the blog's. */
export class PermissionError extends ApiError {
  static override readonly kind: string = 'PermissionError';
}

/** 404: there is no such thing, or it is not published. */
export class NotFoundError extends ApiError {
  static override readonly kind: string = 'NotFoundError';
}

/** 409: the click token was already used. */
export class ConflictError extends ApiError {
  static override readonly kind: string = 'ConflictError';
}

/** 429: too many requests; `retryAfter` says how long to wait. */
export class RateLimitError extends ApiError {
  static override readonly kind: string = 'RateLimitError';
}

/** 500 and above: the server failed. */
export class ServerError extends ApiError {
  static override readonly kind: string = 'ServerError';
}

const byStatus: Readonly<Record<number, typeof ApiError>> = {
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
  const kind = byStatus[status] ?? (status >= 500 ? ServerError : ApiError);
  return new kind(message, { ...facts, status });
}
