import type { Clock } from '@broadsheet/core';
import { LRUCache } from 'lru-cache';

/** Blogs whose buckets are remembered; one that is forgotten starts again with a full one. */
const MAX_BUCKETS = 10_000;

/**
 * A token bucket for each blog, which is to say for its key: `perSecond` requests flow in, twice as many fit. Returns
 * the whole seconds to wait, or 0. Every process has its own buckets.
 */
export function createRateLimit(perSecond: number, clock: Clock): (blogId: string) => number {
  const capacity = Math.max(1, perSecond * 2);
  const buckets = new LRUCache<string, { left: number; at: number }>({ max: MAX_BUCKETS });
  return (blogId) => {
    const now = clock.now();
    const before = buckets.get(blogId) ?? { left: capacity, at: now };
    // A clock that was set back must not empty the bucket.
    const gained = (Math.max(0, now - before.at) / 1000) * perSecond;
    const left = Math.min(capacity, before.left + gained);
    const passes = left >= 1;
    buckets.set(blogId, { left: passes ? left - 1 : left, at: now });
    return passes ? 0 : Math.ceil((1 - left) / perSecond);
  };
}
