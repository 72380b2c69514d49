import { describe, expect, it } from 'vitest';
import { createTokenBuckets } from './token-bucket.ts';

describe('createTokenBuckets', () => {
  it('a bucket grants a burst of twice the rate, then the rate, and returns the time to wait', () => {
    let now = 0;
    const take = createTokenBuckets(5, { now: () => now });
    expect(Array.from({ length: 11 }, () => take('blog'))).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    now = 200;
    expect([take('blog'), take('blog')]).toEqual([0, 1]);
  });

  it('each owner has a separate bucket', () => {
    const take = createTokenBuckets(0.1, { now: () => 0 });
    expect([take('a'), take('b'), take('a')]).toEqual([0, 0, 10]);
  });

  it('a bucket still works after the clock was set back', () => {
    let now = 1_000_000;
    const take = createTokenBuckets(1, { now: () => now });
    take('blog');
    now = 0;
    expect(take('blog')).toBe(0);
    expect(take('blog')).toBe(1);
  });
});
