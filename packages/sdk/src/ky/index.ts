/**
 * Sends the requests of the client through an instance of ky 2, with its hooks.
 *
 * @module
 */
/**
 * An instance of ky 2, such as `ky` or the result of `ky.create(…)`. It does not refer to the types of ky: those resolve
 * only in ES modules.
 */
export type KyInstance = (url: string, options: never) => PromiseLike<Response>;

type Fetch = (request: Request, init?: RequestInit) => Promise<Response>;

/** The options of one request as ky's `init` hooks see them. */
interface KyOptions {
  fetch?: Fetch | undefined;
  headers?: HeadersInit | undefined;
  signal?: AbortSignal | undefined;
  [option: string]: unknown;
}

/**
 * The features of ky that the client has itself, or that would break its promises: a retry could count an impression
 * twice, a timeout of ky does not cover the body, an error of ky contains the request, and therefore the key, and the
 * URL of a call must not change.
 */
const OFF = {
  retry: 0,
  timeout: false,
  totalTimeout: false,
  throwHttpErrors: false,
  prefix: '',
  baseUrl: undefined,
  searchParams: undefined,
  json: undefined,
  onDownloadProgress: undefined,
  onUploadProgress: undefined,
} as const;

/**
 * Makes a `fetch` for the client from an instance of ky 2. The instance sends the requests: its hooks run once for each
 * attempt, and its `fetch`, headers and `credentials` are used. Its retries, timeouts, errors and redirects are off, even
 * if it was created with them, because the client has its own.
 *
 * @param instance - `ky`, or the result of `ky.create()` or `ky.extend()`.
 * @returns For the option `fetch` of `createClient` or of one call.
 * @example
 * ```ts
 * const instance = ky.create({ hooks: { afterResponse: [({ response }) => console.debug(response.status)] } });
 * const blog = createClient({ fetch: kyFetch(instance) });
 * ```
 */
export function kyFetch(instance: KyInstance): (url: string, init: RequestInit) => Promise<Response> {
  return async function fetchByKy(url, { signal, ...init }) {
    // A hook runs after those of the instance, so nothing that they set remains. It is also faster than passing the
    // options to ky, which merges them one by one.
    const force = (options: KyOptions): void => {
      const send = guarded(url, options, signal ?? undefined);
      const headers = options.headers ? joined(options.headers, init.headers) : init.headers;
      Object.assign(options, init, OFF, { headers, fetch: send, signal: undefined });
    };
    try {
      return await instance(url, { hooks: { init: [force] } } as never);
    } catch (error) {
      throw unwrapped(error);
    }
  };
}

/** The headers of the instance, with those of the client over them. */
function joined(instance: HeadersInit, own: HeadersInit | undefined): Headers {
  const headers = new Headers(instance);
  for (const [name, value] of new Headers(own)) headers.set(name, value);
  return headers;
}

/** The `fetch` of the instance. It follows no redirect, and refuses to send the key to another origin if a hook changed the URL. */
function guarded(
  url: string,
  { fetch = globalThis.fetch, signal: other }: KyOptions,
  own: AbortSignal | undefined,
): Fetch {
  return async (request, more) => {
    const origin = request.url !== url && new URL(request.url).origin;
    if (origin && origin !== new URL(url).origin)
      throw new Error(`a hook of ky sends the request to ${origin}, where the key is not sent`);
    // ky never sees the signal: it would combine it with one of its own for a timeout that is off.
    const { signal, release } = own && other ? either(own, other) : { signal: own ?? other };
    try {
      return await fetch(request, { ...more, redirect: 'manual', ...(signal && { signal }) });
    } finally {
      release?.();
    }
  };
}

/** A signal that is aborted as soon as one of two is; `release` removes its listener from the longer-lived second. */
function either(own: AbortSignal, other: AbortSignal): { readonly signal: AbortSignal; readonly release?: () => void } {
  if ('any' in AbortSignal) return { signal: AbortSignal.any([own, other]) };
  // Firefox 115 does not have `AbortSignal.any`.
  const controller = new AbortController();
  const stop = (): void => controller.abort((own.aborted ? own : other).reason);
  if (own.aborted || other.aborted) stop();
  for (const signal of [own, other]) signal.addEventListener('abort', stop);
  return { signal: controller.signal, release: () => other.removeEventListener('abort', stop) };
}

/** The cause of an error of ky, because the error itself contains the request, and therefore the key. */
function unwrapped(error: unknown): unknown {
  if (!(error instanceof Error) || !('request' in error)) return error;
  return error.cause ?? new TypeError(error.message);
}
