import { after } from '../timer.ts';
import { FIRST, LONGEST, SETTLED } from '../when-loaded.ts';
import { failureOf } from './delivery-error.ts';

const waits = new WeakMap<object, { failures: number; readonly until: number; readonly stop: AbortController }>();

/**
 * Calls `retry` after a wait that grows with every consecutive failure, so that an API that is down, or blocked, gets
 * few requests. It is never shorter than `Retry-After`; without a response it ends when the browser is online again.
 * Failures of the same owner during a wait share that wait.
 */
export function backOff(owner: object, cause: unknown, retry: () => void): void {
  const before = waits.get(owner);
  const { retryAfter = 0 } = (cause ?? {}) as { retryAfter?: number };
  const isWaiting = before && !before.stop.signal.aborted;
  if (isWaiting && Date.now() + retryAfter <= before.until) return;
  before?.stop.abort();
  // A failure long after the last wait starts a new series.
  const failures = before && Date.now() - before.until < LONGEST ? before.failures + (isWaiting ? 0 : 1) : 0;
  const time = Math.max(retryAfter, Math.min(FIRST * 3 ** failures, LONGEST));
  const wait = { failures, until: Date.now() + time, stop: new AbortController() };
  waits.set(owner, wait);
  const { signal } = wait.stop;
  const again = (): void => {
    wait.stop.abort();
    retry();
  };
  let timer = after(time, again);
  signal.addEventListener('abort', () => clearTimeout(timer));
  const onOnline = (): void => {
    clearTimeout(timer);
    timer = after(SETTLED, again);
    // If the retry fails, the failure starts a new series.
    wait.failures = -1;
  };
  if (!failureOf(cause)) window.addEventListener('online', onOnline, { signal });
  // Timers of a page in the background may be late by minutes.
  const late = (): void => {
    if (!document.hidden && Date.now() >= wait.until) again();
  };
  document.addEventListener('visibilitychange', late, { signal });
  window.addEventListener('pageshow', late, { signal });
}

/** Resets the wait of `owner`, because a request has succeeded. */
export function endRow(owner: object): void {
  if (waits.get(owner)?.stop.signal.aborted) waits.delete(owner);
}
