import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Delivered, FilledAd } from './creative.ts';
import { createPool, isExpired } from './pool.ts';

const ad: FilledAd = { filled: true, id: '1', clickToken: 'token' };
const fresh = (): Delivered => ({ ad, at: Date.now() });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('gives an unseen ad to the next slot of the format, once', () => {
  const pool = createPool();
  const delivered = fresh();
  pool.put('BANNER', delivered);
  expect(pool.take('NATIVE', 'a')).toBeUndefined();
  expect(pool.take('BANNER', 'a')).toBe(delivered);
  expect(pool.take('BANNER', 'a')).toBeUndefined();
});

test('takes neither what was seen nor what was clicked', () => {
  const pool = createPool();
  pool.put('BANNER', { ...fresh(), viewed: true });
  pool.put('BANNER', { ...fresh(), clicked: true });
  expect(pool.take('BANNER', 'a')).toBeUndefined();
});

test('keeps an ad for the slot it was delivered to', () => {
  const pool = createPool();
  pool.put('BANNER', fresh(), 'top');
  expect(pool.take('BANNER', 'bottom')).toBeUndefined();
  expect(pool.take('BANNER', 'top')).toBeDefined();
});

test('drops an ad whose token has less than two minutes left', () => {
  const pool = createPool();
  pool.put('BANNER', fresh());
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
