import type { AnswerBody, ApiAnswer } from '../http/answer.ts';
import type { Blog } from '../store.ts';
import { type Awaitable, isPromise } from '../store.ts';
import type { ApiCall } from './call.ts';

/** An answer inside the API; `Stream` is what a surrounding function may send instead of a body. */
export type CallAnswer<Stream = never> = ApiAnswer<AnswerBody | Stream>;

/**
 * A function around the calls of an API, such as a rate limit or a fault of the mock. It may answer without calling
 * `next`, change the answer of `next`, or throw an `ApiError` before or after it; `next` runs the inner functions and
 * never throws. A function that returns no promise when `next` returns none keeps cached answers synchronous.
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
  next: () => Awaitable<CallAnswer<Stream>>,
) => Awaitable<CallAnswer<Stream>>;

/**
 * Calls `admit` with the blog of each call with a valid key; `admit` throws an `ApiError` to refuse the call. A beacon
 * has no key and is admitted.
 */
export function admitted(admit: (blogId: string) => void): Around {
  return (call, next) => {
    if (call.isBeacon) return next();
    const pass = (blog: Blog) => {
      admit(blog.id);
      return next();
    };
    const blog = call.findBlog();
    return isPromise(blog) ? blog.then(pass) : pass(blog);
  };
}
