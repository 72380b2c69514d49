import type { EndpointId, ErrorCode } from '@broadsheet/contract';
import { ApiError, isApiError } from '../http/api-error.ts';
import { errorResponse } from '../http/response.ts';
import type { Clock } from '../ports.ts';
import { type ClickOutcome, OutcomeUnknown, StoreUnavailable } from '../store.ts';
import type { CallResponse, IncomingCall } from './call.ts';

/** The facts about a call once it has its response; for a cached response, the URL is not parsed. */
export interface CallOutcome extends Pick<IncomingCall, 'requestId' | 'startedAt' | 'request' | 'endpoint' | 'blog'> {
  error?: ApiError | undefined;
  readonly impressions?: number;
  readonly click?: ClickOutcome | undefined;
  readonly isBeacon?: boolean;
  readonly acceptsKeys?: boolean;
}

/** The outcome of a call. */
export interface Observation {
  readonly requestId: string;
  readonly method: string;
  /** `viewable` for a beacon; `undefined` for a call of no endpoint, and for a call whose key was refused. */
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

/** Receives the outcome of every call. */
export interface Observer {
  observe(observation: Observation): void;
  /** Receives the errors that `observe` throws: only the first one, until it works again. */
  onError(error: unknown): void;
}

/** The error that the caller sees. 503 means that nothing was written. */
function asApiError(cause: unknown): ApiError {
  if (isApiError(cause)) return cause;
  if (cause instanceof StoreUnavailable) return new ApiError('UNAVAILABLE', { cause });
  if (!(cause instanceof OutcomeUnknown)) return new ApiError('INTERNAL_ERROR', { cause });
  const message = 'The server lost its database, and it is not known whether the request was carried out.';
  return new ApiError('INTERNAL_ERROR', { message, retryable: false, cause });
}

/** The response to a call in which any error was thrown. */
export function failed(call: CallOutcome, cause: unknown, docsUrl: string): CallResponse {
  call.error = asApiError(cause);
  const response = errorResponse(call.error, call.requestId, docsUrl);
  if (call.acceptsKeys) response.headers['idempotency-accepted'] = 'true';
  return call.request.method === 'HEAD' ? { ...response, body: null } : response;
}

/** Creates the function that reports a response, and returns it unchanged, even if the observer throws. */
export function createReport(observer: Observer | undefined, clock: Clock) {
  let broken = false;
  return <R extends CallResponse<unknown>>(call: CallOutcome, response: R): R => {
    try {
      observer?.observe({
        requestId: call.requestId,
        method: call.request.method,
        endpoint: call.isBeacon ? 'viewable' : call.blog && call.endpoint,
        blogId: call.blog?.id,
        status: response.status,
        code: call.error?.code,
        ms: clock.now() - call.startedAt,
        impressions: call.impressions ?? 0,
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
