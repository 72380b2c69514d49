import type { Incoming, Outcome, Payload } from '../answer/incoming.ts';
import { readPayload } from '../answer/payload.ts';
import { load } from '../cache/load.ts';
import { checkOptions } from '../check-options.ts';
import { type BroadsheetError, toBroadsheetError } from '../errors/errors.ts';
import { redactError } from '../errors/redact.ts';
import type { CallEvent } from '../options.ts';
import { createExchange, type Exchange } from '../request/exchange.ts';
import { mayRepeat, pause, planRetries } from '../request/retry.ts';
import type { Settings } from '../settings.ts';
import { reportEvent } from './report-event.ts';
import type { Task } from './task.ts';

/** Makes a call: its attempts and the pauses between them, within one deadline. */
export async function perform(settings: Settings, task: Task): Promise<Outcome> {
  let exchange: Exchange | undefined;
  try {
    checkOptions(task.id, task.options);
    exchange = createExchange(settings, task);
    for (let delay = 0; ; ) {
      const result = await attempt(exchange, delay);
      if ('data' in result) return result;
      delay = await waitToRepeat(exchange, result);
    }
  } catch (thrown) {
    const error = toBroadsheetError(thrown, task.id);
    redactError(error, settings.redact);
    if (!exchange) throw error;
    const { attempts } = exchange;
    error.attempts = attempts;
    const { requestId, status } = error;
    emit(exchange, 'failure', { error, attempt: attempts.length, requestId, status });
    throw error;
  } finally {
    exchange?.deadline.release();
  }
}

/** Sends the request once. Returns the outcome, or the error of a failed attempt. */
async function attempt(exchange: Exchange, delay: number): Promise<Outcome | BroadsheetError> {
  const { attempts, deadline, endpoint, id, settings } = exchange;
  const started = performance.now();
  let response: Incoming | undefined;
  let payload: Payload | undefined;
  let error: BroadsheetError | undefined;
  deadline.progress = { phase: 'connect' };
  emit(exchange, 'request');
  try {
    response = await load(exchange);
    const reading = readPayload(exchange, response);
    if (reading instanceof Promise) deadline.progress = { phase: 'parse' };
    payload = reading instanceof Promise ? await deadline.race(() => reading) : reading;
  } catch (thrown) {
    error = toBroadsheetError(thrown, id);
    redactError(error, settings.redact);
  }
  if (endpoint.effect === 'delivery' && response?.headers.has('idempotency-accepted')) settings.acceptsKeys = true;
  const header = response?.headers.get('x-request-id') ?? undefined;
  // A server may echo the key.
  const requestId = error?.requestId ?? (header && settings.redact(header));
  const duration = Math.round(performance.now() - started);
  const facts = { delay, duration, status: response?.status, requestId, code: error?.code };
  emit(exchange, 'response', { ...facts, error });
  attempts.push(facts);
  // A used token after our own retry: the first try was counted, and only its response was lost.
  const replayed = endpoint.effect === 'click' && error?.status === 409 && attempts.length > 1;
  if (replayed) payload = { data: { status: 'ok' }, meta: undefined };
  if (!payload || !response) return error as BroadsheetError;
  const { status, headers } = response;
  if (endpoint.effect === 'delivery') settings.adHeaders = headers;
  return { data: payload.data, info: { requestId, status, headers, attempts, replayed, meta: payload.meta } };
}

/** Waits before the next attempt. Throws the error of the last one if there is no next one. */
async function waitToRepeat(exchange: Exchange, error: BroadsheetError): Promise<number> {
  const { attempts, deadline, endpoint, settings, task } = exchange;
  const plan = planRetries(settings.options.retry, task.options.retry);
  // Only with a key is a repeat counted with the first try: blog.request() sends none.
  const countsOnce = settings.acceptsKeys && task.query?.['idempotencyKey'] !== undefined;
  const wait =
    attempts.length <= plan.limit && mayRepeat(endpoint.effect, error, countsOnce)
      ? pause(plan, error, attempts.length)
      : undefined;
  if (wait === undefined || deadline.over || wait >= deadline.left) throw error;
  emit(exchange, 'retry', { duration: wait, error });
  deadline.progress = { phase: 'wait' };
  await deadline.race(() => plan.sleep(wait, deadline.signal));
  return Math.round(wait);
}

function emit({ attempts, id, endpoint, options, url }: Exchange, kind: CallEvent['kind'], more?: Partial<CallEvent>) {
  const { onEvent, logger } = options;
  if (!onEvent && !logger) return;
  const { method } = endpoint;
  reportEvent(onEvent, logger, { kind, endpoint: id, method, url, attempt: attempts.length + 1, ...more });
}
