import type { ApiCall, CallResponse, IncomingCall } from './call.ts';
import { failed } from './outcome.ts';

/**
 * A function around the calls of an API, such as a fault of the mock. It may respond without calling `next`, change the
 * response of `next`, or throw an `ApiError` before or after it; `next` runs the inner functions and never rejects.
 *
 * @example
 * ```ts
 * const slow: Around = async (call, next) => {
 *   if (call.endpoint === 'search') await pause(call.query.value?.q.length ?? 0);
 *   return next();
 * };
 * ```
 */
export type Around<Stream = never, Call extends ApiCall = ApiCall> = (
  call: Call,
  next: () => Promise<CallResponse<Stream>>,
) => Promise<CallResponse<Stream>>;

/** One step of a call on its way to the operation of its endpoint. */
export type Step<Stream> = (call: IncomingCall) => Promise<CallResponse<Stream>>;

/** A step with functions around it; the first is the outermost. Each of them gets a response for every error inside. */
export function surround<Stream, Call extends ApiCall>(
  around: readonly Around<Stream, Call>[],
  innermost: Step<Stream>,
  docsUrl: string,
): Step<Stream> {
  return around.reduceRight(
    (inner, layer) => async (call) =>
      layer(call as ApiCall as Call, () => inner(call).catch((error) => failed(call, error, docsUrl))),
    innermost,
  );
}
