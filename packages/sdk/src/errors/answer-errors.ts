import { BroadsheetError } from './errors.ts';

// The errors of complete answers. Apart from the others, for only a failure loads them.

/**
 * The server redirects to where the key must not go.
 *
 * @example
 * ```ts
 * const { error } = await blog.posts.list().safe();
 * if (error instanceof RedirectError) console.log(error.message); // says where to, and to change baseUrl
 * ```
 */
export class RedirectError extends BroadsheetError {
  static override readonly kind: string = 'RedirectError';
}

/**
 * The API answered that the call failed (api.md 7). The base of the classes by status.
 *
 * @example
 * ```ts
 * const { error } = await blog.posts.list().safe();
 * if (error instanceof ApiError) console.log(error.status, error.code, error.docs);
 * ```
 */
export class ApiError extends BroadsheetError {
  static override readonly kind: string = 'ApiError';
}

/**
 * 400, 413, 415: something in the request is wrong; `fields` names what.
 *
 * @example
 * ```ts
 * const { error } = await blog.search('ab').safe();
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
 * const { error } = await blog.posts.list().safe();
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
 * const { error } = await blog.ads.click(token).safe();
 * if (error instanceof PermissionError) console.log('add this site to the domains of the blog');
 * ```
 */
export class PermissionError extends ApiError {
  static override readonly kind: string = 'PermissionError';
}

/**
 * 404: there is no such thing, or it is not published.
 *
 * @example
 * ```ts
 * const { data, error } = await blog.posts.getBySlug('hello').safe();
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
 * const { error } = await blog.ads.click(token).safe();
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
 * const { error } = await blog.posts.list({ retry: 0 }).safe();
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
 * const { error } = await blog.posts.list().safe();
 * if (error instanceof ServerError) console.log(`tell them ${error.requestId}`);
 * ```
 */
export class ServerError extends ApiError {
  static override readonly kind: string = 'ServerError';
}
