import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { backOff } from './backoff.ts';
import { DeliveryError } from './delivery-error.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('five failures at once share one wait; only failed retries make it longer', async () => {
  const retry = vi.fn();
  for (let failure = 0; failure < 5; failure++) backOff(retry, new TypeError('Failed to fetch'), retry);
  await vi.advanceTimersByTimeAsync(5000);
  expect(retry).toHaveBeenCalledTimes(1);
  backOff(retry, new TypeError('Failed to fetch'), retry);
  await vi.advanceTimersByTimeAsync(14_999);
  expect(retry).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(retry).toHaveBeenCalledTimes(2);
});

test('a longer Retry-After extends the wait, and a wait of 25 days does not end at once', async () => {
  const retry = vi.fn();
  backOff(retry, new DeliveryError(503, 'down'), retry);
  backOff(retry, new DeliveryError(503, 'down', 25 * 86_400_000), retry);
  await vi.advanceTimersByTimeAsync(86_400_000);
  expect(retry).not.toHaveBeenCalled();
});

test('a browser that is online again retries after one second, and five seconds later if that fails', async () => {
  const retry = vi.fn();
  for (let failure = 0; failure < 4; failure++) {
    backOff(retry, new TypeError('Failed to fetch'), retry);
    await vi.advanceTimersByTimeAsync(300_000);
  }
  backOff(retry, new TypeError('Failed to fetch'), retry);
  retry.mockClear();
  window.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(1000);
  expect(retry).toHaveBeenCalledTimes(1);
  backOff(retry, new TypeError('Failed to fetch'), retry);
  await vi.advanceTimersByTimeAsync(5000);
  expect(retry).toHaveBeenCalledTimes(2);
});

test.each([undefined, null])('a rejection with %s is retried after five seconds', async (cause) => {
  const retry = vi.fn();
  backOff({}, cause, retry);
  await vi.advanceTimersByTimeAsync(5000);
  expect(retry).toHaveBeenCalledOnce();
});
