/** Milliseconds that a timer can hold; a longer delay overflows and fires at once (MDN, setTimeout, "Maximum delay value"). */
const LONGEST = 2 ** 31 - 1;

export type Timer = ReturnType<typeof setTimeout>;

/** The only place that creates timers: calls `run` after `delay` milliseconds, or after the longest delay there is. */
export function after(delay: number, run: () => void): Timer {
  return setTimeout(run, Math.min(delay, LONGEST));
}
