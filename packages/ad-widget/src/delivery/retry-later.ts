import { loadOnDemand } from '../load-on-demand.ts';

/** Milliseconds until a retry while the file that knows better cannot be had; each further time three times as long. */
let later = 5000;

/** Tries again later. How much later is decided in a file of its own, which a page in which nothing fails does not load. */
export function retryLater(cause: unknown, retry: () => void): void {
  loadOnDemand().then(
    ({ backOff }) => backOff(cause, retry),
    () => {
      setTimeout(retry, later);
      later *= 3;
      window.addEventListener('online', retry, { once: true });
    },
  );
}
