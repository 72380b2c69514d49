import { BroadsheetError } from './errors.ts';

/**
 * The client refused the call without a request: an id that a path cannot contain, an expired token, an invalid option.
 *
 * @example
 * ```ts
 * if (error instanceof InputError) console.log(error.message); // no request was made
 * ```
 */
export class InputError extends BroadsheetError {
  static override readonly kind: string = 'InputError';
}

/**
 * Code that the caller passed failed: a middleware, a cache, `retry.sleep` or a `fetch` threw, or returned something that
 * the client cannot use. `message` names the option, and `cause` is what it threw.
 *
 * @example
 * ```ts
 * if (error instanceof CallbackError) console.error(error.message, error.cause);
 * ```
 */
export class CallbackError extends BroadsheetError {
  static override readonly kind: string = 'CallbackError';
}

/**
 * The server could not be reached, or the connection closed before a response.
 *
 * @example
 * ```ts
 * if (error instanceof NetworkError) console.log(error.cause, error.attempts.length);
 * ```
 */
export class NetworkError extends BroadsheetError {
  static override readonly kind: string = 'NetworkError';
}

/**
 * The deadline of the call passed. `phase` is the step in which it did.
 *
 * @example
 * ```ts
 * if (error instanceof TimeoutError) console.log(`too slow while in phase ${error.phase}`);
 * ```
 */
export class TimeoutError extends BroadsheetError {
  static override readonly kind: string = 'TimeoutError';
}

/**
 * The caller's signal was aborted; its reason is the `cause`.
 *
 * @example
 * ```ts
 * if (error instanceof AbortError) console.log(error.cause);
 * ```
 */
export class AbortError extends BroadsheetError {
  static override readonly kind: string = 'AbortError';
}

/**
 * The server redirects to a URL to which the client does not send the key.
 *
 * @example
 * ```ts
 * if (error instanceof RedirectError) console.log(error.message); // says where to, and to change baseUrl
 * ```
 */
export class RedirectError extends BroadsheetError {
  static override readonly kind: string = 'RedirectError';
}

/**
 * The response does not match the API: it is cut off, not JSON, or has another shape.
 *
 * @example
 * ```ts
 * if (error instanceof ResponseError) console.log(error.code, error.body); // RESPONSE_NOT_JSON '<html>…'
 * ```
 */
export class ResponseError extends BroadsheetError {
  static override readonly kind: string = 'ResponseError';
}

/**
 * The API responded with a failure (api.md 7). The base class of the classes by status.
 *
 * @example
 * ```ts
 * if (error instanceof ApiError) console.log(error.status, error.code, error.docs);
 * ```
 */
export class ApiError extends BroadsheetError {
  static override readonly kind: string = 'ApiError';
}

/**
 * 400, 413, 415: the request is not valid; `fields` names the fields.
 *
 * @example
 * ```ts
 * if (error instanceof ValidationError) console.log(error.fields); // [{ field: 'q', code: 'too_small', … }]
 * ```
 */
export class ValidationError extends ApiError {
  static override readonly kind: string = 'ValidationError';
}

/**
 * 401: the key is missing, wrong or rotated.
 *
 * @example
 * ```ts
 * if (error instanceof AuthenticationError) console.log('set a new BROADSHEET_API_KEY');
 * ```
 */
export class AuthenticationError extends ApiError {
  static override readonly kind: string = 'AuthenticationError';
}

/**
 * 403: the click comes from a site that is not one of the blog's.
 *
 * @example
 * ```ts
 * if (error instanceof PermissionError) console.log('add this site to the domains of the blog');
 * ```
 */
export class PermissionError extends ApiError {
  static override readonly kind: string = 'PermissionError';
}

/**
 * 404: the item does not exist, or is not published.
 *
 * @example
 * ```ts
 * if (error instanceof NotFoundError) console.log('no such post');
 * ```
 */
export class NotFoundError extends ApiError {
  static override readonly kind: string = 'NotFoundError';
}

/**
 * 409: the click token was already used.
 *
 * @example
 * ```ts
 * if (error instanceof ConflictError) console.log('this click was registered before');
 * ```
 */
export class ConflictError extends ApiError {
  static override readonly kind: string = 'ConflictError';
}

/**
 * 429: too many requests; `retryAfter` says how long to wait.
 *
 * @example
 * ```ts
 * if (error instanceof RateLimitError) console.log(`again in ${error.retryAfter} ms`);
 * ```
 */
export class RateLimitError extends ApiError {
  static override readonly kind: string = 'RateLimitError';
}

/**
 * 500 and above: the server failed.
 *
 * @example
 * ```ts
 * if (error instanceof ServerError) console.log(`tell them ${error.requestId}`);
 * ```
 */
export class ServerError extends ApiError {
  static override readonly kind: string = 'ServerError';
}
