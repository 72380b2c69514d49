import type { ErrorCode } from '@broadsheet/contract';
import { readRetryAfter } from '@broadsheet/contract/retry-after';
import type { Outgoing } from '../calls/outgoing.ts';
import {
  ApiError,
  AuthenticationError,
  ConflictError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ResponseError,
  ServerError,
  ValidationError,
} from '../errors/error-kinds.ts';
import { type BroadsheetError, type ErrorFacts, tryRead } from '../errors/errors.ts';
import type { Incoming } from './incoming.ts';

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
/** Statuses of failures that may be temporary, for responses without `retryable`. */
export const TRANSIENT: readonly number[] = [408, 425, 429, 500, 502, 503, 504];
/** Statuses of a proxy that did not pass the request on. */
const REFUSING: readonly number[] = [429, 503];
/** Statuses that report a lost response, regardless of the sender. */
const LOST: readonly number[] = [408, 502, 504];

export type JsonObject = Readonly<Record<string, unknown>>;

/** What a failed response means to a program: the class of its error, its code, and whether it may be repeated. */
export interface Failure {
  readonly Kind: typeof ApiError;
  readonly facts: ErrorFacts;
}

/**
 * Reads the meaning of a failed response. This is in the first file: in a service worker, or on a page whose application
 * was deployed again, no second file can be loaded.
 *
 * @param reported - the error that the API reports; `undefined` for the response of something else, such as a proxy.
 */
export function readFailure(outgoing: Outgoing, { status, headers }: Incoming, reported?: JsonObject): Failure {
  const { id, endpoint } = outgoing;
  const other =
    !reported && status < 400
      ? ([ResponseError, 'RESPONSE_MISMATCH'] as const)
      : ([ApiError, `HTTP_${status}`] as const);
  const [kind, usual] = BY_STATUS[status] ?? (status > 499 ? [ServerError, other[1]] : other);
  const isTransient = TRANSIENT.includes(status);
  const { code = usual, retryable = isTransient, requestId = headers.get('x-request-id') } = reported ?? {};
  // A wrong `baseUrl` must not look like a missing post. A path without an id always exists; a draft is found by its token.
  const isFixed = !endpoint.path.includes('{') && id !== 'preview' && id !== 'request';
  const isNowhere = !reported || isFixed || code === ('NO_SUCH_ENDPOINT' satisfies ErrorCode);
  return {
    Kind: status === 404 && isNowhere ? ResponseError : kind,
    facts: {
      endpoint: id,
      status,
      code: `${code}`,
      phase: 'response',
      retryable: retryable === true,
      mayRepeat: reported ? reported['retryable'] === true && !LOST.includes(status) : REFUSING.includes(status),
      retryAfter: readRetryAfter(headers.get('retry-after')),
      requestId: requestId === null ? undefined : `${requestId}`,
    },
  };
}

/** The error of a response that cannot be explained, because the second file of the client cannot be loaded. */
export function unexplained(outgoing: Outgoing, response: Incoming): BroadsheetError {
  const reported = tryRead(() => (JSON.parse(response.text) as { readonly error: JsonObject }).error);
  const { Kind, facts } = readFailure(outgoing, response, reported);
  const { status, code } = facts;
  return new Kind(`${outgoing.id}: status ${status}, ${code}; the file that explains it cannot be loaded.`, facts);
}
