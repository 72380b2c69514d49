import { type Clock, Failure } from '@broadsheet/core';
import { LRUCache } from 'lru-cache';

/** Blogs whose buckets are remembered; one that is forgotten starts again with a full one. */
const MAX_BUCKETS = 10_000;

/**
 * A token bucket for each blog, which is to say for its key: `perSecond` requests flow in, twice as many fit.
 * Every process has its own buckets.
 *
 * @returns a function that takes a request of a blog, and throws a Failure `RATE_LIMITED` when there are too many
 */
export function createRateLimit(perSecond: number, clock: Clock): (blogId: string) => void {
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
    if (passes) return;
    const wait = Math.ceil((1 - left) / perSecond);
    const message = `This key sends more requests than it may; wait ${wait} s.`;
    throw new Failure('RATE_LIMITED', { message, headers: { 'retry-after': String(wait) } });
  };
}
