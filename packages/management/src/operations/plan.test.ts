import { defaultsOf, SnapshotCampaign } from '@broadsheet/contract';
import { expect, test } from 'vitest';
import { planProblems } from './plan.ts';

const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const campaign = (more: Partial<SnapshotCampaign>): SnapshotCampaign => ({
  ...defaultsOf(SnapshotCampaign),
  ...{ id: 'c', sponsor: 'Tea', name: 'Spring', goal: { impressions: 100 }, ...more },
});
const endsAt = '2026-03-10T23:59:59.999Z';

test('a goal without a last day is not spread evenly', () => {
  expect(planProblems(campaign({}), 0, NOW)).toEqual([expect.stringContaining('not spread evenly')]);
  for (const fine of [{ pace: 'fast' }, { goal: null }, { endsAt }] as const) {
    expect(planProblems(campaign(fine), 0, NOW)).toEqual([]);
  }
});

test('a goal that its daily cap does not allow is reported until it could still be reached', () => {
  const capped = campaign({ endsAt, perDay: 5 });
  expect(planProblems(capped, 0, NOW)).toEqual([
    'The goal cannot be reached: at 5 impressions per day, at most 50 of 100 fit into its period.',
  ]);
  expect(planProblems(campaign({ endsAt, perDay: 10 }), 0, NOW)).toEqual([]);
  expect(planProblems(capped, 50, NOW)).toEqual([]);
  expect(planProblems({ ...capped, startsAt: '2026-03-09T00:00:00.000Z' }, 80, NOW)).toHaveLength(1);
  expect(planProblems(capped, 0, Date.parse(endsAt) + 1)).toEqual([]);
  expect(planProblems(campaign({ pace: 'fast', perDay: 5 }), 0, NOW)).toEqual([]);
});
