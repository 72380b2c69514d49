import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dayOf } from './day.ts';

test.each(['UTC', 'Europe/Berlin', 'America/St_Johns', 'Asia/Kathmandu', 'Pacific/Apia', 'Australia/Lord_Howe'])(
  'the day in %s is that of its calendar, in any order of instants',
  (timeZone) => {
    const format = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
    const expected = (at: number) => {
      const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
      return `${parts['year']}-${parts['month']}-${parts['day']}`;
    };
    const instants = fc.integer({ min: Date.UTC(2009, 0), max: Date.UTC(2029, 0) });
    fc.assert(
      fc.property(instants, fc.integer({ min: -90_000, max: 90_000 }), (at, distance) => {
        for (const one of [at, at + distance, at]) expect(dayOf(one, timeZone)).toBe(expected(one));
      }),
    );
  },
);

test('without a time zone, days are those of UTC', () => {
  expect(dayOf(Date.parse('2026-03-01T23:59:59.999Z'))).toBe('2026-03-01');
  expect(dayOf(Date.parse('2026-03-02T00:00:00.000Z'))).toBe('2026-03-02');
});

test('a time zone that the runtime does not know has days in UTC', () => {
  expect(dayOf(Date.parse('2026-03-01T23:59:59.999Z'), 'Mars/Olympus')).toBe('2026-03-01');
});
