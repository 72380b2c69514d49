import type { Incoming } from '../answer/incoming.ts';

/**
 * Keeps answers of content reads between calls. `load` asks the server; with an ETag it may come back with 304.
 * Ads and clicks never pass through it.
 *
 * @example
 * ```ts
 * const cache: ResponseCache = { read: (key, tags, load) => load() }; // keeps nothing
 * const blog = createClient({ cache });
 * ```
 */
export interface ResponseCache {
  read(key: string, tags: readonly string[], load: (etag?: string) => Promise<Incoming>): Promise<Incoming>;
}
