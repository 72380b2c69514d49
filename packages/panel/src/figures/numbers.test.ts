import { expect, it } from 'vitest';
import { numbersFor } from './numbers.ts';

const NOW = Date.parse('2026-12-31T23:30:00Z');

it('times are formatted in the time zone of the blog, and days of figures are not converted', () => {
  const at = '2026-11-24T23:45:00.000Z';
  const written = (timeZone?: string) => {
    const { fullDay, day, longDay } = numbersFor('en', timeZone);
    return [fullDay(at), day('2026-11-24'), longDay('2026-11-24')];
  };
  const days = ['Nov 24', 'Tuesday, November 24, 2026'];
  expect(written()).toEqual(['Nov 24, 2026', ...days]);
  expect(written('Asia/Kathmandu')).toEqual(['Nov 25, 2026', ...days]);
  expect(written('America/New_York')).toEqual(['Nov 24, 2026', ...days]);
  expect(written('Mars/Olympus')).toEqual(written('UTC'));
  expect(numbersFor('en', 'Asia/Kathmandu').moment(at).replace(/\s/g, ' ')).toBe('Nov 25, 2026, 05:30 AM');
});

it('a day is shown with its year unless it is in the current year in the time zone of the blog', () => {
  const [utc, berlin] = [numbersFor('en'), numbersFor('en', 'Europe/Berlin')];
  const newYear = '2027-01-01T00:00:00.000Z';
  expect([utc, berlin].map(({ dayOfMonth }) => dayOfMonth(newYear, NOW))).toEqual(['January 1, 2027', 'January 1']);
  expect([utc, berlin].map(({ day }) => day('2026-12-31', NOW))).toEqual(['Dec 31', 'Dec 31, 2026']);
});

const numbers = numbersFor('en');

it('a change has a sign, and a minus is not a hyphen', () => {
  expect([0.184, -0.99, 0].map(numbers.change)).toEqual(['+18%', '−99%', '0%']);
});

it('an unknown rate is a dash', () => {
  expect([-1, 0, 0.0125].map(numbers.rate)).toEqual(['–', '0.00%', '1.25%']);
});
