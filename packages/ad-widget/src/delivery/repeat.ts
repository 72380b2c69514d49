import { backOff } from './backoff.ts';
import { statusOf } from './delivery-error.ts';

/** After 5, 15 and 45 seconds: within the ten minutes for which the API remembers a key. */
const TIMES = 3;
/** No response, or the response of a gateway that did not wait for one. */
const LOST = [0, 408, 502, 504];

/**
 * Repeats a delivery whose response was lost, with the same key.
 *
 * @param headers Those of the last delivery. Unless they say that the API counts deliveries with the same key once, none
 *   is repeated.
 * @throws what the last attempt failed with.
 */
export async function repeat<Result>(send: () => Promise<Result>, first: unknown, headers?: Headers): Promise<Result> {
  const accepted = headers?.has('Idempotency-Accepted');
  let cause = first;
  for (let time = 0; accepted && time < TIMES && LOST.includes(statusOf(cause)); time++) {
    await new Promise<void>((resolve) => backOff(send, cause, resolve));
    try {
      return await send();
    } catch (failure) {
      cause = failure;
    }
  }
  throw cause;
}
