import { after } from '../timer.ts';
import { statusOf } from './delivery-error.ts';

/** Milliseconds before what failed is tried again; each further time three times as long. */
const FIRST = 5000;
const LONGEST = 300_000;

interface Wait {
  readonly failures: number;
  readonly until: number;
  readonly stop: AbortController;
}

const waits = new WeakMap<() => void, Wait>();

/**
 * Calls `retry` when it is time: after a wait that grows with every failure in a row, so that an API that is down, or
 * blocked, gets few requests. What the API itself asks for (`Retry-After`) is obeyed; otherwise a network that comes
 * back, and a reader who does, end the wait. All that fails during a wait shares it.
 */
export function backOff(cause: unknown, retry: () => void): void {
  const before = waits.get(retry);
  const { retryAfter = 0 } = cause as { retryAfter?: number };
  const isWaiting = before && !before.stop.signal.aborted;
  if (isWaiting && Date.now() + retryAfter <= before.until) return;
  before?.stop.abort();
  // Long after the last wait it is another failure, and not the next in a row.
  const inRow = before && Date.now() - before.until < LONGEST ? before.failures + (isWaiting ? 0 : 1) : 0;
  const wait = Math.max(retryAfter, Math.min(FIRST * 3 ** inRow, LONGEST));
  const stop = new AbortController();
  const { signal } = stop;
  const again = (): void => {
    stop.abort();
    retry();
  };
  const timer = after(wait, again);
  signal.addEventListener('abort', () => clearTimeout(timer));
  const until = Date.now() + wait;
  waits.set(retry, { failures: inRow, until, stop });
  if (!statusOf(cause)) window.addEventListener('online', again, { signal });
  // Timers of a page in the background may be late by minutes.
  const late = (): void => {
    if (!document.hidden && Date.now() >= until) again();
  };
  document.addEventListener('visibilitychange', late, { signal });
  window.addEventListener('pageshow', late, { signal });
}
