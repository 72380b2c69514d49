import type { EndpointId } from '@broadsheet/contract';
import { callHook } from '../calls/report-event.ts';
import type { Target, Task } from '../calls/task.ts';
import { errorOf } from '../errors/failure.ts';
import type { Settings } from '../settings.ts';
import type { Drift, DriftWatch } from './drift.ts';
import type { Incoming } from './incoming.ts';
import { lazily } from './lazily.ts';
import { type Payload, readAnswer } from './read-answer.ts';
import { isFields, isList, VALIDATORS } from './validators.ts';

/** The payload of the answer from `url`; a promise of it when what is odd about the answer has to be found out first. */
export function understand(
  { options, reported, redact }: Settings,
  task: Task,
  endpoint: Target,
  url: string,
  answer: Incoming,
): Payload | Promise<Payload> {
  // A success of something that the client does not know may have no words.
  if (task.id === 'request' && answer.text === '' && answer.status < 300) return { data: undefined, meta: undefined };
  const reading = readAnswer(endpoint, answer);
  const { payload } = reading;
  const { id } = task;
  if (!payload) {
    return lazily(() => import('./failed-answer.ts')).then(({ failedAnswer }) => {
      const text = redact(answer.text);
      // The runtime's own message quotes a piece of the text, maybe half of a key.
      const cause = text === answer.text ? reading.cause : reading.cause && new SyntaxError('not valid JSON');
      const requested = { id, path: endpoint.path, url, redact };
      throw errorOf(failedAnswer(requested, { ...answer, text }, reading.body, cause));
    });
  }
  if (id === 'request') return payload;
  const { validate = options.validate ?? 'report', onDrift = options.onDrift, logger = options.logger } = task.options;
  const watch = { validate, onDrift, logger, reported, redact };
  return inspect(watch, id, endpoint, payload, url, answer)?.then(() => payload) ?? payload;
}

/**
 * Compares a payload with the contract; gives a promise only when they differ, for what then happens is loaded first.
 * A payload of another kind altogether, such as an object for a list, always throws.
 */
function inspect(
  watch: DriftWatch,
  id: EndpointId,
  { pagination }: Target,
  payload: Payload,
  url: string,
  answer: Incoming,
): Promise<void> | undefined {
  const { data, meta } = payload;
  const { validate, onDrift, logger } = watch;
  const paged = pagination === 'page';
  const fits = validate === 'off' ? isOfKind(id, data) : VALIDATORS[id](data) && (!paged || VALIDATORS.meta(meta));
  if (fits) return undefined;
  const report = (drift: Drift, words: string): void => {
    if (onDrift) callHook('onDrift', onDrift, drift);
    else if (logger) callHook('logger', (one) => logger.warn(one, words), drift);
    else console.warn(words);
  };
  return lazily(() => import('./report-drift.ts')).then(({ reportDrift }) => {
    const failure = reportDrift(watch, report, { id, url, answer }, payload, paged);
    if (failure) throw errorOf(failure);
  });
}

/** Lists are named in the plural, but for a search: whatever else is not compared, they are lists of objects. */
const isOfKind = (id: EndpointId, data: unknown): boolean =>
  /list$|posts$|Batch$/.test(id)
    ? isList(data, isFields)
    : isFields(data) && (id !== 'search' || isList(data['data'], isFields));
