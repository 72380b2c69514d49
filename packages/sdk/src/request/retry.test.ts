import { expect, test, vi } from 'vitest';
import { planRetries } from './retry.ts';

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

test('a wait longer than a timer can last does not end at once', () => {
  vi.useFakeTimers();
  try {
    const woken = vi.fn();
    const month = 30 * 24 * 60 * 60_000;
    void planRetries().sleep(month, new AbortController().signal).then(woken);
    vi.advanceTimersByTime(60_000);
    expect(vi.getTimerCount()).toBe(1);
  } finally {
    vi.useRealTimers();
  }
});
