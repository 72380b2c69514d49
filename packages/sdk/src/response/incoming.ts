import type { Attempt } from '../errors/error-facts.ts';
import type { BroadsheetError } from '../errors/errors.ts';

/** A response that was read completely, as a cache stores it. */
export interface Incoming {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** @internal Stores the response in the cache; called after its payload has been read. */
  readonly keep?: () => void;
}

/** The data and meta of a successful response, with or without an envelope. */
export interface Payload {
  readonly data?: unknown;
  readonly meta?: unknown;
}

/** The details of a response besides its data. */
export interface ResponseInfo {
  /**
   * Identifies the request in the log of the server. A browser cannot read it unless CORS exposes it. A response that a
   * cache gives without a request keeps the id of the request that stored it.
   */
  readonly requestId: string | undefined;
  readonly status: number;
  readonly headers: Headers;
  readonly attempts: readonly Attempt[];
  /** Whether a click had reached the server with an earlier attempt, whose response was lost. */
  readonly replayed: boolean;
  /** `meta` of the envelope. */
  readonly meta: unknown;
}

/** A success. */
export interface Outcome {
  readonly data: unknown;
  readonly info: ResponseInfo;
}

/** An attempt and its outcome. */
export interface Trial {
  /** Milliseconds of the pause before it. */
  readonly delay: number;
  /** By `performance.now()`. */
  readonly started: number;
  response?: Incoming;
  payload?: Payload;
  error?: BroadsheetError;
}

/** The result of a call as a value. Both forms can be destructured: `const { ok, data, error } = await call.safe()`. */
export type SafeResult<T, Code extends string = string> =
  | { readonly ok: true; readonly data: T; readonly error?: undefined; readonly info: ResponseInfo }
  | {
      readonly ok: false;
      readonly data?: undefined;
      readonly error: BroadsheetError<Code>;
      readonly info?: undefined;
    };

/** The data of a call, and the details of the response. */
export interface WithMeta<T> extends Omit<ResponseInfo, 'meta'> {
  readonly data: T;
}
