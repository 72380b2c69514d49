import { learn } from '../ads/learn.ts';
import type { Attempt } from '../errors/error-facts.ts';
import type { BroadsheetError } from '../errors/errors.ts';
import { ownError } from '../errors/own-error.ts';
import { tryLoad } from '../load-on-demand.ts';
import { core } from '../on-demand-core.ts';
import { LONGEST_TIMER, untilRepeat } from '../request/retry.ts';
import { readPayload, send } from '../request/send.ts';
import { unexplained } from '../response/failure.ts';
import type { Incoming, Outcome, Payload, SafeResult, Trial, WithMeta } from '../response/incoming.ts';
import type { Settings } from '../settings.ts';
import { readThrough, recover } from './cached.ts';
import { endError, onAbort } from './caller-signals.ts';
import { type Outgoing, prepare, type Task } from './outgoing.ts';
import { Shared, Signal } from './shared.ts';

/** Milliseconds in which equal reads join a request: an older one may hang. Equal clicks always join. */
const JOINABLE = 1000;

/**
 * A call in progress: await its data, or get its result in another form. It is sent immediately, even if it is never
 * awaited, and only once, even if it is awaited twice. It rejects with a {@link BroadsheetError}.
 *
 * @example
 * ```ts
 * const call: Call<Post> = blog.posts.get(id);
 * const post = await call; // or
 * const { ok, data, error } = await call.safe(); // or
 * const { data: same, requestId } = await call.withMeta();
 * ```
 */
export class Call<T, Code extends string = string> implements Promise<T> {
  readonly [Symbol.toStringTag] = 'Call';
  /** @internal Whether the call has ended without data. */
  hasFailed = false;
  readonly #result: Promise<SafeResult<T, Code>>;
  readonly #attempts: Attempt[] = [];
  /** Aborted with the error of the call, when its time is over or its caller aborts it. */
  readonly #signal = new Signal();
  /** Whether an attempt may have counted an impression. */
  #mayBeCounted = false;

