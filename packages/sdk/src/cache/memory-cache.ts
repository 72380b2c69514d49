import type { Incoming } from '../answer/incoming.ts';
import { type ResponseCache, responseCache } from './response-cache.ts';

/** Options of {@link memoryCache}. */
export interface MemoryCacheOptions {
  /** Milliseconds in which a response is used without a request. Default 0: every read sends one, with the ETag. */
  readonly fresh?: number | undefined;
  /** Further milliseconds in which it is still used immediately, and renewed in the background. Default 0. */
  readonly stale?: number | undefined;
  /** The number of responses stored; the least recently used is removed first. Default 500. */
  readonly maxEntries?: number | undefined;
  /** Milliseconds since the epoch; for tests. */
  readonly now?: (() => number) | undefined;
}

/** A {@link ResponseCache} in memory. */
export interface MemoryCache extends ResponseCache {
  /** Removes every response stored under a tag of {@link tagsOf}; for a webhook. */
  revalidateTag(tag: string): void;
  clear(): void;
}

interface Entry {
  readonly response: Incoming;
  readonly tags: readonly string[];
  readonly at: number;
}

/**
 * Stores responses to content reads in memory with their ETags: reading unchanged content costs a 304 without a body.
 * Never used for ads.
 *
 * @example
 * ```ts
 * const blog = createClient({ cache: memoryCache({ fresh: 5_000, stale: 60_000 }) });
 * ```
 */
export function memoryCache(options: MemoryCacheOptions = {}): MemoryCache {
  const { fresh = 0, stale = 0, maxEntries = 500, now = Date.now } = options;
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
      const { response, at } = entry;
      const age = now() - at;
      // The age is unknown after the clock was set back.
      if (age < 0 || age >= fresh + stale) return { response, state: 'expired' };
      return { response, state: age < fresh ? 'fresh' : 'stale' };
    },
    set(key, response, tags) {
      put(key, { response, tags, at: now() });
      const oldest = entries.keys().next();
      if (entries.size > maxEntries && !oldest.done) entries.delete(oldest.value);
    },
  });

  const remove = (isOutdated: (entry: Entry) => boolean): void => {
    generation++;
    for (const [key, entry] of entries) if (isOutdated(entry)) entries.delete(key);
  };

  return Object.assign(cache, {
    revalidateTag: (tag: string) => remove(({ tags }) => tags.includes(tag)),
    clear: () => remove(() => true),
  });
}
