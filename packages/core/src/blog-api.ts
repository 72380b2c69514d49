import type { EndpointId, ErrorCode } from '@broadsheet/contract';
import type { Awaitable } from './awaitable.ts';
import type { Bytes } from './http/bytes.ts';
import type { ApiAnswer, ApiRequest } from './http/exchange.ts';
import type { Clock, Random, Tokens } from './ports.ts';
import type { ClickOutcome, Store } from './store.ts';

/** What the API is made of. Time, chance, signing and storage come from outside. */
export interface ApiOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly tokens: Tokens;
  /** Errors link to `{docsUrl}/errors/{code}`. */
  readonly docsUrl: string;
  /** Path in front of `/public`, such as `/api`; none by default. */
  readonly basePath?: string;
  /** Turns an address into an opaque word before it is stored; the server uses a keyed hash. */
  readonly fingerprint?: (address: string) => string;
  /** Hears of each request of a blog before it is answered; throws a `Failure`, such as `RATE_LIMITED`, to refuse it. */
  readonly admit?: (blogId: string) => void;
  /** Keeps encoded content ready per blog revision, up to this many bytes; none by default. */
  readonly cache?: { readonly maxBytes: number };
  /** Hears of every answer. */
  readonly observe?: (observation: Observation) => void;
}

/** Who calls, as far as the door knows; none of it can be told from the request alone. */
export interface Caller {
  /** The caller's IP address. */
  readonly ip?: string | undefined;
  /** The page's origin, where the `Origin` header cannot be seen (a service worker). */
  readonly origin?: string | undefined;
}

/** What became of one request. */
export interface Observation {
  readonly requestId: string;
  readonly method: string;
  readonly endpoint: EndpointId | undefined;
  readonly blogId: string | undefined;
  readonly status: number;
  readonly code: ErrorCode | undefined;
  /** Milliseconds from the request to its answer. */
  readonly ms: number;
  readonly impressions: number;
  readonly click: ClickOutcome | undefined;
  /** What failed inside, when the status is 500 or 503. */
  readonly cause: unknown;
}

/** The whole API as one function of the Fetch standard. */
export interface BlogApi {
  /** Answers a request; never rejects. */
  fetch(request: Request, caller?: Caller): Promise<Response>;
  /** The same without the objects of the Fetch standard, for a door that has the parts of a request; never rejects. */
  answer(request: ApiRequest, caller?: Caller): Promise<ApiAnswer>;
  /**
   * The same for a door that sends a body in pieces as easily: large ones are not copied. What is kept ready comes at
   * once, without a promise.
   */
  answerInPieces(request: ApiRequest, caller?: Caller): Awaitable<ApiAnswer<string | Bytes>>;
}
