import type { EndpointId } from '@broadsheet/contract';
import { type AnswerBody, sizeOf, toBytes } from './answer.ts';

/** An encoded response and the endpoint that gave it. */
export interface CachedAnswer {
  readonly id: EndpointId;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** Encoded responses by blog, revision and URL. */
export interface AnswerCache {
  get(key: string): CachedAnswer | undefined;
  /** Caches a response if its key was offered before, recently enough. */
  offer(key: string, answer: { readonly id: EndpointId; readonly body: AnswerBody }): void;
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
export function createAnswerCache(maxBytes: number): AnswerCache {
  /** The least recently used first. */
  const entries = new Map<string, CachedAnswer>();
  const seen = new Set<string>();
  const maxSeen = maxBytes * SEEN_SHARE;
  let total = 0;
  let totalSeen = 0;
  const costOf = (key: string, { body }: CachedAnswer) => body.byteLength + sizeOfKey(key);
  const remove = (key: string, answer: CachedAnswer) => {
    entries.delete(key);
    total -= costOf(key, answer);
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
      const answer = entries.get(key);
      if (!answer) return undefined;
      entries.delete(key);
      entries.set(key, answer);
      return answer;
    },
    offer(key, { id, body }) {
      if (sizeOf(body) > maxBytes / 10 || !wasSeen(key)) return;
      const before = entries.get(key);
      if (before) remove(key, before);
      const answer = { id, body: toBytes(body) };
      entries.set(key, answer);
      total += costOf(key, answer);
      for (const [oldest, entry] of entries) {
        if (total <= maxBytes - maxSeen) return;
        remove(oldest, entry);
      }
    },
  };
}
