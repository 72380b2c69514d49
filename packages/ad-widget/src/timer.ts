/** Longest delay of a timer in milliseconds; a longer one fires at once (MDN, setTimeout, "Maximum delay value"). */
const LONGEST = 2 ** 31 - 1;

export type Timer = ReturnType<typeof setTimeout>;

/** Calls `run` after `delay` milliseconds, or after the longest possible delay. All timeouts of the widget are made here. */
export function after(delay: number, run: () => void): Timer {
  return setTimeout(run, Math.min(delay, LONGEST));
}
