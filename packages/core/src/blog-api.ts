import type { Awaitable } from './awaitable.ts';
import type { Around, CallAnswer } from './calls/around.ts';
import type { ApiCall, Caller } from './calls/call.ts';
import type { ApiAnswer } from './http/answer.ts';
import type { AnswerCache } from './http/answer-cache.ts';
import type { ApiRequest } from './http/request.ts';
import type { Clock, Hmac, Random } from './ports.ts';
import type { Store } from './store.ts';

/** What the API is made of. Time, chance, signing and storage come from outside. */
export interface ApiOptions<Stream = never> {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  /** Signs click tokens. */
  readonly hmac: Hmac;
  /** Errors link to `{docsUrl}/errors/{code}`. */
  readonly docsUrl: string;
  /** Path in front of `/public`, such as `/api`; none by default. */
  readonly basePath?: string;
  /** Turns an address into an opaque word before it is stored; the server uses a keyed hash. */
  readonly fingerprint?: (address: string) => string;
  /** Caches encoded content per blog revision; none by default. See `createAnswerCache`. */
  readonly cache?: AnswerCache | undefined;
  /** Functions around every call but a CORS preflight, outermost first. */
  readonly around?: readonly Around<Stream>[];
}

/** The whole API as one function of the Fetch standard. */
export interface BlogApi<Stream = never> {
  /** Answers a request; never rejects. */
  fetch(request: Request, caller?: Caller): Promise<Response>;
  /** The same without the objects of the Fetch standard, for a door that has the parts of a request; never rejects. */
  answer(request: ApiRequest, caller?: Caller): Promise<ApiAnswer<string | Uint8Array<ArrayBuffer> | Stream>>;
  /**
   * The same for a door that sends a body in chunks as easily: large ones are not copied. A cached answer comes at
   * once, without a promise; the call neither throws nor rejects.
   */
  answerChunks(request: ApiRequest, caller?: Caller): Awaitable<CallAnswer<Stream>>;
  /** Answers a call that another API reads, such as one over a copy of the store: the request is not read again. */
  repeat(call: ApiCall): Promise<ApiAnswer<string | Uint8Array<ArrayBuffer> | Stream>>;
}
