import { expect, test } from 'vitest';
import { readDate, splitDatePrefix } from './calendar.ts';

test.each([
  ['2026-01-31', '2026-01-31T00:00:00.000'],
  ['2026/1/5', '2026-01-05T00:00:00.000'],
  ['2026-01-31 09:30', '2026-01-31T09:30:00.000'],
  ['2026-01-31T09:30:15.25Z', '2026-01-31T09:30:15.250Z'],
  ['2025-03-17T10:00:00-04:00', '2025-03-17T14:00:00.000Z'],
  ['2026-01-31 00:30:00 +0530', '2026-01-30T19:00:00.000Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000'],
  ['Jan 31 2026', '2026-01-31T00:00:00.000'],
  ['January 31st, 2026', '2026-01-31T00:00:00.000'],
  ['5 Sept 2026 09:30', '2026-09-05T09:30:00.000'],
  ['Sat, 31 Jan 2026 09:30:00 +0100', '2026-01-31T08:30:00.000Z'],
  ['Feb 30 2026', undefined],
  ['Foo 31 2026', undefined],
  ['2025-02-29', undefined],
  ['2026-13-01', undefined],
  ['2026-01-31T24:30', undefined],
  ['31.01.2026', undefined],
  ['soon', undefined],
  // In UTC these are in the years 10000 and -1.
  ['9999-12-31T23:00-05:00', undefined],
  ['0000-01-01T00:00+01:00', undefined],
])('the date %j is read as %j', (text, timestamp) => {
  expect(readDate(text)).toBe(timestamp);
});

test.each([
  ['2026-01-31-hello-world', '2026-01-31T00:00:00.000', 'hello-world'],
  ['2026_01_31_hello', '2026-01-31T00:00:00.000', 'hello'],
  ['2026-01-31', '2026-01-31T00:00:00.000', '2026-01-31'],
  ['2026-02-31-hello', undefined, '2026-02-31-hello'],
  ['v0.10.12', undefined, 'v0.10.12'],
])('the file name %j is split into the date %j and the rest %j', (name, date, rest) => {
  expect(splitDatePrefix(name)).toEqual({ date, rest });
});
