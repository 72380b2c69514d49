import type { EndpointId, ErrorCode } from '@broadsheet/contract';
import type { Clock } from '../ports.ts';
import type { ClickOutcome } from '../store.ts';
import { isPromise } from '../store.ts';
import type { Around, CallAnswer } from './around.ts';
import type { ApiCall } from './call.ts';

/** The outcome of a call. */
export interface Observation {
  readonly requestId: string;
  readonly method: string;
  /** `viewable` for a beacon; `undefined` also for a call whose key was refused. */
  readonly endpoint: EndpointId | 'viewable' | undefined;
  readonly blogId: string | undefined;
  readonly status: number;
  readonly code: ErrorCode | undefined;
  /** Milliseconds from the call to its answer. */
  readonly ms: number;
  readonly impressions: number;
  readonly click: ClickOutcome | undefined;
  /** The internal cause when the status is 500 or 503. */
  readonly cause: unknown;
}

/**
 * Reports every answer to `observe`. An observer that throws does not change the answer: its error goes to `onError`, but only
 * the first one until the observer works again.
 */
export function observed(
  observe: (observation: Observation) => void,
  clock: Clock,
  onError: (error: unknown) => void,
): Around {
  let broken = false;
  const report = (call: ApiCall, answer: CallAnswer, startedAt: number) => {
    try {
      observe({
        requestId: call.requestId,
        method: call.request.method,
        endpoint: call.isBeacon ? 'viewable' : call.blog && call.endpoint,
        blogId: call.blog?.id,
        status: answer.status,
        code: call.error?.code,
        ms: clock.now() - startedAt,
        impressions: call.impressions,
        click: call.click,
        cause: call.error?.details.cause,
      });
      broken = false;
    } catch (error) {
      if (!broken) onError(error);
      broken = true;
    }
    return answer;
  };
  return (call, next) => {
    const startedAt = clock.now();
    const answer = next();
    return isPromise(answer) ? answer.then((late) => report(call, late, startedAt)) : report(call, answer, startedAt);
  };
}
