import type { PanelOptions } from '../panel-options.ts';
import { type PanelThread, startThread } from './start-thread.ts';

/** A thread that is started when it is needed, and again after it ended. */
export interface SupervisedThread {
  /** @throws ThreadAway while the thread waits to be restarted; Error when it ends before it has answered */
  fetch(request: Request): Promise<Response>;
  /** How often it was restarted. */
  readonly restarts: number;
  close(): Promise<void>;
}

/** Thrown while a thread that ended waits for its next start. */
export class ThreadAway extends Error {
  override readonly name = 'ThreadAway';
  /** Seconds until a request may start it again. */
  readonly retryAfter: number;
  constructor(retryAfter: number) {
    super(`the thread of the panel ended; it starts again in ${retryAfter} s`);
    this.retryAfter = retryAfter;
  }
}

/** Milliseconds from an end to the next start: doubled each time, until a thread has run for {@link STABLE}. */
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 60_000;
const STABLE = 60_000;

/** Restarts the thread with a growing pause, so that a request that ends it every time cannot keep the machine busy. */
export function superviseThread(databaseUrl: string, options: PanelOptions): SupervisedThread {
  let thread: PanelThread | undefined;
  let restarts = 0;
  let ends = 0;
  let pause = 0;
  let startAt = 0;

  function start(): PanelThread {
    const startedAt = performance.now();
    if (ends > restarts) {
      restarts = ends;
      options.log?.error({ restarts }, 'the thread of the panel is restarted');
    }
    const { publicUrl, log } = options;
    return startThread({ databaseUrl, publicUrl, log }, () => {
      const now = performance.now();
      pause = now - startedAt > STABLE ? FIRST_PAUSE : Math.min(Math.max(pause * 2, FIRST_PAUSE), LONGEST_PAUSE);
      startAt = now + pause;
      ends += 1;
      thread = undefined;
      log?.error({ pause }, 'the thread of the panel ended unexpectedly');
    });
  }

  return {
    async fetch(request) {
      const wait = startAt - performance.now();
      if (!thread && wait > 0) throw new ThreadAway(Math.ceil(wait / 1000));
      thread ??= start();
      return thread.fetch(request);
    },
    get restarts() {
      return restarts;
    },
    async close() {
      const last = thread;
      thread = undefined;
      await last?.close();
    },
  };
}
