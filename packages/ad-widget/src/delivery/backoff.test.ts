import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { backOff } from './backoff.ts';
import { DeliveryError, mayRepeat } from './delivery-error.ts';

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

test('a longer Retry-After extends a wait, and one of 25 days does not end at once', async () => {
  const retry = vi.fn();
  backOff(retry, new DeliveryError(503, 'down'), retry);
  backOff(retry, new DeliveryError(503, 'down', 25 * 86_400_000), retry);
  await vi.advanceTimersByTimeAsync(86_400_000);
  expect(retry).not.toHaveBeenCalled();
});

test.each([
  ['no response', new TypeError('Failed to fetch'), false],
  ['a timeout', new DOMException('slow', 'TimeoutError'), false],
  ['a 429 from a proxy', new DeliveryError(429, 'slow down'), true],
  ['a 503 from a proxy', new DeliveryError(503, 'down'), true],
  ['a 502 from a proxy', new DeliveryError(502, 'bad gateway'), false],
  ['a 504 from a proxy', new DeliveryError(504, 'timeout'), false],
  ['a 408', new DeliveryError(408, 'timeout'), false],
  ['a 500 from the API that allows it', new DeliveryError(500, 'error', 0, true), true],
  ['a 503 from the API that forbids it', new DeliveryError(503, 'lost', 0, false), false],
  ['a 401', new DeliveryError(401, 'no such key', 0, false), false],
  ['a 200 without results', new DeliveryError(200, 'not the API'), false],
])('`mayRepeat` decides whether a delivery is repeated after %s', (_, cause, again) => {
  expect(mayRepeat(cause)).toBe(again);
});
