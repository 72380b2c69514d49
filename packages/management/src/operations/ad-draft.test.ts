import { defaultsOf, SnapshotAd } from '@broadsheet/contract';
import { expect, test } from 'vitest';
import { readAdDraft } from './ad-draft.ts';
import type { AdDraft } from './ad-fields.ts';
import { OperationError } from './operation-error.ts';

const before: SnapshotAd = {
  ...defaultsOf(SnapshotAd),
  id: '0d1f3c5e-7a9b-4c2d-8e6f-1a2b3c4d5e6f',
  format: 'BANNER',
  title: 'A title',
};
const NOW = Date.UTC(2026, 0, 10);

function problemsOf(draft: Partial<AdDraft>): readonly unknown[] {
  try {
    readAdDraft(before, draft, NOW);
  } catch (error) {
    if (error instanceof OperationError) return error.problems;
    throw error;
  }
  return [];
}

test('the error for an ad that would never run names the days as they were typed', () => {
  expect(problemsOf({ startsAt: '2026-02-02', endsAt: ' 2026-02-01 ' })).toEqual([
    { at: 'endsAt', message: '2026-02-01 is not after the start, 2026-02-02; the ad would never run' },
  ]);
  expect(problemsOf({ endsAt: '2026-01-09' })).toEqual([
    { at: 'endsAt', message: '2026-01-09 is over; the ad would never run' },
  ]);
  expect(problemsOf({ startsAt: '2026-01-10', endsAt: '2026-01-10' })).toEqual([]);
});

test('a date-time in the year 10000 (UTC) is refused', () => {
  expect(problemsOf({ endsAt: '9999-12-31T23:00-05:00' })).toEqual([
    { at: 'endsAt', message: 'expected a year from 0000 to 9999 in UTC, received "9999-12-31T23:00-05:00"' },
  ]);
  expect(problemsOf({ endsAt: '9999-12-31T23:00+05:00' })).toEqual([]);
});
