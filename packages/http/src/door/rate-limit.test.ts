import { type Clock, Failure } from '@broadsheet/core';
import { describe, expect, it } from 'vitest';
import { createRateLimit } from './rate-limit.ts';

/** The seconds that a request is told to wait, or 0 when it passes. */
function waits(perSecond: number, clock: Clock): (blogId: string) => number {
  const admit = createRateLimit(perSecond, clock);
  return (blogId) => {
    try {
      admit(blogId);
      return 0;
    } catch (error) {
      if (!(error instanceof Failure && error.code === 'RATE_LIMITED')) throw error;
      return Number(error.details.headers?.['retry-after']);
    }
  };
}

describe('createRateLimit', () => {
  it('lets a burst of twice the rate pass, then the rate, and says how long to wait', () => {
    let now = 0;
    const limit = waits(5, { now: () => now });
    expect(Array.from({ length: 11 }, () => limit('blog'))).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    now = 200;
    expect([limit('blog'), limit('blog')]).toEqual([0, 1]);
  });

  it('counts each blog by itself', () => {
    const limit = waits(0.1, { now: () => 0 });
    expect([limit('a'), limit('b'), limit('a')]).toEqual([0, 0, 10]);
  });

  it('survives a clock that is set back', () => {
    let now = 1_000_000;
    const limit = waits(1, { now: () => now });
    limit('blog');
    now = 0;
    expect(limit('blog')).toBe(0);
    expect(limit('blog')).toBe(1);
  });
});
