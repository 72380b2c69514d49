import type { Clock } from '@broadsheet/core';
import { LRUCache } from 'lru-cache';

/** Owners whose buckets are retained; any other owner starts with a full bucket. */
const MAX_BUCKETS = 10_000;

/**
 * A bucket of tokens for each owner: it gains `perSecond` tokens a second and holds twice as many. The function takes
 * tokens, one by default, and returns 0; or it takes none and returns the seconds until there are enough. A negative
 * count gives tokens back.
 */
export function createTokenBuckets(perSecond: number, clock: Clock): (owner: string, count?: number) => number {
  const capacity = Math.max(1, perSecond * 2);
  // Limited by size, because `max` would allocate all entries when the cache is created.
  const buckets = new LRUCache<string, { left: number; at: number }>({
    maxSize: MAX_BUCKETS,
    sizeCalculation: () => 1,
  });
  return (owner, count = 1) => {
    const now = clock.now();
    const before = buckets.get(owner) ?? { left: capacity, at: now };
    // A clock that was set back must not empty the bucket.
    const gained = (Math.max(0, now - before.at) / 1000) * perSecond;
    const left = Math.min(capacity, before.left + gained);
    // A request for more tokens than a bucket holds puts a full bucket into debt.
    const needed = Math.min(count, capacity);
    const isGranted = left >= needed;
    buckets.set(owner, { left: isGranted ? left - count : left, at: now });
    return isGranted ? 0 : Math.ceil((needed - left) / perSecond);
  };
}
