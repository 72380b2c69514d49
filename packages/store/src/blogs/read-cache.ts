import type { Awaitable } from '@broadsheet/core';
import { LRUCache } from 'lru-cache';

/** What was read by key, read again when something may have changed. */
export interface ReadCache<T> {
  /** At once, without a promise, when it is known. */
  get(key: string): Awaitable<T | undefined>;
  /** Forgets what belongs to a group, or everything. */
  forget(group?: string): void;
}

interface Entry<T> {
  readonly epoch: number;
  value: Awaitable<T | undefined>;
  group?: string;
}

const MAX_ENTRIES = 50_000;

/**
 * Remembers what was read for as long as `epoch` gives the same number and its group is not forgotten. What was not
 * found is not remembered: someone who guesses must not be able to push the others out.
 */
export function cacheReads<T>(
  epoch: () => number,
  groupOf: (value: T) => string,
  read: (key: string) => Promise<T | undefined>,
): ReadCache<T> {
  const entries = new LRUCache<string, Entry<T>>({ max: MAX_ENTRIES });
  let forgotten = 0;

  return {
    get(key) {
      const now = epoch();
      const entry = entries.get(key);
      if (entry?.epoch === now) return entry.value;
      const reading = read(key);
      const fresh: Entry<T> = { epoch: now, value: reading };
      entries.set(key, fresh);
      const before = forgotten;
      const drop = () => {
        if (entries.get(key) === fresh) entries.delete(key);
      };
      reading.then((value) => {
        // The group of a read is known when it is done: one that was forgotten meanwhile may have been its own.
        if (value === undefined || forgotten !== before) return drop();
        if (entries.get(key) !== fresh) return;
        fresh.value = value;
        fresh.group = groupOf(value);
      }, drop);
      return reading;
    },
    forget(group) {
      forgotten += 1;
      if (group === undefined) entries.clear();
      else for (const [key, entry] of [...entries]) if (entry.group === group) entries.delete(key);
    },
  };
}
