import { LRUCache } from 'lru-cache';

/** What was read by key, read again when something may have changed. */
export interface KeptReads<T> {
  get(key: string): Promise<T | undefined>;
  /** Forgets everything: this process has written to a blog or a key. */
  clear(): void;
}

const KEPT = 10_000;

/**
 * Keeps what was read for as long as `epoch` gives the same number. What was not found is not kept: whoever guesses
 * must not be able to push the others out.
 */
export function keepReads<T>(epoch: () => number, read: (key: string) => Promise<T | undefined>): KeptReads<T> {
  const kept = new LRUCache<string, { epoch: number; value: Promise<T | undefined> }>({ max: KEPT });
  return {
    get(key) {
      const now = epoch();
      const entry = kept.get(key);
      if (entry?.epoch === now) return entry.value;
      const fresh = { epoch: now, value: read(key) };
      kept.set(key, fresh);
      const forget = () => {
        if (kept.get(key) === fresh) kept.delete(key);
      };
      fresh.value.then((value) => value ?? forget(), forget);
      return fresh.value;
    },
    clear: () => kept.clear(),
  };
}
