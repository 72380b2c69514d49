import { describe, expect, it } from 'vitest';
import { readPeriod, step } from './period.ts';

const now = Date.parse('2026-11-22T10:00:00Z');
const read = (query: string) => readPeriod(new URLSearchParams(query), now);

describe('readPeriod', () => {
  it('returns the last thirty days, including today, by default', () => {
    expect(read('')).toMatchObject({ from: '2026-10-24', to: '2026-11-22', preset: '30' });
    expect(read('').days).toHaveLength(30);
  });

  it('returns the period of the URL, or the default if that is invalid', () => {
    expect(read('period=yesterday')).toMatchObject({ from: '2026-11-21', to: '2026-11-21' });
    expect(read('period=7').days).toHaveLength(7);
    expect(read('from=2026-02-27&to=2026-03-01').days).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
    for (const wrong of [
      'from=2026-02-30&to=2026-03-01',
      'from=2026-03-02&to=2026-03-01',
      'from=x&to=y',
      'period=toString',
      'from=1000-01-01&to=2026-01-01',
    ])
      expect(read(wrong), wrong).toMatchObject({ preset: '30' });
  });

  it('compares each day with the same weekday before the period', () => {
    for (const query of ['period=yesterday', 'period=7', 'period=30', 'period=90', 'from=2026-01-01&to=2026-01-10']) {
      const { days, before } = read(query);
      const weekday = (day: string) => new Date(day).getUTCDay();
      expect(before.map(weekday), query).toEqual(days.map(weekday));
      expect(before.some((day) => days.includes(day))).toBe(false);
    }
  });

  it('steps by its own length', () => {
    expect(step(read('period=7'), -1)).toEqual({ from: '2026-11-09', to: '2026-11-15' });
    expect(step({ from: '2026-11-21', to: '2026-11-21' }, 1)).toEqual({ from: '2026-11-22', to: '2026-11-22' });
  });
});
