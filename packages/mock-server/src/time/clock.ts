/**
 * A length of time: milliseconds, or a number with its unit such as `'300ms'`, `'1.5s'`, `'10m'`, `'2h'`, `'1d'`.
 */
export type Duration = number | `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`;

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A duration in milliseconds. @throws RangeError for an invalid or negative duration */
export function milliseconds(duration: Duration): number {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(String(duration)) ?? [];
  const ms = typeof duration === 'number' ? duration : Number(amount) * (UNITS[unit] ?? Number.NaN);
  if (Number.isFinite(ms) && ms >= 0) return ms;
  throw new RangeError(`${JSON.stringify(duration)} is not a duration; write milliseconds, or '1.5s', '10m'`);
}

/** A fixed duration, or a range from which one is selected at random. */
export type Latency = Duration | readonly [from: Duration, to: Duration];

/** How a world's time passes: only when the test advances it, or also with the wall clock. */
export type Pace = 'virtual' | 'real';

/**
 * The clock of a world. Token expiry, the dedup window and latency all depend on it; no global timer is changed.
 */
export interface WorldClock {
  /** The time, in milliseconds since the epoch. */
  now(): number;
  /** Advances the clock and releases, in order, everything that falls due. @returns the new time */
  advance(by: Duration): number;
  /** The number of responses that wait for time to pass. */
  readonly waiting: number;
}

/** The clock with the methods that only the world may use. */
export interface InnerClock extends WorldClock {
  /** Resolves once this much time has passed; rejects with the reason of the first signal that aborts before that. */
  sleep(ms: number, signals: readonly AbortSignal[]): Promise<void>;
  /** Sets the time, forward or back. */
  set(now: number): void;
}

/** Creates a clock that starts at `start`. */
export function createClock(start: number, pace: Pace = 'virtual'): InnerClock {
  let origin = start;
  let wallOrigin = Date.now();
  const sleepers = new Set<{ readonly at: number; wake(): void }>();
  const now = () => (pace === 'real' ? origin + (Date.now() - wallOrigin) : origin);
  const moveTo = (timestamp: number): number => {
    origin = timestamp;
    wallOrigin = Date.now();
    const due = [...sleepers].filter(({ at }) => at <= timestamp).sort((a, b) => a.at - b.at);
    for (const sleeper of due) sleeper.wake();
    return timestamp;
  };
  return {
    now,
    advance: (by) => moveTo(toTimestamp(now() + milliseconds(by))),
    get waiting() {
      return sleepers.size;
    },
    async sleep(ms, signals) {
      if (ms <= 0) return;
      await wait(signals, (wake) => {
        // A timer with a longer delay fires at once: https://developer.mozilla.org/docs/Web/API/Window/setTimeout
        const timer = pace === 'real' && ms < 2 ** 31 ? setTimeout(wake, ms) : undefined;
        const sleeper = { at: now() + ms, wake };
        sleepers.add(sleeper);
        return () => {
          clearTimeout(timer);
          sleepers.delete(sleeper);
        };
      });
    },
    set: (timestamp) => void moveTo(timestamp),
  };
}

/** A timestamp in milliseconds since the epoch. @throws RangeError for an invalid date */
export function toTimestamp(timestamp: number | string): number {
  const at = typeof timestamp === 'number' ? timestamp : Date.parse(timestamp);
  // The range of `Date`.
  if (Math.abs(at) <= 8.64e15) return at;
  throw new RangeError(`${JSON.stringify(timestamp)} is not a timestamp; write milliseconds, or ISO 8601`);
}

/**
 * Waits until `wake` is called; rejects with the reason of the first signal that aborts before that. `begin` receives
 * `wake` and returns a cleanup function, which runs in both cases before the promise settles.
 */
export function wait(signals: readonly AbortSignal[], begin: (wake: () => void) => () => void): Promise<void> {
  // Not an async function, so that callers continue in the order in which they are woken.
  return new Promise((resolve, reject) => {
    for (const signal of signals) signal.throwIfAborted();
    const abort = ({ target }: Event) => leave(() => reject((target as AbortSignal).reason));
    const leave = (settle: () => void) => {
      end();
      for (const signal of signals) signal.removeEventListener('abort', abort);
      settle();
    };
    const end = begin(() => leave(resolve));
    for (const signal of signals) signal.addEventListener('abort', abort);
  });
}
