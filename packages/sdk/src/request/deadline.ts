import type { EndpointId } from '../endpoint-id.ts';
import type { Phase } from '../errors/error-facts.ts';
import { AbortError, TimeoutError } from '../errors/error-kinds.ts';
import type { BroadsheetError } from '../errors/errors.ts';

/** What the messages name. */
interface Named {
  readonly endpoint: EndpointId;
  readonly url: string;
}

/**
 * One end for a whole call, whether by time or by a signal of the caller. It races whatever it guards, since some
 * runtimes leave a body unread although its signal was aborted.
 */
export class Deadline {
  phase: Phase = 'connect';
  /** Called when the call enters a phase. */
  onPhase: ((phase: Phase) => void) | undefined;
  readonly #controller = new AbortController();
  readonly #end: number;
  readonly #call: Named;
  readonly #timeout: number | false;
  readonly #callers: readonly AbortSignal[];
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  #over: BroadsheetError | undefined;
  // Work goes one step at a time; a listener on the signal for each would cost more than the step.
  #stop: ((error: BroadsheetError) => void) | undefined;

  /** `since` is when the time began to run, by `performance.now()`. */
  constructor(
    call: Named,
    timeout: number | false,
    since: number = performance.now(),
    ...callers: readonly (AbortSignal | undefined)[]
  ) {
    this.#call = call;
    this.#timeout = timeout;
    this.#callers = callers.filter((caller) => caller !== undefined);
    this.#end = timeout === false ? Number.POSITIVE_INFINITY : since + timeout;
    if (this.left <= 0) this.#expire();
    else if (timeout !== false) this.#timer = setTimeout(this.#expire, Math.min(this.left, 2 ** 31 - 1));
    if (this.#callers.some(({ aborted }) => aborted)) this.#abort();
    else for (const caller of this.#callers) caller.addEventListener('abort', this.#abort);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Milliseconds that are left. */
  get left(): number {
    return this.#end - performance.now();
  }

  /** Why it is over, once it is. */
  get over(): BroadsheetError | undefined {
    return this.#over;
  }

  /** What the work gives, or the end, whichever comes first. */
  race<T>(phase: Phase, work: () => Promise<T>): Promise<T> {
    this.phase = phase;
    this.onPhase?.(phase);
    return new Promise<T>((resolve, reject) => {
      if (this.#over) return reject(this.#over);
      this.#stop = reject;
      work().then(resolve, reject);
    });
  }

  /** Lets go of the timer and the callers' signals. */
  release(): void {
    clearTimeout(this.#timer);
    for (const caller of this.#callers) caller.removeEventListener('abort', this.#abort);
  }

  readonly #expire = (): void => {
    const doing = { connect: 'waiting for an answer', body: 'reading the body', wait: 'waiting to try again' };
    const what = doing[this.phase as keyof typeof doing] ?? 'reading the answer';
    this.#finish(
      new TimeoutError(this.#sentence(`no result within ${this.#timeout} ms: the time passed while ${what}`), {
        code: 'TIMEOUT',
        phase: this.phase,
        retryable: true,
      }),
    );
  };

  readonly #abort = (): void => {
    const cause: unknown = this.#callers.find(({ aborted }) => aborted)?.reason;
    // What `AbortSignal.timeout()` gives as its reason.
    const late = cause instanceof Error && cause.name === 'TimeoutError';
    const why = late ? 'the time of the signal of the caller passed' : 'aborted by the signal of the caller';
    this.#finish(new AbortError(this.#sentence(why), { code: 'ABORTED', phase: this.phase, cause }));
  };

  #sentence(why: string): string {
    return `${this.#call.endpoint}: ${why}. (${this.#call.url})`;
  }

  #finish(error: BroadsheetError): void {
    this.#over = error;
    this.#controller.abort(error);
    this.#stop?.(error);
  }
}
