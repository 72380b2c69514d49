import type { Clock } from '@broadsheet/core';
import { LRUCache } from 'lru-cache';

/** Owners whose buckets are remembered; one that is forgotten starts again with a full one. */
const MAX_BUCKETS = 10_000;

/** A bucket of tokens for each owner: `perSecond` flow in, twice as many fit. */
export interface TokenBuckets {
  /** Takes tokens, one by default, or gives the seconds until there are as many; 0 when they were taken. */
  take(owner: string, count?: number): number;
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
  const waitFor = (left: number, count = 1): number => (left >= count ? 0 : Math.ceil((count - left) / perSecond));
  return {
    take(owner, count = 1) {
      const now = clock.now();
      const left = leftOf(owner, now);
      // More than ever fit are taken from a full bucket, which is then in debt.
      const wait = waitFor(left, Math.min(count, capacity));
      buckets.set(owner, { left: wait === 0 ? left - count : left, at: now });
      return wait;
    },
    wait: (owner) => waitFor(leftOf(owner, clock.now())),
  };
}
