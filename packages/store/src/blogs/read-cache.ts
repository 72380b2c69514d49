import type { Awaitable } from '@broadsheet/core';
import { LRUCache } from 'lru-cache';

/** What was read by key, read again when something may have changed. */
export interface ReadCache<T> {
  /** At once, without a promise, when it is known. */
  get(key: string): Awaitable<T | undefined>;
  /** Forgets everything: this process has written to a blog or a key. */
  clear(): void;
}

const MAX_ENTRIES = 10_000;

/**
 * Keeps what was read for as long as `epoch` gives the same number. What was not found is not cached: whoever guesses
 * must not be able to push the others out.
 */
export function cacheReads<T>(epoch: () => number, read: (key: string) => Promise<T | undefined>): ReadCache<T> {
  const entries = new LRUCache<string, { epoch: number; value: Awaitable<T | undefined> }>({ max: MAX_ENTRIES });
  return {
    get(key) {
      const now = epoch();
      const entry = entries.get(key);
      if (entry?.epoch === now) return entry.value;
      const reading = read(key);
      const fresh: { epoch: number; value: Awaitable<T | undefined> } = { epoch: now, value: reading };
      entries.set(key, fresh);
      const forget = () => {
        if (entries.get(key) === fresh) entries.delete(key);
      };
      reading.then((value) => {
        if (value === undefined) forget();
        else fresh.value = value;
      }, forget);
      return reading;
    },
    clear: () => entries.clear(),
  };
}
