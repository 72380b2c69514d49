import { expect, test, vi } from 'vitest';
import type { BroadsheetError } from '../errors/errors.ts';
import { mayRepeat, pause, planRetries } from './retry.ts';

const failure = (facts: Partial<BroadsheetError>) => facts as BroadsheetError;

test('by default a call is repeated twice and waits up to 30 s for Retry-After', () => {
  expect(planRetries()).toMatchObject({ limit: 2, baseDelay: 300, maxDelay: 10_000, maxRetryAfter: 30_000 });
  expect(planRetries(undefined, 5, { baseDelay: 1 })).toMatchObject({ limit: 5, baseDelay: 1 });
  expect(planRetries({ limit: 3 }, { limit: undefined }, false).limit).toBe(0);
});

test('a wait takes its time, and its timer is cleared when the call ends', async () => {
  vi.useFakeTimers();
  try {
    const { sleep } = planRetries();
    const woken = vi.fn();
    const call = new AbortController();
    void sleep(300, call.signal).then(woken);
    await vi.advanceTimersByTimeAsync(299);
    expect(woken).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(woken).toHaveBeenCalledOnce();
    void sleep(300, call.signal);
    call.abort();
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test('the pause is random up to a limit that doubles; Retry-After is obeyed up to its limit', () => {
  const plan = planRetries({ random: () => 1 });
  expect([1, 2, 3, 9].map((failures) => pause(plan, failure({}), failures))).toEqual([300, 600, 1200, 10_000]);
  expect(pause(plan, failure({ retryAfter: 30_000 }), 1)).toBe(30_000);
  expect(pause(plan, failure({ retryAfter: 30_001 }), 1)).toBeUndefined();
  expect(pause(planRetries(), failure({}), 1)).toBeLessThanOrEqual(300);
});

test('a delivery is repeated only if nothing was counted or its key counts it once', () => {
  const lost = failure({ retryable: true, phase: 'connect' });
  expect(mayRepeat('read', failure({ retryable: false }), true)).toBe(false);
  expect(mayRepeat('read', lost, false)).toBe(true);
  expect(mayRepeat('click', lost, false)).toBe(true);
  expect(mayRepeat('delivery', lost, false)).toBe(false);
  expect(mayRepeat('delivery', lost, true)).toBe(true);
  expect(mayRepeat('delivery', failure({ ...lost, uncounted: true }), false)).toBe(true);
});
