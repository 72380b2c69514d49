import { hourOf } from '@broadsheet/core';
import { expect, it } from 'vitest';
import { hoursOf } from './hours.ts';

const now = Date.parse('2026-11-22T02:30:00Z');
const hour = (text: string) => hourOf(Date.parse(text));
const day = (from: string, to = from) => ({ from, to });

it('a day shows its hours so far, beside all hours of the same day one week earlier', () => {
  const counted = [
    [hour('2026-11-22T01:00:00Z'), 5],
    [hour('2026-11-22T02:00:00Z'), 2],
    [hour('2026-11-15T02:00:00Z'), 4],
    [hour('2026-11-15T23:00:00Z'), 9],
  ] as const;
  const hours = hoursOf(day('2026-11-22'), counted, { now });
  expect(hours).toMatchObject({ requests: [0, 5, 2], current: 2 });
  expect(hours?.starts[23]).toBe('2026-11-22T23:00:00.000Z');
  expect([hours?.before.length, hours?.before[2], hours?.before[23]]).toEqual([24, 4, 9]);
});

it('the hours of a day are in the time zone of the blog, even if there are not 24 of them', () => {
  const kolkata = hoursOf(day('2026-11-22'), [], { now, timeZone: 'Asia/Kolkata' });
  expect([kolkata?.starts[0], kolkata?.starts.length]).toEqual(['2026-11-21T19:00:00.000Z', 24]);
  const winter = { now: Date.parse('2026-10-26T12:00:00Z'), timeZone: 'Europe/Berlin' };
  expect(hoursOf(day('2026-10-25'), [], winter)).toMatchObject({ current: -1, before: { length: 25 } });
});

it('a period of several days has no hours, nor does a day whose comparison is no longer known', () => {
  expect(hoursOf(day('2026-11-21', '2026-11-22'), [], { now })).toBeUndefined();
  expect(hoursOf(day('2026-11-16'), [], { now })?.requests).toHaveLength(24);
  expect(hoursOf(day('2026-11-15'), [], { now })).toBeUndefined();
});
