import type { EndpointId } from '../endpoint-id.ts';
import type { Phase } from '../errors/error-facts.ts';
import { AbortError, TimeoutError } from '../errors/error-kinds.ts';
import type { BroadsheetError } from '../errors/errors.ts';

/**
 * The end of a whole call, by time or by a signal of the caller. It races the work that it guards, since some runtimes
 * leave a body unread although its signal was aborted.
 */
export class Deadline {
  /** What the call is doing. Calls that share a request share this object while they wait for it. */
  progress: { phase: Phase } = { phase: 'connect' };
  /** Why it is over, once it is. */
  over: BroadsheetError | undefined;
  /** Rejects the race in progress. A call runs one race at a time, and a listener on the signal costs more than this. */
  stop: ((error: BroadsheetError) => void) | undefined;
  // Created on demand: a call that shares the request of another never sends one.
  #controller: AbortController | undefined;
  readonly #end: number;
  readonly #endpoint: EndpointId;
  readonly #url: string;
  readonly #timeout: number | false;
  readonly #callers: readonly AbortSignal[];
  readonly #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    endpoint: EndpointId,
    url: string,
    timeout: number | false,
    callers: readonly (AbortSignal | undefined)[] = [],
  ) {
    this.#endpoint = endpoint;
    this.#url = url;
    this.#timeout = timeout;
    this.#callers = callers.filter((caller) => caller !== undefined);
    this.#end = timeout === false ? Number.POSITIVE_INFINITY : performance.now() + timeout;
    if (timeout === 0) this.#expire();
    else if (timeout !== false) this.#timer = setTimeout(this.#expire, Math.min(timeout, 2 ** 31 - 1));
    if (this.#callers.some(({ aborted }) => aborted)) this.#abort();
    else for (const caller of this.#callers) caller.addEventListener('abort', this.#abort);
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.over) this.#controller.abort(this.over);
    return this.#controller.signal;
  }

  /** Milliseconds until the end. */
  get left(): number {
    return this.#end - performance.now();
  }

  /** Settles as the work does, or rejects with the end, whichever comes first. */
  race<T>(work: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.over) return reject(this.over);
      this.stop = reject;
      work().then(resolve, reject);
    });
  }

  /** Stops the timer and the listeners on the callers' signals. */
  release(): void {
    clearTimeout(this.#timer);
    for (const caller of this.#callers) caller.removeEventListener('abort', this.#abort);
  }

  readonly #expire = (): void => {
    const message = this.#sentence(`timed out after ${this.#timeout} ms, in the phase "${this.progress.phase}"`);
    this.end(new TimeoutError(message, { code: 'TIMEOUT', phase: this.progress.phase, retryable: true }));
  };

  readonly #abort = (): void => {
    const cause: unknown = this.#callers.find(({ aborted }) => aborted)?.reason;
    const message = this.#sentence('aborted by the signal of the caller');
    this.end(new AbortError(message, { code: 'ABORTED', phase: this.progress.phase, cause }));
  };

  #sentence(why: string): string {
    return `${this.#endpoint}: ${why}. (${this.#url})`;
  }

  /** Ends the call with an error. */
  end(error: BroadsheetError): void {
    this.over = error;
    this.#controller?.abort(error);
    this.stop?.(error);
  }
}
