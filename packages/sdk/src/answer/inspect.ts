import type { EndpointId } from '@broadsheet/contract';
import { callHook } from '../calls/report-event.ts';
import type { Target } from '../calls/task.ts';
import { errorOf } from '../errors/failure.ts';
import { VALIDATORS } from '../generated/validators.ts';
import type { Drift, DriftWatch } from './drift.ts';
import type { Incoming } from './incoming.ts';
import { isFields, isList } from './kinds.ts';
import { lazily } from './lazily.ts';
import type { Payload } from './read-answer.ts';

/**
 * Compares a payload with the contract; gives a promise only when they differ, for what then happens is loaded first.
 * A payload of another kind altogether, such as an object for a list, always throws.
 */
export function inspect(
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
