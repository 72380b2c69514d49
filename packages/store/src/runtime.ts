/**
 * The time, the timers and the scheduling of a store. A simulation replaces them, so that one seed decides everything
 * that happens in several processes.
 */
export interface Runtime {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds by a clock that nobody moves. */
  monotonic(): number;
  /** Calls back after some milliseconds. Call the returned function to cancel that. */
  later(work: () => void, milliseconds: number): () => void;
  /** Calls back in the next turn of the event loop, after everything else that is ready. */
  turn(work: () => void): void;
  /**
   * Runs a statement of SQLite, directly by default. A simulation runs other processes before and after it, and never
   * resolves when the process is killed at that moment.
   */
  readonly statement?: (text: string, run: () => unknown[]) => Promise<unknown[]>;
  /** Called with each connection to SQLite: the end of a process closes all of them. */
  readonly opened?: (connection: { close(): void }) => void;
}

/** The clocks, the timers and the event loop of this process. */
export const RUNTIME: Runtime = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  later(work, milliseconds) {
    const timer = setTimeout(work, milliseconds);
    return () => clearTimeout(timer);
  },
  turn: (work) => void setImmediate(work),
};

/** Resolves after some milliseconds. */
export const sleep = (runtime: Runtime, milliseconds: number): Promise<void> =>
  new Promise((resolve) => void runtime.later(resolve, milliseconds));

/** Resolves in the next turn of the event loop. */
export const nextTurn = (runtime: Runtime = RUNTIME): Promise<void> => new Promise((resolve) => runtime.turn(resolve));
