import { expect, test } from 'vitest';
import { createClock, type Duration, milliseconds } from './clock.ts';

const { signal } = new AbortController();

test('virtual time stands still until it is advanced', () => {
  const clock = createClock(1000);
  expect(clock.now()).toBe(1000);
  expect(clock.advance('10m')).toBe(601_000);
  expect(clock.now()).toBe(601_000);
});

test('sleepers wake in the order of their time', async () => {
  const clock = createClock(0);
  const woken: string[] = [];
  const late = clock.sleep(200, [signal]).then(() => woken.push('late'));
  const early = clock.sleep(100, [signal]).then(() => woken.push('early'));
  expect(clock.waiting).toBe(2);
  clock.advance(99);
  expect(clock.waiting).toBe(2);
  clock.advance('1s');
  await Promise.all([late, early]);
  expect(woken).toEqual(['early', 'late']);
  expect(clock.waiting).toBe(0);
});

test('an abort ends the sleep', async () => {
  const clock = createClock(0);
  const controller = new AbortController();
  const sleep = clock.sleep(100, [controller.signal]);
  controller.abort(new Error('enough'));
  await expect(sleep).rejects.toThrow('enough');
  await expect(clock.sleep(100, [controller.signal])).rejects.toThrow('enough');
  expect(clock.waiting).toBe(0);
});

test('a real clock runs, and can still be advanced', async () => {
  const clock = createClock(0, 'real');
  await clock.sleep(5, [signal]);
  expect(clock.now()).toBeGreaterThan(0);
  expect(clock.advance('1d')).toBeGreaterThanOrEqual(86_400_000);
});

test('a real clock can sleep longer than a timer', async () => {
  const clock = createClock(0, 'real');
  const long = clock.sleep(2 ** 31, [signal]);
  const forever = new AbortController();
  const stalled = clock.sleep(Number.POSITIVE_INFINITY, [forever.signal]);
  await clock.sleep(20, [signal]);
  expect(clock.waiting).toBe(2);
  clock.advance('30d');
  await long;
  forever.abort(new Error('enough'));
  await expect(stalled).rejects.toThrow('enough');
});

test.each<[Duration, number]>([
  [250, 250],
  ['300ms', 300],
  ['1.5s', 1500],
  ['10m', 600_000],
  ['2h', 7_200_000],
  ['1d', 86_400_000],
])('%s is %d ms', (duration, ms) => {
  expect(milliseconds(duration)).toBe(ms);
});

test.each(['10', 'm', '-1s', '1 s', '', -1, Number.NaN])('%j is refused with advice', (text) => {
  expect(() => milliseconds(text as Duration)).toThrow(/is not a duration; write milliseconds/);
});
