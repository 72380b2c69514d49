import type { ErrorCode } from '@broadsheet/contract';
import type { FAILURES } from '@broadsheet/contract/failures';
import type { EndpointId } from '../endpoint-id.ts';

/** The step in which a call failed. */
export type Phase =
  /** Checking the arguments, before a request is sent. */
  | 'input'
  /** Connecting, sending, and waiting for the headers of the response. */
  | 'connect'
  /** Reading the body of the response. */
  | 'body'
  /** Parsing and validating the body. */
  | 'parse'
  /** The response is complete, and reports a failure. */
  | 'response'
  /** Waiting before the next attempt. */
  | 'wait';

/** The codes of the client itself, in addition to the codes of the API. */
export type ClientErrorCode =
  /** An option, an id or a parameter is not valid; nothing was sent. */
  | 'INVALID_INPUT'
  /** A function or object of the caller, such as a middleware or a cache, threw, or returned something unusable. */
  | 'CALLBACK_FAILED'
  /** The click token is older than ten minutes; nothing was sent. The API uses the same code. */
  | 'CLICK_TOKEN_EXPIRED'
  /** `collect` found more items than `max`. */
  | 'LIST_TOO_LONG'
  /** No response: refused, reset, no such host, or blocked by CORS. */
  | 'NETWORK_ERROR'
  /** The `timeout` passed, in the phase `phase`. */
  | 'TIMEOUT'
  /** A signal of the caller was aborted; its reason is the `cause`. */
  | 'ABORTED'
  /** A redirect to another origin, in a loop, without a target, or one that a browser hides. */
  | 'REDIRECT_REFUSED'
  /** The connection closed before the end of the body. */
  | 'RESPONSE_CUT'
  /** The response is longer than `maxBodyBytes`. */
  | 'RESPONSE_TOO_LARGE'
  /** HTML, such as a login page or an error of a proxy, or a failed response that is not JSON. */
  | 'RESPONSE_NOT_JSON'
  /** A successful response that is not valid JSON. */
  | 'RESPONSE_INVALID_JSON'
  /** JSON that does not match the contract: in strict mode, or when the data could not be used at all. */
  | 'RESPONSE_MISMATCH';

/** The codes of the API itself (api.md 7). */
export type ApiErrorCode = ErrorCode;

/** Every known code. The type is open, since a newer server may send others. `safe()` narrows it to {@link CodeOf}. */
export type BroadsheetErrorCode = ApiErrorCode | ClientErrorCode | (string & {});

/** One attempt of a call. Times are in milliseconds. */
export interface Attempt {
  /** How long the client waited before it. */
  readonly delay: number;
  readonly duration: number;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  /** Why it failed; absent on the attempt that succeeded. */
  readonly code?: string | undefined;
}

/**
 * The codes an endpoint may fail with: the codes of the API and of the client, and codes such as `HTTP_502` for a
 * status that has no code. The type is closed, so that a misspelt code does not compile. A newer server may still send
 * another code: write a `default` in each `switch`.
 */
export type CodeOf<Id extends EndpointId> = {
  readonly [Endpoint in EndpointId]:
    | (Endpoint extends keyof typeof FAILURES ? (typeof FAILURES)[Endpoint][number] : ApiErrorCode)
    | 'NO_SUCH_ENDPOINT'
    | ClientErrorCode
    | `HTTP_${number}`;
  // Uses a property, because an editor shows the literals of its type; for an alias, it shows only the name.
}[Id];
