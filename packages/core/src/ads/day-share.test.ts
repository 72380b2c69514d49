import { expect, it } from 'vitest';
import { shareOfDay } from './day-share.ts';

const at = (time: string) => Date.parse(`2026-11-22T${time}Z`);

it('without known traffic, the share of a day is that of its time', () => {
  expect(shareOfDay(at('12:00:00'), undefined, undefined)).toBe(0.5);
  expect(shareOfDay(at('00:00:00'), undefined, undefined)).toBe(0);
  expect(shareOfDay(at('23:00:00'), 'Europe/Berlin', undefined)).toBe(0);
  // The day on which the clocks change has 25 hours.
  expect(shareOfDay(Date.parse('2026-10-25T10:30:00Z'), 'Europe/Berlin', undefined)).toBe(0.5);
});

it('with known traffic, each hour weighs what it usually has', () => {
  // A week of blogs that are read from 9:00 to 13:00 only.
  const traffic = Array.from({ length: 168 }, (_, hour) => (hour % 24 >= 9 && hour % 24 < 13 ? 100 : 0));
  const shares = ['08:59:00', '10:00:00', '12:30:00', '13:00:00'].map((time) => shareOfDay(at(time), 'UTC', traffic));
  expect(shares).toEqual([0, 0.25, 0.875, 1]);
});

it('a day of the week without traffic has the share of its time', () => {
  expect(shareOfDay(at('06:00:00'), 'UTC', Array<number>(168).fill(0))).toBe(0.25);
});
