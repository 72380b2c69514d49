import { expect, test } from 'vitest';
import { type Duration, milliseconds } from './duration.ts';

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
