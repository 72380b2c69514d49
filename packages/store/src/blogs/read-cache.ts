import type { Awaitable } from '@broadsheet/core';
import { LRUCache } from 'lru-cache';

/** What was read by key, read again when something may have changed. */
export interface KeptReads<T> {
  /** At once, without a promise, when it is known. */
  get(key: string): Awaitable<T | undefined>;
  /** Forgets everything: this process has written to a blog or a key. */
  clear(): void;
}

const KEPT = 10_000;

/**
 * Keeps what was read for as long as `epoch` gives the same number. What was not found is not kept: whoever guesses
 * must not be able to push the others out.
 */
export function keepReads<T>(epoch: () => number, read: (key: string) => Promise<T | undefined>): KeptReads<T> {
  const kept = new LRUCache<string, { epoch: number; value: Awaitable<T | undefined> }>({ max: KEPT });
  return {
    get(key) {
      const now = epoch();
      const entry = kept.get(key);
      if (entry?.epoch === now) return entry.value;
      const reading = read(key);
      const fresh: { epoch: number; value: Awaitable<T | undefined> } = { epoch: now, value: reading };
      kept.set(key, fresh);
      const forget = () => {
        if (kept.get(key) === fresh) kept.delete(key);
      };
      reading.then((value) => {
        if (value === undefined) forget();
        else fresh.value = value;
      }, forget);
      return reading;
    },
    clear: () => kept.clear(),
  };
}
