import type { ErrorCode } from '@broadsheet/contract';
import type { FAILURES } from '@broadsheet/contract/failures';
import type { EndpointId } from '../endpoint-id.ts';
import type { FieldError } from '../generated/resources.ts';

/**
 * What the client was doing when a call failed.
 *
 * @example
 * ```ts
 * const words: Partial<Record<Phase, string>> = { connect: 'no answer came', body: 'the answer broke off' };
 * const { error } = await blog.posts.list().safe();
 * if (error) console.log(words[error.phase] ?? error.message);
 * ```
 */
export type Phase =
  /** Reading its own input, before the network. */
  | 'input'
  /** Connecting, sending, and waiting for the headers of the answer. */
  | 'connect'
  /** Reading the body of the answer. */
  | 'body'
  /** Making sense of the body. */
  | 'parse'
  /** The answer is complete, and says that the call failed. */
  | 'answer'
  /** Waiting before the next attempt. */
  | 'wait';

/**
 * The codes that the client itself gives, beside those of the API.
 *
 * @example
 * ```ts
 * const worthWaiting: readonly ClientErrorCode[] = ['NETWORK_ERROR', 'TIMEOUT', 'RESPONSE_CUT'];
 * ```
 */
export type ClientErrorCode =
  /** An option, an id or a parameter is unfit; nothing was sent. */
  | 'INVALID_INPUT'
  /** The click token is past its ten minutes; nothing was sent. The API gives the same code for one that it refuses. */
  | 'CLICK_TOKEN_EXPIRED'
  /** `collect` met more items than `max`. */
  | 'LIST_TOO_LONG'
  /** No answer: refused, reset, no such host, or an answer that CORS withholds. */
  | 'NETWORK_ERROR'
  /** The `timeout` passed; `phase` says during what. */
  | 'TIMEOUT'
  /** A signal of the caller; its reason is the `cause`. */
  | 'ABORTED'
  /** A redirect to another origin, in a loop, to nowhere, or one that a page cannot look at. */
  | 'REDIRECT_REFUSED'
  /** The connection broke within the body. */
  | 'RESPONSE_CUT'
  /** The answer is longer than `maxBodyBytes`. */
  | 'RESPONSE_TOO_LARGE'
  /** A page of HTML, such as a log-in or an error of a proxy, or a failure in words that are no JSON. */
  | 'RESPONSE_NOT_JSON'
  /** Text that begins like an answer and is no valid JSON. */
  | 'RESPONSE_INVALID_JSON'
  /** JSON of another shape than the contract says: in strict mode, or when nothing could be done with it. */
  | 'RESPONSE_MISMATCH';

/**
 * The codes of the API itself (api.md 7).
 *
 * @example
 * ```ts
 * const gone: readonly ApiErrorCode[] = ['NOT_FOUND', 'CLICK_TOKEN_EXPIRED'];
 * ```
 */
export type ApiErrorCode = ErrorCode;

/**
 * Every code that is known today; open, since a newer server may send others. `safe()` narrows it to {@link CodeOf}.
 *
 * @example
 * ```ts
 * function say(code: BroadsheetErrorCode): string {
 *   switch (code) {
 *     case 'NOT_FOUND':
 *       return 'There is no such post.';
 *     default: // a newer server may send other codes
 *       return 'Try again later.';
 *   }
 * }
 * ```
 */
export type BroadsheetErrorCode = ApiErrorCode | ClientErrorCode | (string & {});

/**
 * One try of a call. Times are in milliseconds.
 *
 * @example
 * ```ts
 * const { attempts } = await blog.posts.get(id).withMeta();
 * for (const { delay, duration, status, code } of attempts satisfies readonly Attempt[]) {
 *   console.log(`waited ${delay} ms, took ${duration} ms: ${code ?? status}`);
 * }
 * ```
 */
export interface Attempt {
  /** How long the client waited before it. */
  readonly delay: number;
  readonly duration: number;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  /** Why it failed; absent on the attempt that succeeded. */
  readonly code?: string | undefined;
}

/** Everything an error knows beside its message. */
export interface ErrorFacts {
  readonly code: BroadsheetErrorCode;
  readonly phase: Phase;
  readonly endpoint?: EndpointId | undefined;
  readonly status?: number | undefined;
  readonly type?: string | undefined;
  readonly retryable?: boolean | undefined;
  readonly requestId?: string | undefined;
  readonly docs?: string | undefined;
  readonly fields?: readonly FieldError[] | undefined;
  readonly body?: string | undefined;
  /** Milliseconds. */
  readonly retryAfter?: number | undefined;
  /** The failure says that nothing was counted: no connection was made, or the API permits to repeat the request. */
  readonly uncounted?: boolean | undefined;
  readonly cause?: unknown;
}

/**
 * The codes an endpoint may fail with: those of the API, those of the client, and `HTTP_502` and the like for a status
 * without a code. Closed, so that a misspelt one does not compile; a newer server may still send another, for which a
 * `switch` has its `default`.
 *
 * @example
 * ```ts
 * function say(code: CodeOf<'posts.get'>): string {
 *   return code === 'NOT_FOUND' ? 'There is no such post.' : 'Try again later.';
 * }
 * ```
 */
export type CodeOf<Id extends EndpointId> = {
  readonly [Endpoint in EndpointId]:
    | (Endpoint extends keyof typeof FAILURES ? (typeof FAILURES)[Endpoint][number] : ApiErrorCode)
    | ClientErrorCode
    | `HTTP_${number}`;
  // An editor shows the literals of a property, where it would show an alias by its name.
}[Id];
