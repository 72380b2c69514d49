import { PanelThread, type ThreadSettings } from './panel-worker.ts';

/** Milliseconds before a restart: doubled each time, until a thread has run for {@link STABLE}. */
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 60_000;
const STABLE = 60_000;

/**
 * A thread that is started when it is needed. If it ends, it is restarted after a growing pause, so that a request that
 * crashes it every time cannot keep the machine busy.
 */
export class SupervisedThread {
  /** How often it was restarted. */
  restarts = 0;
  readonly #settings: ThreadSettings;
  #thread: PanelThread | undefined;
  #pause = 0;
  #startAt = 0;

  constructor(settings: ThreadSettings) {
    this.#settings = settings;
  }

  /** Responds with 503 while the thread waits to be restarted, and if it ends before it has responded. */
  async fetch(request: Request): Promise<Response> {
    const seconds = Math.ceil((this.#startAt - performance.now()) / 1000);
    if (!this.#thread && seconds > 0) return unavailable(seconds);
    this.#thread ??= this.#start();
    try {
      return await this.#thread.fetch(request);
    } catch (cause) {
      if (!request.signal.aborted) this.#settings.log?.error({ cause }, 'a request for the panel failed');
      return unavailable(1);
    }
  }

  async close(): Promise<void> {
    const last = this.#thread;
    this.#thread = undefined;
    this.#pause = 0;
    await last?.close();
  }

  #start(): PanelThread {
    const { log } = this.#settings;
    if (this.#pause > 0) log?.error({ restarts: ++this.restarts }, 'the thread of the panel is restarted');
    const startedAt = performance.now();
    const thread = new PanelThread(this.#settings);
    void thread.ended.then(() => {
      if (this.#thread !== thread) return;
      this.#thread = undefined;
      const now = performance.now();
      const isStable = now - startedAt > STABLE;
      this.#pause = isStable ? FIRST_PAUSE : Math.min(Math.max(this.#pause * 2, FIRST_PAUSE), LONGEST_PAUSE);
      this.#startAt = now + this.#pause;
      log?.error({ pause: this.#pause }, 'the thread of the panel ended unexpectedly');
    });
    return thread;
  }
}

function unavailable(seconds: number): Response {
  const headers = { 'retry-after': String(seconds) };
  return new Response('The panel is not available at the moment. Try again.\n', { status: 503, headers });
}
