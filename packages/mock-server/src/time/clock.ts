import { type Duration, milliseconds } from './duration.ts';
import { wait } from './wait.ts';

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
  /** Sets the time, also back. */
  set(now: number): void;
}

interface Sleeper {
  readonly at: number;
  wake(): void;
}

/** Creates a clock that starts at `start`. */
export function createClock(start: number, pace: Pace = 'virtual'): InnerClock {
  let origin = start;
  let wallOrigin = Date.now();
  const sleepers = new Set<Sleeper>();
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
        const sleeper: Sleeper = { at: now() + ms, wake };
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
