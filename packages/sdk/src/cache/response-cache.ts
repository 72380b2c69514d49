import type { Incoming } from '../answer/incoming.ts';

/**
 * Stores answers of content reads between calls. `load` sends the request; with an ETag the answer may be a 304.
 * Ads and clicks never pass through it.
 *
 * @example
 * ```ts
 * const cache: ResponseCache = { read: (key, tags, load) => load() }; // stores nothing
 * const blog = createClient({ cache });
 * ```
 */
export interface ResponseCache {
  /** Changes whenever answers are removed: a read never joins one that began before. Absent, none are. */
  readonly generation?: number;
  read(key: string, tags: readonly string[], load: (etag?: string) => Promise<Incoming>): Promise<Incoming>;
}
