import { statusOf } from './status.ts';

/** Milliseconds before what failed is tried again; each further time three times as long. */
const FIRST = 5000;
const LONGEST = 300_000;

interface Wait {
  failures: number;
  until: number;
  end(): void;
}

const waits = new WeakMap<() => void, Wait>();

/**
 * Calls `retry` when it is time: after a wait that grows with every failure in a row, so that an API that is down, or
 * blocked, is asked seldom. What the API itself asks for (`Retry-After`) is obeyed; otherwise a network that comes back,
 * and a reader who does, end the wait.
 */
export function backOff(cause: unknown, retry: () => void): void {
  const before = waits.get(retry);
  before?.end();
  // Long after the last wait it is another failure, and not the next in a row.
  const failures = before && Date.now() - before.until < LONGEST ? before.failures + 1 : 0;
  const { retryAfter = 0 } = cause as { retryAfter?: number };
  const wait = Math.max(retryAfter, Math.min(FIRST * 3 ** failures, LONGEST));
  const over = new AbortController();
  const { signal } = over;
  const end = (): void => {
    clearTimeout(timer);
    over.abort();
  };
  const again = (): void => {
    end();
    retry();
  };
  const timer = setTimeout(again, wait);
  waits.set(retry, { failures, until: Date.now() + wait, end });
  if (!statusOf(cause)) window.addEventListener('online', again, { signal });
  // Timers of a page in the background may be late by minutes.
  const late = (): void => {
    if (!document.hidden && Date.now() >= (waits.get(retry)?.until ?? 0)) again();
  };
  document.addEventListener('visibilitychange', late, { signal });
  window.addEventListener('pageshow', late, { signal });
}
