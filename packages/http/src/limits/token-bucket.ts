import type { Clock } from '@broadsheet/core';
import { LRUCache } from 'lru-cache';

/** Owners whose buckets are remembered; one that is forgotten starts again with a full one. */
const MAX_BUCKETS = 10_000;

/** A bucket of tokens for each owner: `perSecond` flow in, twice as many fit. */
export interface TokenBuckets {
  /** Takes a token, or gives the seconds until there is one; 0 when it was taken. */
  take(owner: string): number;
  /** The seconds until there is a token, which is left where it is. */
  wait(owner: string): number;
}

/** Every process has its own buckets. */
export function createTokenBuckets(perSecond: number, clock: Clock): TokenBuckets {
  const capacity = Math.max(1, perSecond * 2);
  const buckets = new LRUCache<string, { left: number; at: number }>({ max: MAX_BUCKETS });
  const leftOf = (owner: string, now: number): number => {
    const before = buckets.get(owner);
    if (!before) return capacity;
    // A clock that was set back must not empty the bucket.
    const gained = (Math.max(0, now - before.at) / 1000) * perSecond;
    return Math.min(capacity, before.left + gained);
  };
  const waitFor = (left: number): number => (left >= 1 ? 0 : Math.ceil((1 - left) / perSecond));
  return {
    take(owner) {
      const now = clock.now();
      const left = leftOf(owner, now);
      buckets.set(owner, { left: left >= 1 ? left - 1 : left, at: now });
      return waitFor(left);
    },
    wait: (owner) => waitFor(leftOf(owner, clock.now())),
  };
}
