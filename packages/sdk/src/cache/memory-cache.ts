import type { Incoming } from '../answer/incoming.ts';

/**
 * Stores responses to content reads between calls. `load` sends the request; with an ETag, the response may be a 304.
 * Ads and clicks never use it.
 *
 * @example
 * ```ts
 * const cache: ResponseCache = { read: (key, tags, load) => load() }; // stores nothing
 * const blog = createClient({ cache });
 * ```
 */
export interface ResponseCache {
  /** Changes whenever responses are removed, so that a read never joins one that began before. */
  readonly generation?: number;
  read(key: string, tags: readonly string[], load: (etag?: string) => Promise<Incoming>): Promise<Incoming>;
}

/**
 * Options of {@link memoryCache}.
 *
 * @example
 * ```ts
 * const options: MemoryCacheOptions = { fresh: 5_000, stale: 60_000, maxEntries: 1_000 };
 * const cache = memoryCache(options);
 * ```
 */
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

/**
 * A {@link ResponseCache} in memory.
 *
 * @example
 * ```ts
 * const cache: MemoryCache = memoryCache({ fresh: 60_000 });
 * const blog = createClient({ cache });
 * for (const tag of tagsOf('posts.get', { id })) cache.revalidateTag(tag); // in a webhook
 * ```
 */
export interface MemoryCache extends ResponseCache {
  /** Removes every response stored under a tag of {@link tagsOf}; for a webhook. */
  revalidateTag(tag: string): void;
  clear(): void;
}

interface Entry {
  readonly answer: Incoming;
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
  const renewing = new Set<string>();
  let generation = 0;

  const put = (key: string, entry: Entry): void => {
    entries.delete(key);
    entries.set(key, entry);
    const oldest = entries.keys().next();
    if (entries.size > maxEntries && !oldest.done) entries.delete(oldest.value);
  };

  async function renew(
    key: string,
    tags: readonly string[],
    load: (etag?: string) => Promise<Incoming>,
  ): Promise<Incoming> {
    const stored = entries.get(key);
    const started = generation;
    let answer = await load(stored?.answer.headers.get('etag') ?? undefined);
    if (answer.status === 304 && stored) answer = stored.answer;
    // A response that was removed while this one was on its way must not come back.
    if (answer.status === 200 && generation === started) put(key, { answer, tags, at: now() });
    return answer;
  }

  return {
    get generation() {
      return generation;
    },
    async read(key, tags, load) {
      const stored = entries.get(key);
      const age = stored ? now() - stored.at : 0;
      // The age is unknown after the clock was set back.
      if (!stored || age < 0 || age >= fresh + stale) return renew(key, tags, load);
      if (age >= fresh && !renewing.has(key)) {
        renewing.add(key);
        renew(key, tags, load)
          .catch(() => {}) // the first read after the stale time sends a request and reports its failure
          .finally(() => renewing.delete(key));
      }
      entries.delete(key);
      entries.set(key, stored);
      return stored.answer;
    },
    revalidateTag(tag) {
      generation++;
      for (const [key, { tags }] of entries) if (tags.includes(tag)) entries.delete(key);
    },
    clear() {
      generation++;
      entries.clear();
    },
  };
}
