import { after } from '../timer.ts';
import { statusOf } from './delivery-error.ts';

/** Milliseconds until the first retry; each further wait is three times as long. */
const FIRST = 5000;
const LONGEST = 300_000;

interface Wait {
  readonly failures: number;
  readonly until: number;
  readonly stop: AbortController;
}

const waits = new WeakMap<object, Wait>();

/**
 * Calls `retry` after a wait that grows with every failure in a row, so that an API that is down, or blocked, gets few
 * requests. It is never shorter than `Retry-After`; without a response it ends as soon as the browser is online again.
 *
 * @param owner What failed. Its failures during a wait share that wait.
 */
export function backOff(owner: object, cause: unknown, retry: () => void): void {
  const before = waits.get(owner);
  const { retryAfter = 0 } = cause as { retryAfter?: number };
  const isWaiting = before && !before.stop.signal.aborted;
  if (isWaiting && Date.now() + retryAfter <= before.until) return;
  before?.stop.abort();
  // A failure long after the last wait is the first of a new row.
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
  waits.set(owner, { failures: inRow, until, stop });
  if (!statusOf(cause)) window.addEventListener('online', again, { signal });
  // Timers of a page in the background may be late by minutes.
  const late = (): void => {
    if (!document.hidden && Date.now() >= until) again();
  };
  document.addEventListener('visibilitychange', late, { signal });
  window.addEventListener('pageshow', late, { signal });
}

/** Makes the next failure of `owner` the first of a row, because a request has succeeded. */
export function endRow(owner: object): void {
  if (waits.get(owner)?.stop.signal.aborted) waits.delete(owner);
}
