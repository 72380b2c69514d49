import type { EndpointId } from '@broadsheet/contract';
import { type AnswerBody, sizeOf, toBytes } from './answer.ts';

/** An encoded answer and the endpoint that gave it. */
export interface CachedAnswer {
  readonly id: EndpointId;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** Encoded answers by blog, revision and address. */
export interface AnswerCache {
  get(key: string): CachedAnswer | undefined;
  /** Caches an answer whose key was offered before, not long ago. */
  offer(key: string, answer: { readonly id: EndpointId; readonly body: AnswerBody }): void;
}

/** How many keys each of the two generations of seen keys holds. */
const SEEN_KEYS = 2000;

interface Entry extends CachedAnswer {
  /** Since the cache last looked for room. */
  used: boolean;
}

/**
 * Caches answers up to a number of bytes; one that needs more than a tenth of them is not cached. Nor is one on its
 * first request: a crawler that reads every page would evict what others come back for, and bytes that are dropped at
 * once cost the garbage collector next to nothing.
 */
export function createAnswerCache(maxBytes: number): AnswerCache {
  const entries = new Map<string, Entry>();
  const seenBefore = createRecentKeys(SEEN_KEYS);
  let total = 0;
  const costOf = (key: string, { body }: CachedAnswer) => body.byteLength + 2 * key.length + 100;
  const remove = (key: string, answer: CachedAnswer) => {
    entries.delete(key);
    total -= costOf(key, answer);
  };
  /** The oldest entries go first; one that was used is spared and becomes the newest. */
  const makeRoom = (needed: number) => {
    for (const [key, entry] of entries) {
      if (total + needed <= maxBytes) return;
      if (entry.used) {
        entry.used = false;
        entries.delete(key);
        entries.set(key, entry);
      } else remove(key, entry);
    }
  };
  return {
    get(key) {
      const entry = entries.get(key);
      if (entry) entry.used = true;
      return entry;
    },
    offer(key, { id, body }) {
      if (sizeOf(body) > maxBytes / 10 || !seenBefore(key)) return;
      const entry = { id, body: toBytes(body), used: false };
      const before = entries.get(key);
      if (before) remove(key, before);
      const cost = costOf(key, entry);
      makeRoom(cost);
      entries.set(key, entry);
      total += cost;
    },
  };
}

/** Whether a key was among the last `atLeast` to twice as many keys; it is one of them from now on. */
function createRecentKeys(atLeast: number): (key: string) => boolean {
  let older = new Set<string>();
  let newer = new Set<string>();
  return (key) => {
    if (newer.has(key) || older.has(key)) return true;
    newer.add(key);
    if (newer.size === atLeast) [older, newer] = [newer, new Set()];
    return false;
  };
}
