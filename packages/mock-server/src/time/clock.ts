import { type Duration, milliseconds } from './duration.ts';
import { wait } from './wait.ts';

/**
 * How a world's time passes: only when the test says so, or as the wall clock does.
 *
 * @example
 * ```ts
 * const pace: Pace = 'real';
 * const world = mock.world({ pace });
 * ```
 */
export type Pace = 'virtual' | 'real';

/**
 * A world's own time. Token expiry, the dedup window and latency all run in it; no global timer is touched.
 *
 * @example
 * ```ts
 * const { clock }: { clock: WorldClock } = world;
 * clock.advanceTo('2026-03-01T09:00:00Z');
 * ```
 */
export interface WorldClock {
  /** The time, in milliseconds since the epoch. */
  now(): number;
  /** Moves time on, waking on the way whatever waited for it, in order. @returns the new time */
  advance(by: Duration): number;
  /** Moves time on to an instant (milliseconds since the epoch, or ISO 8601). @throws RangeError for the past */
  advanceTo(instant: number | string): number;
  /** How many answers wait for time to pass. */
  readonly waiting: number;
}

/** The clock with what only the world itself may do. */
export interface InnerClock extends WorldClock {
  /** Resolves once this much time has passed; rejects with the reason of the signal when that aborts first. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Sets the time, letting everything that waits go. */
  set(now: number): void;
}

interface Sleeper {
  readonly at: number;
  wake(): void;
}

/** Creates a clock that shows `start`. */
export function createClock(start: number, pace: Pace = 'virtual'): InnerClock {
  let origin = start;
  let wallOrigin = Date.now();
  const sleepers = new Set<Sleeper>();
  const now = () => (pace === 'real' ? origin + (Date.now() - wallOrigin) : origin);
  const wakeUntil = (instant: number) => {
    const due = [...sleepers].filter(({ at }) => at <= instant).sort((a, b) => a.at - b.at);
    for (const sleeper of due) sleeper.wake();
  };
  const moveTo = (instant: number): number => {
    origin = instant;
    wallOrigin = Date.now();
    wakeUntil(instant);
    return instant;
  };
  return {
    now,
    advance: (by) => moveTo(anInstant(now() + milliseconds(by))),
    advanceTo(instant) {
      const at = anInstant(instant);
      if (at >= now()) return moveTo(at);
      throw new RangeError(`${new Date(at).toISOString()} has passed; use reset()`);
    },
    get waiting() {
      return sleepers.size;
    },
    async sleep(ms, signal) {
      if (ms <= 0) return;
      await wait(signal, (wake) => {
        // A timer that is given more than this fires at once.
        const timer = pace === 'real' && ms < 2 ** 31 ? setTimeout(wake, ms) : undefined;
        const sleeper: Sleeper = { at: now() + ms, wake };
        sleepers.add(sleeper);
        return () => {
          clearTimeout(timer);
          sleepers.delete(sleeper);
        };
      });
    },
    set(instant) {
      moveTo(instant);
      wakeUntil(Number.POSITIVE_INFINITY);
    },
  };
}

/** An instant in milliseconds since the epoch. @throws RangeError for anything else */
export function anInstant(instant: number | string): number {
  const at = typeof instant === 'number' ? instant : Date.parse(instant);
  // Beyond this there is no date.
  if (Math.abs(at) <= 8.64e15) return at;
  throw new RangeError(`${JSON.stringify(instant)} is no instant; write milliseconds, or ISO 8601`);
}
