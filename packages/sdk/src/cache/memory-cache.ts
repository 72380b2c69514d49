import type { BroadsheetError } from '../errors/errors.ts';
import type { Incoming } from '../response/incoming.ts';
import { type CacheableRead, keyOf, type ResponseCache, responseCache } from './response-cache.ts';

/** Options of {@link memoryCache}. */
export interface MemoryCacheOptions {
  /** Milliseconds in which a response is used without a request. Default 0: every read sends one, with the ETag. */
  readonly fresh?: number | undefined;
  /** Further milliseconds in which it is still used immediately, and renewed in the background. Default 0. */
  readonly stale?: number | undefined;
  /**
   * Further milliseconds in which it is used if the API is down: no connection, a timeout, or status 5xx or 429, after
   * all retries. This way, an outage right after an edit does not take down pages. The failure is still reported to
   * `onEvent` and `logger`. Default 0.
   */
  readonly staleIfError?: number | undefined;
  /** The number of responses stored; the least recently used is removed first. Default 500. */
  readonly maxEntries?: number | undefined;
  /** Milliseconds since the epoch; for tests. */
  readonly now?: (() => number) | undefined;
}

/** A {@link ResponseCache} in memory. */
export interface MemoryCache extends ResponseCache {
  /**
   * For a webhook: the next read of every response stored under a tag of {@link tagsOf} sends a request. The old
   * response is used only if that request fails, for `staleIfError`.
   */
  revalidateTag(tag: string): void;
  /** Removes every response. */
  clear(): void;
}

interface Entry {
  readonly response: Incoming;
  readonly tags: readonly string[];
  readonly at: number;
  readonly isOutdated?: boolean;
}

/**
 * Stores responses to content reads in memory with their ETags: reading unchanged content costs a 304 without a body.
 * Never used for ads.
 *
 * @example
 * ```ts
 * const blog = createClient({ cache: memoryCache({ fresh: 5_000, stale: 60_000, staleIfError: 86_400_000 }) });
 * ```
 */
export function memoryCache(options: MemoryCacheOptions = {}): MemoryCache {
  const { fresh = 0, stale = 0, staleIfError = 0, maxEntries = 500, now = Date.now } = options;
  const entries = new Map<string, Entry>();
  let generation = 0;

  const put = (key: string, entry: Entry): void => {
    entries.delete(key);
    entries.set(key, entry);
  };

  const cache = responseCache({
    get generation() {
      return generation;
    },
    get(key) {
      const entry = entries.get(key);
      if (!entry) return undefined;
      put(key, entry); // the most recently used
      const { response, at, isOutdated } = entry;
      const age = now() - at;
      // The age is unknown after the clock was set back.
      if (isOutdated || !(age >= 0 && age < fresh + stale)) return { response, state: 'expired' };
      return { response, state: age < fresh ? 'fresh' : 'stale' };
    },
    set(key, response, tags) {
      put(key, { response, tags, at: now() });
      const oldest = entries.keys().next();
      if (entries.size > maxEntries && !oldest.done) entries.delete(oldest.value);
    },
  });

  return Object.assign(cache, {
    recover(read: CacheableRead, error: BroadsheetError): Incoming | undefined {
      const key = keyOf(read);
      const { old, isRenewal } = read.task;
      const { name, status = 0, retryable } = error;
      if (retryable || status >= 500 || name === 'NetworkError') {
        const entry = entries.get(key);
        // With a timeout of 0, a call fails even with the old response. Nobody waits for the result of a renewal.
        const isUsable = entry && !old && !isRenewal && now() - entry.at < fresh + stale + staleIfError;
        return isUsable ? entry.response : undefined;
      }
      // Content that the API refuses must not come back in a later outage. A ResponseError does not come from the API.
      if (status >= 400 && name !== 'ResponseError') entries.delete(key);
      return undefined;
    },
    revalidateTag(tag: string): void {
      generation++;
      for (const [key, entry] of entries) {
        if (!entry.tags.includes(tag)) continue;
        if (staleIfError > 0) entries.set(key, { ...entry, isOutdated: true });
        else entries.delete(key);
      }
    },
    clear(): void {
      generation++;
      entries.clear();
    },
  });
}
