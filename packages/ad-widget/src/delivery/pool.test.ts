import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Delivered } from './creative.ts';
import { createPool, isExpired } from './pool.ts';

const fresh = (more: Partial<Delivered> = {}): Delivered => ({
  ad: { slotId: 'top', format: 'BANNER', filled: true, id: '1', clickToken: 'token' },
  at: Date.now(),
  ...more,
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('gives an unseen ad to the next slot of the format, once', () => {
  const pool = createPool();
  const delivered = fresh();
  pool.put(delivered);
  expect(pool.take('NATIVE', 'a')).toBeUndefined();
  expect(pool.take('BANNER', 'a')).toBe(delivered);
  expect(pool.take('BANNER', 'a')).toBeUndefined();
});

test('gives neither what was seen nor what was clicked', () => {
  const pool = createPool();
  pool.put(fresh({ viewed: true }));
  pool.put(fresh({ clicked: true }));
  expect(pool.take('BANNER', 'a')).toBeUndefined();
});

test('retains a reserved ad for the slot it was delivered to', () => {
  const pool = createPool();
  pool.put(fresh({ reserved: true }));
  expect(pool.take('BANNER', 'bottom')).toBeUndefined();
  expect(pool.take('BANNER', 'top')).toBeDefined();
});

test('drops an ad whose token has less than two minutes left', () => {
  const pool = createPool();
  pool.put(fresh());
  vi.advanceTimersByTime(8 * 60_000 + 1);
  expect(pool.take('BANNER', 'a')).toBeUndefined();
});

test('a token is expired after ten minutes, not at ten minutes', () => {
  const delivered = fresh();
  vi.advanceTimersByTime(600_000);
  expect(isExpired(delivered)).toBe(false);
  vi.advanceTimersByTime(1);
  expect(isExpired(delivered)).toBe(true);
});
