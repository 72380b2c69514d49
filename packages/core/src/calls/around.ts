import type { ApiResponse, ResponseBody } from '../http/response.ts';
import type { ApiCall } from './call.ts';

/** A response inside the API; `Stream` is what a surrounding function may send instead of a body. */
export type CallResponse<Stream = never> = ApiResponse<ResponseBody | Stream>;

/**
 * A function around the calls of an API, such as a fault of the mock. It may respond without calling
 * `next`, change the response of `next`, or throw an `ApiError` before or after it; `next` runs the inner functions and
 * never rejects.
 *
 * @example
 * ```ts
 * const slow: Around = async (call, next) => {
 *   if (call.endpoint === 'search') await pause(call.query.value?.q.length ?? 0);
 *   return next();
 * };
 * ```
 */
export type Around<Stream = never> = (
  call: ApiCall,
  next: () => Promise<CallResponse<Stream>>,
) => Promise<CallResponse<Stream>>;
