import type { EndpointId } from '@broadsheet/contract';
import { LRUCache } from 'lru-cache';
import type { Blog } from '../store.ts';
import type { ApiRequest } from './request.ts';
import { type ResponseBody, sizeOf, toBytes } from './response.ts';

/** An encoded response and the endpoint that gave it. */
export interface CachedResponse {
  readonly id: EndpointId;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** Encoded responses by blog, revision and URL. */
export interface ResponseCache {
  get(key: string): CachedResponse | undefined;
  /** Caches a response if its key has been offered before, and recently enough. */
  offer(key: string, response: { readonly id: EndpointId; readonly body: ResponseBody }): void;
}

/** The key contains the unparsed URL, so a cached response is found without parsing it. */
export const cacheKey = (blog: Blog, { url }: ApiRequest): string => `${blog.id} ${blog.revision} ${url}`;

/** The share of the bytes for keys that were offered once. */
const SEEN_SHARE = 1 / 16;
/** The bytes of a key: two for a character that is not in Latin-1, and what a map needs for an entry. */
const sizeOfKey = (key: string): number => 2 * key.length + 100;

/**
 * Caches responses up to a number of bytes, keys included; a response larger than a tenth of that is not cached. Neither is
 * a response on its first request: a crawler that reads every page would evict the popular ones, and bytes that are
 * dropped at once cost the garbage collector almost nothing.
 */
export function createResponseCache(maxBytes: number): ResponseCache {
  const responses = new LRUCache<string, CachedResponse>({
    maxSize: Math.floor(maxBytes * (1 - SEEN_SHARE)),
    sizeCalculation: ({ body }, key) => body.byteLength + sizeOfKey(key),
  });
  // The bytes of responses that were offered once. A key is remembered for no longer than its response would be cached:
  // a crawler that reads every page once more would evict each response before it is requested again.
  const seen = new LRUCache<string, number>({
    maxSize: maxBytes,
    sizeCalculation: (bytes, key) => Math.max(bytes, Math.ceil(sizeOfKey(key) / SEEN_SHARE)),
  });
  return {
    get: (key) => responses.get(key),
    offer(key, { id, body }) {
      const bytes = sizeOf(body);
      if (bytes > maxBytes / 10) return;
      if (seen.has(key)) responses.set(key, { id, body: toBytes(body) });
      else seen.set(key, bytes);
    },
  };
}
