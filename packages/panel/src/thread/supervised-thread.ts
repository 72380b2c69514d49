import type { PanelOptions } from '../panel-options.ts';
import { type PanelThread, startThread } from './start-thread.ts';

/** A thread that is started when it is needed, and again after it ended. */
export interface SupervisedThread {
  /** Responds with 503 while the thread waits to be restarted, and when it ends before it has answered. */
  fetch(request: Request): Promise<Response>;
  /** How often it was restarted. */
  readonly restarts: number;
  close(): Promise<void>;
}

/** Milliseconds from an end to the next start: doubled each time, until a thread has run for {@link STABLE}. */
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 60_000;
const STABLE = 60_000;

/** Restarts the thread with a growing pause, so that a request that ends it every time cannot keep the machine busy. */
export function superviseThread(databaseUrl: string, { publicUrl, log }: PanelOptions): SupervisedThread {
  let thread: PanelThread | undefined;
  let restarts = 0;
  let ends = 0;
  let pause = 0;
  let startAt = 0;

  function start(): PanelThread {
    const startedAt = performance.now();
    if (ends > restarts) {
      restarts = ends;
      log?.error({ restarts }, 'the thread of the panel is restarted');
    }
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
      const seconds = Math.ceil((startAt - performance.now()) / 1000);
      if (!thread && seconds > 0) return unavailable(seconds);
      thread ??= start();
      try {
        return await thread.fetch(request);
      } catch (cause) {
        log?.error({ cause }, 'a request for the panel failed');
        return unavailable(1);
      }
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

function unavailable(seconds: number): Response {
  const headers = { 'retry-after': String(seconds) };
  return new Response('The panel is not available at the moment. Try again.\n', { status: 503, headers });
}
