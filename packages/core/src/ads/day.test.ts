import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedsOf } from '../../../../tools/testing/seeds.ts';
import { dayOf, fromLocalTime, localTime, timestampIn } from './day.ts';

test.each(['UTC', 'Europe/Berlin', 'America/St_Johns', 'Asia/Kathmandu', 'Pacific/Apia', 'Australia/Lord_Howe'])(
  'the day in %s matches the local calendar, regardless of the order in which days are computed',
  (timeZone) => {
    const format = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
    const expected = (at: number) => {
      const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
      return `${parts['year']}-${parts['month']}-${parts['day']}`;
    };
    const times = fc.integer({ min: Date.UTC(2009, 0), max: Date.UTC(2029, 0) });
    for (const seed of seedsOf())
      fc.assert(
        fc.property(times, fc.integer({ min: -90_000, max: 90_000 }), (at, distance) => {
          for (const one of [at, at + distance, at]) expect(dayOf(one, timeZone)).toBe(expected(one));
        }),
        { seed },
      );
  },
);

test('without a time zone, days are in UTC', () => {
  expect(dayOf(Date.parse('2026-03-01T23:59:59.999Z'))).toBe('2026-03-01');
  expect(dayOf(Date.parse('2026-03-02T00:00:00.000Z'))).toBe('2026-03-02');
});

test('days in a time zone that the runtime does not know are in UTC', () => {
  expect(dayOf(Date.parse('2026-03-01T23:59:59.999Z'), 'Mars/Olympus')).toBe('2026-03-01');
});

const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'America/St_Johns',
  'Asia/Kathmandu',
  'Asia/Beirut',
  'Africa/Cairo',
];

test.each(ZONES)('a day in %s begins at the first millisecond of its date', (timeZone) => {
  for (const seed of seedsOf())
    fc.assert(
      fc.property(fc.integer({ min: Date.UTC(2012, 0), max: Date.UTC(2036, 0) }), (at) => {
        const day = dayOf(at, timeZone);
        const start = fromLocalTime(`${day}T00:00:00.000`, timeZone);
        expect([dayOf(start, timeZone), dayOf(start - 1, timeZone) < day]).toEqual([day, true]);
        expect(start).toBeLessThanOrEqual(at);
      }),
      { seed },
    );
});

test.each(ZONES)('a local time in %s converts back to the same time, except in a repeated hour', (timeZone) => {
  for (const seed of seedsOf())
    fc.assert(
      fc.property(fc.integer({ min: Date.UTC(2012, 0), max: Date.UTC(2036, 0) }), (at) => {
        const second = Math.floor(at / 1000) * 1000;
        const local = localTime(second, timeZone);
        const named = fromLocalTime(local, timeZone);
        expect([localTime(named, timeZone), named <= second]).toEqual([local, true]);
      }),
      { seed },
    );
});

test.each(ZONES)('a timestamp in %s denotes the same time, written as local time', (timeZone) => {
  for (const seed of seedsOf())
    fc.assert(
      fc.property(fc.integer({ min: Date.UTC(2012, 0), max: Date.UTC(2036, 0) }), (at) => {
        const timestamp = timestampIn(at, timeZone);
        expect([Date.parse(timestamp), timestamp.slice(0, 19)]).toEqual([at, localTime(at, timeZone)]);
        expect(timestamp).toMatch(/\.\d{3}(?:Z|[+-]\d\d:\d\d)$/);
      }),
      { seed },
    );
  expect(timestampIn(0)).toBe('1970-01-01T00:00:00.000Z');
});

test('a day on which the clocks change has 23 or 25 hours, and a time that does not exist is moved to a later one', () => {
  const hours = (day: string, next: string, timeZone: string) =>
    (fromLocalTime(`${next}T00:00`, timeZone) - fromLocalTime(`${day}T00:00`, timeZone)) / 3_600_000;
  expect(hours('2026-03-29', '2026-03-30', 'Europe/Berlin')).toBe(23);
  expect(hours('2026-10-25', '2026-10-26', 'Europe/Berlin')).toBe(25);
  expect(hours('2026-03-08', '2026-03-09', 'America/New_York')).toBe(23);
  expect(hours('2026-11-01', '2026-11-02', 'America/New_York')).toBe(25);
  expect(hours('2026-11-01', '2026-11-02', 'Asia/Kathmandu')).toBe(24);
  expect(localTime(fromLocalTime('2026-03-29T02:30', 'Europe/Berlin'), 'Europe/Berlin')).toBe('2026-03-29T03:30:00');
  expect(fromLocalTime('2026-10-25T02:30', 'Europe/Berlin')).toBe(Date.parse('2026-10-25T00:30:00Z'));
  // In Cairo, this day begins at 1:00.
  expect(localTime(fromLocalTime('2026-04-24T00:00', 'Africa/Cairo'), 'Africa/Cairo')).toBe('2026-04-24T01:00:00');
});

test('local times in a time zone that the runtime does not know are in UTC', () => {
  for (const timeZone of [undefined, 'UTC', 'Mars/Olympus']) {
    expect(fromLocalTime('0001-02-03T04:05:06.789', timeZone)).toBe(Date.parse('0001-02-03T04:05:06.789Z'));
    expect(localTime(Date.parse('0999-12-31T23:59:59.999Z'), timeZone)).toBe('0999-12-31T23:59:59');
  }
});
