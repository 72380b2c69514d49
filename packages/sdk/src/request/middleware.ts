import type { EndpointId } from '../endpoint-id.ts';

/**
 * A request on its way through the middleware. It never shows the key, which is added last.
 *
 * @example
 * ```ts
 * const named = (request: MiddlewareRequest) => request.headers.set('x-site', 'my.blog');
 * ```
 */
export interface MiddlewareRequest {
  /** The call, such as `posts.get`. */
  readonly endpoint: EndpointId;
  readonly method: string;
  readonly url: string;
  /** 1 for the first. */
  readonly attempt: number;
  /** What is set here is sent; `X-API-Key` alone is not for a middleware. */
  readonly headers: Headers;
  readonly body: string | undefined;
  /** Aborted when the call ends before its answer: by time, or by the caller. */
  readonly signal: AbortSignal;
}

/**
 * What surrounds a request: it runs once for each attempt, the first of a list outermost, and a client's outside a
 * call's. `next` sends the request and gives the answer, or throws as the call would; a middleware may also answer
 * itself. The deadline of the call covers it.
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
