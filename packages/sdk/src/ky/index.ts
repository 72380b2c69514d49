/**
 * Carries the requests of the client by an instance of ky 2, with its hooks.
 *
 * @example
 * ```ts
 * import { createClient } from '@broadsheet/sdk';
 * import { kyFetch } from '@broadsheet/sdk/ky';
 * import ky from 'ky';
 *
 * const blog = createClient({ fetch: kyFetch(ky) });
 * ```
 *
 * @module
 */
/**
 * An instance of ky 2, as `ky` itself or `ky.create(…)` gives it. Written out, so that the types of ky, which are for ES
 * modules alone, are in nobody's way.
 *
 * @example
 * ```ts
 * const instance: KyInstance = ky.create({ hooks: { beforeRequest: [({ request }) => console.debug(request.url)] } });
 * const blog = createClient({ fetch: kyFetch(instance) });
 * ```
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
 * What the client does itself, and ky must not do again: it repeats what counts an impression, its time-outs end before
 * the body or not with it, its errors hold the request and thereby the key, and an address is not to be changed.
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
 * Makes the `fetch` of a client out of an instance of ky 2. The instance carries the requests: its hooks run once for
 * each attempt, its `fetch`, headers and `credentials` are used. Its retries, time-outs, errors and redirects are off,
 * whatever it was created with, for the client has its own.
 *
 * @param instance - `ky`, or what `ky.create()` or `ky.extend()` gave.
 * @returns For the option `fetch` of `createClient` or of one call.
 * @example
 * ```ts
 * const instance = ky.create({ hooks: { afterResponse: [({ response }) => console.debug(response.status)] } });
 * const blog = createClient({ fetch: kyFetch(instance) });
 * ```
 */
export function kyFetch(instance: KyInstance): (url: string, init: RequestInit) => Promise<Response> {
  return async function fetchByKy(url, { signal, ...init }) {
    // In a hook, which comes after those of the instance, so that nothing of what they set stays on; and since ky takes
    // longer to merge an option than to read it.
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

/** Headers of the instance, with those of the client over them. */
function joined(instance: HeadersInit, own: HeadersInit | undefined): Headers {
  const headers = new Headers(instance);
  for (const [name, value] of new Headers(own)) headers.set(name, value);
  return headers;
}

/** The `fetch` of the instance, which follows no redirect and sends the key nowhere else, whatever a hook made of the request. */
function guarded(
  url: string,
  { fetch = globalThis.fetch, signal: other }: KyOptions,
  own: AbortSignal | undefined,
): Fetch {
  // Kept from ky, which would compose it with one of its own for a time-out that is off.
  const signal = own && other ? either(own, other) : (own ?? other);
  return async (request, more) => {
    const { origin } = new URL(request.url);
    if (origin !== new URL(url).origin)
      throw new Error(`a hook of ky sends the request to ${origin}, where the key is not sent`);
    return fetch(request, { ...more, redirect: 'manual', ...(signal && { signal }) });
  };
}

/** A signal that is aborted with the first of two. */
function either(...signals: readonly [AbortSignal, AbortSignal]): AbortSignal {
  if ('any' in AbortSignal) return AbortSignal.any([...signals]);
  // Firefox 115 has no `any`.
  const controller = new AbortController();
  for (const signal of signals) {
    if (signal.aborted) controller.abort(signal.reason);
    signal.addEventListener('abort', () => controller.abort(signal.reason), { signal: controller.signal });
  }
  return controller.signal;
}

/** What lies under an error of ky, whose own holds the request, and the request the key. */
function unwrapped(error: unknown): unknown {
  if (!(error instanceof Error) || !('request' in error)) return error;
  return error.cause ?? new TypeError(error.message);
}
