import type { EndpointId } from '../endpoint-id.ts';

/** A request as a middleware sees it. It never contains the key, which is added last. */
export interface MiddlewareRequest {
  /** The call, such as `posts.get`. */
  readonly endpoint: EndpointId;
  readonly method: string;
  readonly url: string;
  /** 1 for the first. */
  readonly attempt: number;
  /** The headers to send. A middleware cannot set `X-API-Key`. */
  readonly headers: Headers;
  /** Text, unless `blog.request()` sends a form or bytes. */
  readonly body: BodyInit | undefined;
  /** Aborted when the call times out or the caller aborts it. */
  readonly signal: AbortSignal;
}

/**
 * A function around a request. It runs once for each attempt; the first of a list is the outermost, and the middleware
 * of the client is outside the middleware of the call. `next` sends the request and resolves to the response, or throws
 * as the call would. A middleware may also return a response of its own. The deadline of the call includes it.
 *
 * @example
 * ```ts
 * const timing: Middleware = async (request, next) => {
 *   const start = performance.now();
 *   const response = await next();
 *   console.debug(request.endpoint, request.attempt, response.status, performance.now() - start);
 *   return response;
 * };
 * const timed = createClient({ middleware: [timing] });
 * ```
 */
export type Middleware = (request: MiddlewareRequest, next: () => Promise<Response>) => Promise<Response>;
