import { backOff } from './backoff.ts';
import { statusOf } from './delivery-error.ts';

/** After 5, 15 and 45 seconds: within the ten minutes for which the API remembers a key. */
const TIMES = 3;
/** No response, or one of a gateway that did not wait for it. */
const LOST = [0, 408, 502, 504];

/**
 * Repeats a delivery whose response was lost, with the key that it had.
 *
 * @param accepted Whether the API counts a delivery with a key once. Without that it is never repeated.
 * @throws what the last attempt failed with.
 */
export async function repeat<Result>(send: () => Promise<Result>, first: unknown, accepted: boolean): Promise<Result> {
  let cause = first;
  let resume = (): void => undefined;
  // One function for all waits: each is longer than the one before.
  const retry = (): void => resume();
  for (let time = 0; accepted && time < TIMES && LOST.includes(statusOf(cause)); time++) {
    await new Promise<void>((resolve) => {
      resume = resolve;
      backOff(cause, retry);
    });
    try {
      return await send();
    } catch (failure) {
      cause = failure;
    }
  }
  throw cause;
}
