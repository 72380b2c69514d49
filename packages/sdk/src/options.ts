import type { ProxyTrust } from './ads/visitor.ts';
import type { ResponseCache } from './cache/memory-cache.ts';
import type { EndpointId } from './endpoint-id.ts';
import type { BroadsheetError } from './errors/errors.ts';
import type { Middleware } from './request/middleware.ts';

/**
 * What `fetch` takes beside what the client decides, with the additions of Next.js and Cloudflare. On Workers `cache` is
 * left out, since the runtime rejects most of its values; use `cf`.
 *
 * @example
 * ```ts
 * const fetchOptions: FetchOptions = { next: { revalidate: 300, tags: ['home'] } };
 * const page = await blog.posts.list({ fetchOptions });
 * ```
 */
export interface FetchOptions extends Omit<RequestInit, 'method' | 'headers' | 'body' | 'signal' | 'redirect'> {
  /** Next.js: how long a read may be reused, and by which tags it is revalidated. */
  readonly next?: { readonly revalidate?: number | false; readonly tags?: string[] } | undefined;
  /** Cloudflare Workers: options of the edge cache. */
  readonly cf?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * How a call is repeated. Times are in milliseconds.
 *
 * @example
 * ```ts
 * const retry: RetryOptions = { limit: 4, baseDelay: 100, maxRetryAfter: 5_000 };
 * const blog = createClient({ retry });
 * ```
 */
export interface RetryOptions {
  /** How often a call is repeated after its first attempt. Default 2. */
  readonly limit?: number | undefined;
  /** Upper end of the first pause; it doubles with each attempt, and the pause is a random part of it. Default 300. */
  readonly baseDelay?: number | undefined;
  /** Longest pause the client chooses. Default 10 000. */
  readonly maxDelay?: number | undefined;
  /** Longest `Retry-After` that is obeyed; above it the call fails at once. Default 30 000. */
  readonly maxRetryAfter?: number | undefined;
  /** Waits; for tests without waiting. */
  readonly sleep?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
  /** A number in [0, 1); for tests without chance. */
  readonly random?: (() => number) | undefined;
}

/**
 * A log: `console`, or one of pino's kind. Requests and responses are written with `debug`, retries and differences from
 * the contract with `warn`, failures with `error`; a `NOT_FOUND` of the API with `debug`. The key is in none of it.
 *
 * @example
 * ```ts
 * const logger: Logger = console;
 * const logged = createClient({ logger });
 * ```
 */
export interface Logger {
  debug(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/**
 * `report`: differences from the contract go to `onDrift`; `strict`: they throw; `off`: no field is compared.
 *
 * @example
 * ```ts
 * const validate: ValidateMode = process.env['CI'] ? 'strict' : 'report';
 * const blog = createClient({ validate });
 * ```
 */
export type ValidateMode = 'report' | 'strict' | 'off';

/**
 * A way in which the server's answers differ from the contract.
 *
 * @example
 * ```ts
 * const onDrift = ({ endpoint, path, expected, received, requestId }: Drift): void =>
 *   console.warn(`${endpoint} ${path}: ${received} instead of ${expected} (${requestId})`);
 * const blog = createClient({ onDrift });
 * ```
 */
export interface Drift {
  readonly endpoint: EndpointId;
  /** Where, with `*` for every index of an array: `*.tags.*.name`. */
  readonly path: string;
  /** Such as `string`, `timestamp`, `non-negative integer` or `string or null`. */
  readonly expected: string;
  /** The type of the value that was received: `undefined`, `null`, `number`, … Never the value itself. */
  readonly received: string;
  readonly requestId: string | undefined;
}

/**
 * What may be set for the client and again for one call.
 *
 * @example
 * ```ts
 * const options: CallOptions = { signal: AbortSignal.timeout(1_000), retry: 0 };
 * const post = await blog.posts.get(id, options);
 * ```
 */
export interface CallOptions {
  /**
   * Aborting it aborts the call, with its reason as the `cause` of the {@link AbortError}. A client's signal aborts all
   * its calls, as well as each call's own.
   */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for everything: connection, headers, body, parsing, pauses and retries. `false`: no end. Default 30 000. */
  readonly timeout?: number | false | undefined;
  /** How often to repeat, or how; `0` or `false`: never. */
  readonly retry?: number | false | RetryOptions | undefined;
  /** Sent with the request. `X-API-Key` cannot be replaced. */
  readonly headers?: Readonly<Record<string, string>> | Headers | undefined;
  /** Passed on to `fetch`. */
  readonly fetchOptions?: FetchOptions | undefined;
  /** Replaces the global `fetch`, which is looked up at each call. For the one a framework hands out, and for tests. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** Bytes of a body, unpacked, beyond which no answer is read. Default 32 MiB. */
  readonly maxBodyBytes?: number | undefined;
  /** What becomes of an answer that is not what the contract says. Default `report`. */
  readonly validate?: ValidateMode | undefined;
  /** What surrounds each attempt, outermost first; a call's stands within the client's. */
  readonly middleware?: readonly Middleware[] | undefined;
  /** Takes every event, and differences from the contract that no `onDrift` takes: `console`, pino and the like. */
  readonly logger?: Logger | undefined;
  /** Called once for each kind of difference from the contract. Default: one `console.warn`. What it throws changes nothing. */
  readonly onDrift?: ((drift: Drift) => void) | undefined;
  /** Called for each request, response, retry and failure. What it throws changes nothing. */
  readonly onEvent?: ((event: CallEvent) => void) | undefined;
}

/**
 * One event of a call, for a log. It never holds the key.
 *
 * @example
 * ```ts
 * const onEvent = ({ kind, endpoint, status, duration }: CallEvent): void =>
 *   console.debug(kind, endpoint, status, duration);
 * const blog = createClient({ onEvent });
 * ```
 */
export interface CallEvent {
  readonly kind: 'request' | 'response' | 'retry' | 'failure';
  readonly endpoint: EndpointId;
  readonly method: string;
  readonly url: string;
  /** 1 for the first. */
  readonly attempt: number;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  /** Milliseconds: of the attempt, or of the pause before the next one. */
  readonly duration?: number | undefined;
  readonly error?: BroadsheetError | undefined;
}

/**
 * Options of {@link createClient}.
 *
 * @example
 * ```ts
 * const options: ClientOptions = { baseUrl: 'https://blog.example/api', timeout: 5_000, retry: { limit: 1 } };
 * const blog = createClient(options);
 * ```
 */
export interface ClientOptions extends CallOptions {
  /** Where the API lives, path included: `https://blog.example/api`. Else the variable `BROADSHEET_BASE_URL`. */
  readonly baseUrl?: string | URL | undefined;
  /** The key of the blog. Else the variable `BROADSHEET_API_KEY`. It leaves the client in `X-API-Key` alone. */
  readonly apiKey?: string | undefined;
  /** Equal reads that are in flight at the same time share one request. Default true. */
  readonly dedupe?: boolean | undefined;
  /** Stores answers of content reads; see {@link memoryCache}. Never used for ads. */
  readonly cache?: ResponseCache | undefined;
  /** Adds the tags of {@link tagsOf} to `fetchOptions.next.tags` of content reads. Default false. */
  readonly nextTags?: boolean | undefined;
  /** Sends the key without TLS to hosts other than this machine. Default false. */
  readonly allowInsecureHttp?: boolean | undefined;
  /** Whose word on the address of a visitor's request counts; see {@link ProxyTrust}. Default 0. */
  readonly trust?: ProxyTrust | undefined;
  /** Confirms that the key may be seen by visitors: no notice in the console of a browser. Default false. */
  readonly browser?: boolean | undefined;
}
