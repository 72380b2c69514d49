import type { Phase } from '../errors/error-facts.ts';

/** Work in progress, for the errors of the callers that wait. */
export interface Work {
  phase: Phase;
  /** The option of the caller whose code runs, such as `retry.sleep`. */
  option?: string | undefined;
}

/** The part of an `AbortSignal` and its controller that one caller needs. A call has one, and this is faster to create. */
export class Signal {
  aborted = false;
  reason: unknown;
  /** The work that the caller waits for: one at a time, so that one handler is enough. */
  work: Work | undefined;
  onabort: (() => void) | undefined;

  abort(reason: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    this.onabort?.();
  }

  /** Forgets the work that the caller waited for: a retained call or page must not retain the text of its response. */
  release(): void {
    this.work = undefined;
    this.onabort = undefined;
  }
}

type Start<T> = (self: Shared<T>) => Promise<T>;

/** Work that callers wait for, each until its own signal is aborted. It is aborted when no caller waits any longer. */
export class Shared<T> implements Work {
  phase: Phase;
  option: string | undefined;
  readonly #controller = new AbortController();
  /** Aborted when nobody waits any longer. */
  readonly signal = this.#controller.signal;
  readonly #result: Promise<T>;
  /** By `performance.now()`. */
  #started = 0;
  #waiting = 0;

  constructor(start: Start<T>, phase: Phase = 'connect') {
    this.phase = phase;
    this.#result = start(this);
  }

  /** The equal work in a table, or new work if it is older than `joinable` milliseconds, because it may hang. */
  static find<T>(table: Map<string, Shared<T>>, key: string, joinable: number, start: Start<T>): Shared<T> {
    const now = performance.now();
    const found = table.get(key);
    if (found && !found.signal.aborted && now - found.#started < joinable) return found;
    const created = new Shared(start);
    created.#started = now;
    table.set(key, created);
    const remove = (): unknown => table.get(key) === created && table.delete(key);
    created.#result.then(remove, remove);
    return created;
  }

  /** Settles as the work does, or rejects with the reason of a signal: some runtimes do not stop work that is aborted. */
  join(signal: Signal): Promise<T> {
    this.#waiting++;
    return new Promise<T>((resolve, reject) => {
      this.#result.then(resolve, reject);
      const stop = (): void => {
        reject(signal.reason);
        this.leave(signal.reason);
      };
      signal.work = this;
      signal.onabort = stop;
      if (signal.aborted) stop();
    });
  }

  /** Removes a caller. After the last one, the work is aborted. */
  leave(reason: unknown): void {
    if (--this.#waiting === 0) this.#controller.abort(reason);
  }
}
