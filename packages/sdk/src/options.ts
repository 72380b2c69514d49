import type { ProxyTrust } from './ads/visitor.ts';
import type { ResponseCache } from './cache/response-cache.ts';
import type { EndpointId } from './endpoint-id.ts';
import type { BroadsheetError } from './errors/errors.ts';
import type { Middleware } from './request/middleware.ts';

/**
 * The options of `fetch` that the client does not set itself, with those of Next.js and Cloudflare. On Workers, `cache` is
 * removed, since the runtime rejects most of its values; use `cf`.
 */
export interface FetchOptions extends Omit<RequestInit, 'method' | 'headers' | 'body' | 'signal' | 'redirect'> {
  /** Next.js: how long a read may be reused, and the tags that revalidate it. */
  readonly next?: { readonly revalidate?: number | false; readonly tags?: string[] } | undefined;
  /** Cloudflare Workers: options of the edge cache. */
  readonly cf?: Readonly<Record<string, unknown>> | undefined;
}

/** Defines when and how often a call is repeated. Times are in milliseconds. */
export interface RetryOptions {
  /** How often a call is repeated after its first attempt. Default 2. */
  readonly limit?: number | undefined;
  /** Upper bound of the first pause. It doubles with each attempt; the pause is a random part of it. Default 300. */
  readonly baseDelay?: number | undefined;
  /** The longest pause that the client chooses. Default 10 000. */
  readonly maxDelay?: number | undefined;
  /** The longest `Retry-After` that the client waits for; with a longer one the call fails immediately. Default 30 000. */
  readonly maxRetryAfter?: number | undefined;
  /** Replaces the wait, for tests. */
  readonly sleep?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
  /** Replaces `Math.random`, for tests. */
  readonly random?: (() => number) | undefined;
}

/**
 * A logger, such as `console` or pino. Requests and responses are logged with `debug`, retries and differences from the
 * contract with `warn`, failures with `error`, and a `NOT_FOUND` of the API with `debug`. The key is never logged.
 */
export interface Logger {
  debug(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** `report`: differences from the contract go to `onDrift`; `strict`: they throw; `off`: they are ignored. */
export type ValidateMode = 'report' | 'strict' | 'off';

/** A difference between a response and the contract. */
export interface Drift {
  readonly endpoint: EndpointId;
  /** The path of the field, with `*` for every index of an array: `*.tags.*.name`. */
  readonly path: string;
  /** The expected type, such as `string`, `timestamp`, `non-negative integer` or `string or null`. */
  readonly expected: string;
  /** The type of the value that was received: `undefined`, `null`, `number`, … Never the value itself. */
  readonly received: string;
  readonly requestId: string | undefined;
}

/** Options of the client and of one call. */
export interface CallOptions {
  /**
   * Aborting it aborts the call, with its reason as the `cause` of the {@link AbortError}. A client's signal aborts all
   * its calls; each call may have its own signal as well.
   */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for the whole call, with its body, parsing, pauses and retries. `false`: no limit. Default 30 000. */
  readonly timeout?: number | false | undefined;
  /** The number of retries, or further options; `0` or `false`: never. */
  readonly retry?: number | false | RetryOptions | undefined;
  /** Sent with the request. `X-API-Key` cannot be replaced. */
  readonly headers?: Readonly<Record<string, string>> | Headers | undefined;
  /** Passed on to `fetch`. */
  readonly fetchOptions?: FetchOptions | undefined;
  /** Replaces the global `fetch`, which is looked up at each call: for the `fetch` of a framework, and for tests. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** The longest body to read, in bytes after decompression. Default 32 MiB. */
  readonly maxBodyBytes?: number | undefined;
  /** How to treat a response that does not match the contract. Default `report`. */
  readonly validate?: ValidateMode | undefined;
  /** Functions around each attempt, outermost first. Those of a call are inside those of the client. */
  readonly middleware?: readonly Middleware[] | undefined;
  /** Receives every event, and differences from the contract if there is no `onDrift`: `console`, pino or similar. */
  readonly logger?: Logger | undefined;
  /** Called once for each kind of difference from the contract. Default: one `console.warn`. Its errors are ignored. */
  readonly onDrift?: ((drift: Drift) => void) | undefined;
  /** Called for each request, response, retry and failure. Its errors are ignored. */
  readonly onEvent?: ((event: CallEvent) => void) | undefined;
}

/** One event of a call, for a log. It never contains the key. */
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

/** Options of {@link createClient}. */
export interface ClientOptions extends CallOptions {
  /** URL of the API with its path: `https://blog.example/api`. Default: the variable `BROADSHEET_BASE_URL`. */
  readonly baseUrl?: string | URL | undefined;
  /** The key of the blog, sent only in `X-API-Key`. Default: the variable `BROADSHEET_API_KEY`. */
  readonly apiKey?: string | undefined;
  /** Whether equal reads at the same time share one request. Default true. */
  readonly dedupe?: boolean | undefined;
  /** Stores responses to content reads; see {@link memoryCache}. Never used for ads. */
  readonly cache?: ResponseCache | undefined;
  /** Adds the tags of {@link tagsOf} to `fetchOptions.next.tags` of content reads. Default false. */
  readonly nextTags?: boolean | undefined;
  /** Sends the key without TLS to hosts other than this machine. Default false. */
  readonly allowInsecureHttp?: boolean | undefined;
  /** The header of a visitor's request to trust for the IP address; see {@link ProxyTrust}. Default 0. */
  readonly trust?: ProxyTrust | undefined;
  /** Confirms that visitors may see the key: no notice in the console of a browser. Default false. */
  readonly browser?: boolean | undefined;
}
