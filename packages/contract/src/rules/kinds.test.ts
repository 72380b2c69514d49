import { expect, test } from 'vitest';
import { isTimestamp } from './kinds.ts';

const two = (value: number): string => String(value).padStart(2, '0');

test.each([1900, 2000, 2023, 2024])('a timestamp in the year %i is valid only on a day that exists', (year) => {
  for (let month = 0; month <= 13; month++) {
    for (let day = 0; day <= 32; day++) {
      const date = `${year}-${two(month)}-${two(day)}`;
      const read = new Date(`${date}T00:00:00Z`);
      const exists = !Number.isNaN(read.getTime()) && read.getUTCDate() === day;
      expect(isTimestamp(`${date}T23:59:59.123Z`), date).toBe(exists);
    }
  }
});