  /** @internal */
  constructor(settings: Settings, task: Task, finish?: (outcome: Outcome) => unknown) {
    // A call always settles with a result. Nothing should throw in `#run`, and if something does, it is an error, too.
    this.#result = this.#run(settings, task, finish).catch((thrown) => {
      this.hasFailed = true;
      return { ok: false, error: ownError(thrown, task.id, settings.redact) as BroadsheetError<Code> };
    });
  }

  /** The result without a throw; `error.code` is one of the codes of this endpoint. */
  safe(): Promise<SafeResult<T, Code>> {
    return this.#result;
  }

  /** The data with the request id, status, headers and attempts of the response. It throws like the call. */
  async withMeta(): Promise<WithMeta<T>> {
    const result = await this.#result;
    if (!result.ok) throw result.error;
    const { meta: _meta, ...known } = result.info;
    return { data: result.data, ...known };
  }

  // biome-ignore lint/suspicious/noThenProperty: a call is a promise
  then<A = T, B = never>(
    resolved?: ((data: T) => A | PromiseLike<A>) | null,
    rejected?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#result.then((result) => {
      if (result.ok) return resolved ? resolved(result.data) : (result.data as unknown as A);
      if (rejected) return rejected(result.error);
      throw result.error;
    });
  }

  catch<B = never>(rejected?: ((error: unknown) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.then(undefined, rejected);
  }

  finally(done?: (() => void) | null): Promise<T> {
    return this.then().finally(done);
  }

  /** The whole call, from its arguments to its result: attempts and the pauses between them, within one deadline. */
  async #run(client: Settings, task: Task, finish?: (outcome: Outcome) => unknown): Promise<SafeResult<T, Code>> {
    let outgoing: Outgoing | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let release: (() => void) | undefined;
    const stop = (): void => outgoing && this.#signal.abort(endError(outgoing, this.#signal));
    try {
      outgoing = prepare(client, task);
      const { timeout } = outgoing;
      if (timeout !== false) timer = setTimeout(stop, Math.min(timeout, LONGEST_TIMER));
      release = onAbort(outgoing, stop);
      if (timeout === 0) stop();
      const rest = task.rest && (await new Shared(task.rest).join(this.#signal));
      if (rest) outgoing = prepare(client, { ...task, ...rest });
      for (let delay = 0; ; ) {
        if (this.#signal.aborted) throw this.#signal.reason;
        outgoing.report?.('request', this.#attempts.length + 1);
        const trial: Trial = { delay, started: performance.now() };
        try {
          trial.response = await this.#request(outgoing).join(this.#signal);
          trial.payload = readPayload(outgoing, trial.response) ?? (await this.#readOther(outgoing, trial.response));
          trial.response.keep?.();
        } catch (thrown) {
          trial.error = ownError(thrown, outgoing.id, outgoing.settings.redact);
        }
        const result = this.#record(outgoing, trial);
        if ('data' in result) return { ok: true, data: (finish?.(result) ?? result.data) as T, info: result.info };
        delay = await this.#pause(outgoing, result);
      }
    } catch (thrown) {
      const error = ownError(thrown, task.id, (outgoing?.settings ?? client).redact);
      Object.assign(error, { attempts: this.#attempts, mayRepeat: error.retryable && !this.#mayBeCounted });
      outgoing?.report?.('failure', this.#attempts.length, { error, requestId: error.requestId, status: error.status });
      const old = outgoing && recover(outgoing, error);
      const recovered = old && (await new Call<T, Code>(client, { ...task, old }, finish).#result);
      if (recovered?.ok) return recovered;
      this.hasFailed = true;
      return { ok: false, error: error as BroadsheetError<Code> };
    } finally {
      clearTimeout(timer);
      release?.();
      this.#signal.release();
    }
  }

  /** Records the outcome of an attempt. Returns the outcome, or the error of a failed attempt. */
  #record(outgoing: Outgoing, { delay, started, response, payload, error }: Trial): Outcome | BroadsheetError {
    const { endpoint, report, settings } = outgoing;
    const attempts = this.#attempts;
    let found = payload;
    if (endpoint.effect !== 'read') {
      const { isReplay, mayBeCounted } = learn(outgoing, response, error);
      this.#mayBeCounted ||= mayBeCounted;
      if (isReplay) found = { data: { status: 'ok' } };
    }
    const header = response?.headers.get('x-request-id');
    const requestId = error?.requestId ?? (header ? settings.redact(header) : undefined); // a server may echo the key
    const duration = Math.round(performance.now() - started);
    const facts = { delay, duration, status: response?.status, requestId, code: error?.code };
    attempts.push(facts);
    report?.('response', attempts.length, { ...facts, error });
    if (!found || !response) return error as BroadsheetError;
    const { data, meta } = found;
    const { status, headers } = response;
    return { data, info: { requestId, status, headers, attempts, replayed: error !== undefined, meta } };
  }

  /** The request of an attempt: an equal one in progress, or a new one, through the cache if the call may use it. */
  #request(outgoing: Outgoing): Shared<Incoming> {
    const { cache, settings, sharedAs, task } = outgoing;
    const { old } = task;
    if (old) return new Shared(async () => old);
    const nth = this.#attempts.length + 1;
    const work = (self: Shared<Incoming>): Promise<Incoming> => {
      const request = (etag?: string): Promise<Incoming> => send(outgoing, nth, self, etag);
      const renew = (): Promise<unknown> => new Call(settings, { ...task, isRenewal: true }).safe();
      return cache ? readThrough(cache, outgoing, self, { request, renew }) : request();
    };
    const joinable = task.token ? Number.POSITIVE_INFINITY : JOINABLE;
    // Clients that `with()` makes share a click, but no read: their headers may differ.
    const { inFlight } = task.token ? settings.ads : settings;
    return sharedAs ? Shared.find(inFlight, sharedAs, joinable, work) : new Shared(work);
  }

  /** Reads any other response, with code that is loaded on demand. Where it cannot be loaded, the error has fewer words. */
  #readOther(outgoing: Outgoing, response: Incoming): Promise<Payload> {
    const read = async (): Promise<Payload> => {
      const more = await tryLoad();
      if (more) return more.readOther(core, outgoing, response);
      throw unexplained(outgoing, response);
    };
    return new Shared(read, 'parse').join(this.#signal);
  }

  /** Waits before the next attempt. Throws the error of the last one if there is no next one. */
  #pause(outgoing: Outgoing, error: BroadsheetError): Promise<number> {
    const { settings, task, until } = outgoing;
    const ask = (signal: AbortSignal): Promise<unknown> => {
      const options = { ...task.options, retry: 0, timeout: Math.max(0, until - performance.now()) };
      return new Call(settings, { id: 'ads.impression', options, signal }).safe();
    };
    const attempts = this.#attempts.length;
    return untilRepeat({ outgoing, error, attempts, mayBeCounted: this.#mayBeCounted, signal: this.#signal, ask });
  }
}
