import { tagsOfRead } from '@broadsheet/contract';
import { callHook } from '../calls/call-hook.ts';
import type { EndpointId } from '../endpoint-id.ts';
import type { BroadsheetError } from '../errors/errors.ts';
import type { Incoming } from '../response/incoming.ts';

/**
 * A response in a cache: a `fresh` one is used without a request, a `stale` one is used and renewed in the background,
 * and an `expired` one needs a request, which sends its ETag.
 */
export interface CachedResponse {
  readonly response: Incoming;
  readonly state: 'fresh' | 'stale' | 'expired';
}

/** Where {@link responseCache} stores responses. */
export interface ResponseStore {
  /** Changes whenever responses are removed, so that nothing read before is stored or shared afterwards. */
  readonly generation?: number;
  get(key: string): CachedResponse | undefined | Promise<CachedResponse | undefined>;
  /** `tags` are the result of `tagsOf`. */
  set(key: string, response: Incoming, tags: readonly string[]): unknown;
}

/** @internal A read as a cache sees it: a part of `Outgoing`. */
export interface CacheableRead {
  readonly url: string;
  readonly options: { readonly validate?: string | undefined };
  /** The other things on which the responses of a client depend: its API key, headers and functions. */
  readonly settings: { readonly variant: readonly unknown[] };
  readonly task: {
    readonly id: EndpointId;
    readonly params?: Readonly<Record<string, string>> | undefined;
    readonly isRenewal?: boolean;
    readonly old?: Incoming;
  };
}

/** @internal How a read bypasses the cache. */
export interface Origin {
  request(etag?: string): Promise<Incoming>;
  /** Reads in the background. */
  renew(): Promise<unknown>;
}

/**
 * Stores responses to content reads between calls; {@link memoryCache} makes one, and {@link responseCache} one with a store
 * of your own. It stores only responses that a call could read as a payload, and none with `no-store`. Clients share a
 * response only if they send the same headers and have the same middleware and `fetch`. Ads, clicks and `blog.request()`
 * never use it.
 */
export interface ResponseCache {
  readonly generation?: number | undefined;
  /** @internal */
  read(read: CacheableRead, origin: Origin): Promise<Incoming>;
  /** @internal The response to use instead of the error of a failed read. */
  recover?(read: CacheableRead, error: BroadsheetError): Incoming | undefined;
}

/**
 * Makes a cache with a store of your own.
 *
 * @example
 * ```ts
 * const stored = new Map<string, CachedResponse>();
 * const cache = responseCache({
 *   get: (key) => stored.get(key),
 *   set: (key, response) => stored.set(key, { response, state: 'fresh' }), // for the life of the process
 * });
 * const blog = createClient({ cache });
 * ```
 */
export function responseCache(store: ResponseStore): ResponseCache {
  /** The renewals in progress, with the time when each was sent. */
  const renewing = new Map<string, number>();
  return {
    get generation() {
      return store.generation;
    },
    async read(outgoing, { request, renew }) {
      const { task } = outgoing;
      const key = keyOf(outgoing);
      const { generation } = store;
      const stored = await store.get(key);
      if (stored && stored.state !== 'expired' && !task.isRenewal) {
        const now = Date.now();
        if (stored.state === 'stale' && !(now - (renewing.get(key) ?? 0) < RENEWAL)) {
          renewing.set(key, now);
          void renew().then(() => renewing.get(key) === now && renewing.delete(key));
        }
        return stored.response;
      }
      const received = await request(stored?.response.headers.get('etag') ?? undefined);
      const response = received.status === 304 && stored ? confirmed(stored.response, received) : received;
      const { status, headers } = response;
      if (status !== 200 || /no-store/i.test(headers.get('cache-control') ?? '')) return response;
      // If the response was removed while this request was in flight, it must not come back.
      const set = (): unknown =>
        store.generation === generation && store.set(key, response, tagsOfRead(task.id, task.params));
      let isKept = false; // all calls that share the request read its response
      const keep = (): void => {
        if (!isKept) callHook('cache.set', set, undefined);
        isKept = true;
      };
      return { ...response, keep };
    },
  };
}

/** Milliseconds after which a renewal no longer stops the next: some runtimes freeze work after a response was sent. */
const RENEWAL = 60_000;

/** A stored response that a 304 confirmed: its text, and the headers of both, of which the new ones count. */
function confirmed({ status, text, headers: old }: Incoming, { headers: received }: Incoming): Incoming {
  const headers = new Headers(old);
  for (const [name, value] of received) if (name !== 'content-length') headers.set(name, value);
  return { status, text, headers };
}

/** The key of a response. A response that one mode accepts may be refused by another. */
export const keyOf = ({ url, options, settings }: CacheableRead): string =>
  `${nameOf(settings.variant)} ${options.validate} ${url}`;

const names = new WeakMap<object, string>();

/** A short name for a value. The name of a function is unique, even among processes that share a store. */
function nameOf(value: unknown): string {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return String(value);
  const name = names.get(value) ?? (Array.isArray(value) ? hashOf(value.map(nameOf).join(' ')) : String(Math.random()));
  names.set(value, name);
  return name;
}

/** FNV-1a. It only distinguishes keys and needs no secrecy: an API key has 256 random bits. */
function hashOf(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const char of text) hash = BigInt.asUintN(64, (hash ^ BigInt(char.charCodeAt(0))) * 0x100000001b3n);
  return hash.toString(36);
}
