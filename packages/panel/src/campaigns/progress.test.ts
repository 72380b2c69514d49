import { defaultsOf, SnapshotCampaign } from '@broadsheet/contract';
import type { CampaignFigures } from '@broadsheet/management';
import { expect, it } from 'vitest';
import { numbersFor } from '../figures/numbers.ts';
import { outlookOf } from './progress.tsx';

const NOW = Date.parse('2026-11-22T12:00:00Z');
const figures = (dates: Pick<CampaignFigures, 'expectedAt'> & Partial<SnapshotCampaign>) => {
  const { expectedAt, ...campaign } = dates;
  return {
    campaign: { ...defaultsOf(SnapshotCampaign), id: 'c', sponsor: 'Tea', name: 'Spring', ...campaign },
    ...{ impressions: 0, delivered: 0, valid: 0, viewable: 0, viewableRate: null, clicks: 0, ctr: 0 },
    ...(expectedAt && { expectedAt }),
  };
};
const outlook = (state: CampaignFigures['state'], dates: Parameters<typeof figures>[0]) =>
  outlookOf({ ...figures(dates), state }, numbersFor('en'), NOW);

it('shows the year of a day that is not in the current year', () => {
  expect(outlook('running', { expectedAt: '2026-11-24T10:00:00.000Z' })).toBe('ends about November 24');
  expect(outlook('running', { expectedAt: '2037-11-04T10:00:00.000Z' })).toBe('ends about November 4, 2037');
  expect(outlook('running', { endsAt: '2030-12-24T23:59:59.999Z' })).toBe('ends on December 24, 2030');
  expect(outlook('waiting', { startsAt: '2027-01-01T00:00:00.000Z' })).toBe('starts on January 1, 2027');
  expect(outlook('ended', { endsAt: '2025-12-31T23:59:59.999Z' })).toBe('ended on December 31, 2025');
});

it.each([
  [-1, '100% behind'],
  [0.004, ''],
  [0.25, '25% ahead'],
  [1, '100% ahead'],
  [18.1, 'more than 100% ahead'],
])('a campaign that is %d ahead of its plan: %j', (ahead, pace) =>
  expect(outlookOf({ ...figures({}), state: 'running', ahead }, numbersFor('en'), NOW)).toBe(pace),
);
