import { loadOnDemand } from '../load-on-demand.ts';

/** Milliseconds until a retry, when the file that knows better cannot be had. */
const LATER = 20_000;

/** Tries again later. How much later is decided in a file of its own, which a page in which nothing fails does not load. */
export function retryLater(cause: unknown, retry: () => void): void {
  loadOnDemand().then(
    ({ backOff }) => backOff(cause, retry),
    () => {
      setTimeout(retry, LATER);
      window.addEventListener('online', retry, { once: true });
    },
  );
}
