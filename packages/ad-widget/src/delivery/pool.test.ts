import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Delivered } from './creative.ts';
import { isExpired, takeUnseen } from './pool.ts';

const fresh = (more: Partial<Delivered> = {}): Delivered => ({
  ad: { slotId: 'top', format: 'BANNER', filled: true, id: '1', clickToken: 'token' },
  expiresAt: Date.now() + 600_000,
  ...more,
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('an unseen ad goes to the next slot of its format, once', () => {
  const pool = new Set<Delivered>();
  const delivered = fresh();
  pool.add(delivered);
  expect(takeUnseen(pool, 'NATIVE', 'a')).toBeUndefined();
  expect(takeUnseen(pool, 'BANNER', 'a')).toBe(delivered);
  expect(takeUnseen(pool, 'BANNER', 'a')).toBeUndefined();
});

test('an ad that was viewed or clicked is not reused', () => {
  const pool = new Set<Delivered>();
  pool.add(fresh({ viewed: true }));
  pool.add(fresh({ clicked: true }));
  expect(takeUnseen(pool, 'BANNER', 'a')).toBeUndefined();
});

test('a reserved ad goes only to the slot it was delivered for', () => {
  const pool = new Set<Delivered>();
  pool.add(fresh({ reserved: true }));
  expect(takeUnseen(pool, 'BANNER', 'bottom')).toBeUndefined();
  expect(takeUnseen(pool, 'BANNER', 'top')).toBeDefined();
});

test('an ad whose token has less than two minutes left is dropped', () => {
  const pool = new Set<Delivered>();
  pool.add(fresh());
  vi.advanceTimersByTime(8 * 60_000 + 1);
  expect(takeUnseen(pool, 'BANNER', 'a')).toBeUndefined();
});

test('a token is still valid after exactly ten minutes, and expired a millisecond later', () => {
  const delivered = fresh();
  vi.advanceTimersByTime(600_000);
  expect(isExpired(delivered)).toBe(false);
  vi.advanceTimersByTime(1);
  expect(isExpired(delivered)).toBe(true);
});

test('a reserved ad can be used until its token expires, even if the clock of the reader is fast by some minutes', () => {
  const pool = new Set<Delivered>();
  pool.add(fresh({ reserved: true }));
  pool.add(fresh({ reserved: true }));
  vi.advanceTimersByTime(599_000);
  expect(takeUnseen(pool, 'BANNER', 'top')).toBeDefined();
  vi.advanceTimersByTime(2000);
  expect(takeUnseen(pool, 'BANNER', 'top')).toBeUndefined();
});

test('expired ads that no slot needs leave the pool at its next use', () => {
  const pool = new Set<Delivered>();
  for (let route = 0; route < 100; route++) pool.add(fresh({ reserved: true }));
  vi.advanceTimersByTime(600_001);
  expect(takeUnseen(pool, 'NATIVE', 'another')).toBeUndefined();
  expect(pool.size).toBe(0);
});
