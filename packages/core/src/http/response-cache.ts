import type { EndpointId } from '@broadsheet/contract';
import { type ResponseBody, sizeOf, toBytes } from './response.ts';

/** An encoded response and the endpoint that gave it. */
export interface CachedResponse {
  readonly id: EndpointId;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** Encoded responses by blog, revision and URL. */
export interface ResponseCache {
  get(key: string): CachedResponse | undefined;
  /** Caches a response if its key was offered before, recently enough. */
  offer(key: string, response: { readonly id: EndpointId; readonly body: ResponseBody }): void;
}

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
  /** The least recently used first. */
  const entries = new Map<string, CachedResponse>();
  const seen = new Set<string>();
  const maxSeen = maxBytes * SEEN_SHARE;
  let total = 0;
  let totalSeen = 0;
  const costOf = (key: string, { body }: CachedResponse) => body.byteLength + sizeOfKey(key);
  const remove = (key: string, response: CachedResponse) => {
    entries.delete(key);
    total -= costOf(key, response);
  };
  const wasSeen = (key: string): boolean => {
    if (seen.has(key)) return true;
    totalSeen += sizeOfKey(key);
    if (totalSeen > maxSeen) {
      seen.clear();
      totalSeen = sizeOfKey(key);
    }
    seen.add(key);
    return false;
  };
  return {
    get(key) {
      const response = entries.get(key);
      if (!response) return undefined;
      entries.delete(key);
      entries.set(key, response);
      return response;
    },
    offer(key, { id, body }) {
      if (sizeOf(body) > maxBytes / 10 || !wasSeen(key)) return;
      const before = entries.get(key);
      if (before) remove(key, before);
      const response = { id, body: toBytes(body) };
      entries.set(key, response);
      total += costOf(key, response);
      for (const [oldest, entry] of entries) {
        if (total <= maxBytes - maxSeen) return;
        remove(oldest, entry);
      }
    },
  };
}
