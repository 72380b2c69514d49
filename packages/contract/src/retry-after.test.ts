import { expect, test } from 'vitest';
import { readRetryAfter } from './retry-after.ts';

const now = Date.parse('2026-01-31T09:00:00Z');

test.each([
  ['2', 2000],
  ['  2 ', 2000],
  ['1.25', 1250],
  ['0', 0],
  ['Sat, 31 Jan 2026 09:00:30 GMT', 30_000],
  ['Saturday, 31-Jan-26 09:00:30 GMT', 30_000],
  ['Sat, 31 Jan 2026 08:00:00 GMT', 0],
  ['2026-01-31T09:00:30+00:00', 30_000],
  ['5, 5', 5000],
  ['5, 10', 10_000],
  ['10,5', 10_000],
  ['5, soon', 5000],
  ['5, Sat, 31 Jan 2026 09:00:30 GMT', 30_000],
  ['Sat, 31 Jan 2026 09:00:30 GMT, 60', 60_000],
  ['Sat, 31 Jan 2026 09:00:30 GMT, Sat, 31 Jan 2026 09:00:40 GMT', 40_000],
])('%j is a wait of %i ms', (header, wait) => {
  expect(readRetryAfter(header, now)).toBe(wait);
});

test.each([
  '',
  'soon',
  '+5',
  '-5',
  '-1',
  '5;',
  '5;q=1',
  '10-10',
  '1e3',
  '0x5',
  '5 s',
  'May 5',
  'Sat',
  ',',
  null,
  undefined,
])('%j asks for nothing', (header) => {
  expect(readRetryAfter(header, now)).toBeUndefined();
});
