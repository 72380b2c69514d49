import type { Incoming } from '../answer/incoming.ts';
import type { Payload } from '../answer/read-answer.ts';
import { understand } from '../answer/understand.ts';
import { load } from '../cache/load.ts';
import { checkOptions } from '../check-options.ts';
import type { Attempt } from '../errors/error-facts.ts';
import { BroadsheetError, isBroadsheetError } from '../errors/errors.ts';
import { redactError } from '../errors/redact.ts';
import type { CallEvent } from '../options.ts';
import { Deadline } from '../request/deadline.ts';
import { fetchOptionsOf } from '../request/fetch-options.ts';
import { mayRepeat, pause, planRetries } from '../request/retry.ts';
import type { Settings } from '../settings.ts';
import { reportEvent } from './report-event.ts';
import { headersOf, type Target, type Task, targetOf, timeoutOf, urlOf } from './task.ts';

/**
 * What is known about an answer beside its data.
 *
 * @example
 * ```ts
 * const { ok, info } = await blog.posts.get(id).safe();
 * if (ok) console.log((info satisfies AnswerInfo).requestId, info.headers.get('etag'));
 * ```
 */
export interface AnswerInfo {
  /** Names the answer to whoever runs the server. Unreadable in a browser when CORS does not expose it. */
  readonly requestId: string | undefined;
  readonly status: number;
  readonly headers: Headers;
  readonly attempts: readonly Attempt[];
  /** A click whose first try had reached the server although its answer was lost. */
  readonly replayed: boolean;
  /** Why later requests of a split delivery came empty; see `split` of `BatchOptions`. */
  readonly incomplete?: BroadsheetError | undefined;
  /** `meta` of the envelope. */
  readonly meta: unknown;
}

/** A success. */
export interface Outcome {
  readonly data: unknown;
  readonly info: AnswerInfo;
}

const MAX_BODY_BYTES = 32 * 1024 * 1024;

/** Carries a call through: attempts, pauses, one deadline over them all. */
export async function perform(settings: Settings, task: Task): Promise<Outcome> {
  checkOptions(task.id, task.options);
  const endpoint = targetOf(task);
  const { options } = settings;
  const out = {
    endpoint: task.id,
    method: endpoint.method,
    url: urlOf(settings, task),
    headers: headersOf(settings, task),
    body: task.body === undefined ? undefined : JSON.stringify(task.body),
    fetchOptions: fetchOptionsOf(settings, task, endpoint),
    fetch: task.options.fetch ?? options.fetch,
    middleware: [...(options.middleware ?? []), ...(task.options.middleware ?? [])],
    redact: settings.redact,
    maxBodyBytes: task.options.maxBodyBytes ?? options.maxBodyBytes ?? MAX_BODY_BYTES,
  };
  const deadline = new Deadline(out, timeoutOf(settings, task), task.since, options.signal, task.options.signal);
  const attempts: Attempt[] = [];
  const { onEvent = options.onEvent, logger = options.logger } = task.options;
  const { id } = task;
  const { method, url } = out;
  const emit =
    onEvent || logger
      ? (kind: CallEvent['kind'], more: Partial<CallEvent> = {}): void =>
          reportEvent(onEvent, logger, { kind, endpoint: id, method, url, attempt: attempts.length + 1, ...more })
      : undefined;
  let delay = 0;
  try {
    for (;;) {
      const started = performance.now();
      let answer: Incoming | undefined;
      const record = (code?: string): Attempt => {
        const requestId = answer && requestIdOf(answer, settings);
        const known = {
          ...(answer && { status: answer.status }),
          ...(requestId && { requestId }),
          ...(code && { code }),
        };
        return { delay, duration: Math.round(performance.now() - started), ...known };
      };
      try {
        emit?.('request');
        answer = await load(settings, task, endpoint, { ...out, attempt: attempts.length + 1 }, deadline);
        const understood = understand(settings, task, endpoint, out.url, answer);
        const payload = understood instanceof Promise ? await deadline.race('parse', () => understood) : understood;
        const attempt = record();
        emit?.('response', attempt);
        attempts.push(attempt);
        return outcome(payload, answer, requestIdOf(answer, settings), attempts, false);
      } catch (thrown) {
        const error = asError(thrown, task, settings);
        const attempt = { ...record(error.code), ...(error.requestId ? { requestId: error.requestId } : {}) };
        emit?.('response', { ...attempt, error });
        attempts.push(attempt);
        if (answer && landedBefore(endpoint, error, attempts)) {
          const payload = { data: { status: 'ok' }, meta: undefined };
          return outcome(payload, answer, requestIdOf(answer, settings), attempts, true);
        }
        const plan = planRetries(options.retry, task.options.retry);
        const wait =
          attempts.length <= plan.limit && mayRepeat(endpoint.effect, error)
            ? pause(plan, error, attempts.length)
            : undefined;
        if (wait === undefined || deadline.over || wait >= deadline.left) throw error;
        emit?.('retry', { duration: wait, error });
        delay = Math.round(wait);
        await deadline.race('wait', () => plan.sleep(wait, deadline.signal));
      }
    }
  } catch (thrown) {
    const error = asError(thrown, task, settings);
    error.attempts = attempts;
    emit?.('failure', { error, attempt: attempts.length, requestId: error.requestId, status: error.status });
    throw error;
  } finally {
    deadline.release();
  }
}

/** Without the key, should a server echo it. */
function requestIdOf({ headers }: Incoming, { redact }: Settings): string | undefined {
  const id = headers.get('x-request-id');
  return id === null ? undefined : redact(id);
}

function outcome(
  { data, meta }: Payload,
  { status, headers }: Incoming,
  requestId: string | undefined,
  attempts: readonly Attempt[],
  replayed: boolean,
): Outcome {
  return { data, info: { requestId, status, headers, attempts, replayed, meta } };
}

/** A used token after our own retry: the first try was counted, and only its answer was lost. */
function landedBefore({ effect }: Target, error: BroadsheetError, attempts: readonly Attempt[]): boolean {
  return effect === 'click' && error.status === 409 && attempts.length > 1;
}

function asError(thrown: unknown, { id }: Task, { redact }: Settings): BroadsheetError {
  const error = isBroadsheetError(thrown)
    ? thrown
    : // Not the network and not the server: an option of the caller, such as a cache, threw.
      new BroadsheetError(`${id}: ${thrown instanceof Error ? thrown.message : String(thrown)}`, {
        ...{ code: 'INVALID_INPUT', phase: 'input', cause: thrown },
      });
  if (!error.endpoint) Object.assign(error, { endpoint: id });
  redactError(error, redact);
  return error;
}
