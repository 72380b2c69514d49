import type { EndpointId, ErrorCode } from '@broadsheet/contract';
import type { Clock } from '../ports.ts';
import type { ClickOutcome } from '../store.ts';
import type { CallResponse } from './around.ts';
import type { CallOutcome } from './call.ts';

/** The outcome of a call. */
export interface Observation {
  readonly requestId: string;
  readonly method: string;
  /** `viewable` for a beacon; `undefined` also for a call whose key was refused. */
  readonly endpoint: EndpointId | 'viewable' | undefined;
  readonly blogId: string | undefined;
  readonly status: number;
  readonly code: ErrorCode | undefined;
  /** Milliseconds from the call to its response. */
  readonly ms: number;
  readonly impressions: number;
  readonly click: ClickOutcome | undefined;
  /** The internal cause when the status is 500 or 503. */
  readonly cause: unknown;
}

/** Who learns the outcome of every call. */
export interface Observer {
  observe(observation: Observation): void;
  /** Receives an error that `observe` threw, but only the first one until it works again. */
  onError(error: unknown): void;
}

/** Creates the function that reports a response, and returns it unchanged, even if the observer throws. */
export function createReport(observer: Observer | undefined, clock: Clock) {
  let broken = false;
  return <R extends CallResponse<unknown>>(call: CallOutcome, response: R, startedAt: number): R => {
    try {
      observer?.observe({
        requestId: call.requestId,
        method: call.request.method,
        endpoint: call.isBeacon ? 'viewable' : call.blog && call.endpoint,
        blogId: call.blog?.id,
        status: response.status,
        code: call.error?.code,
        ms: clock.now() - startedAt,
        impressions: call.impressions,
        click: call.click,
        cause: call.error?.details.cause,
      });
      broken = false;
    } catch (error) {
      if (!broken) observer?.onError(error);
      broken = true;
    }
    return response;
  };
}
