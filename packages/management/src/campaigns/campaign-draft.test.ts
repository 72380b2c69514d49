import type { SnapshotCampaign } from '@broadsheet/contract';
import { expect, test } from 'vitest';
import { OperationError } from '../operations/operation-error.ts';
import { readCampaignDraft } from './campaign-draft.ts';
import type { CampaignDraft } from './campaign-fields.ts';

const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const before: SnapshotCampaign = {
  ...{ id: 'c', sponsor: 'Tea', name: 'Spring', kind: 'paid', startsAt: null, endsAt: null, goal: null, perDay: null },
  pace: 'even',
};
const read = (draft: CampaignDraft) => readCampaignDraft(before, draft, NOW);

test('every field is read, and an empty string removes a field', () => {
  const whole = read({
    ...{ sponsor: ' Tea & Co ', name: 'Summer', kind: 'HOUSE', startsAt: '2026-04-01', endsAt: '2026-04-30' },
    ...{ goalImpressions: '1000', goalClicks: '', perDay: '50', pace: 'fast' },
  });
  expect(whole).toEqual({
    ...{ id: 'c', sponsor: 'Tea & Co', name: 'Summer', kind: 'house', pace: 'fast', perDay: 50 },
    ...{ startsAt: '2026-04-01T00:00:00.000Z', endsAt: '2026-04-30T23:59:59.999Z', goal: { impressions: 1000 } },
  });
  const removed = { startsAt: '', endsAt: '', goalImpressions: '', perDay: '', pace: '', kind: '' };
  expect(readCampaignDraft(whole, { ...removed, name: 'Spring', sponsor: 'Tea' }, NOW)).toEqual(before);
  expect(readCampaignDraft(whole, { goalImpressions: '', goalClicks: '7' }, NOW).goal).toEqual({ clicks: 7 });
  expect(readCampaignDraft(whole, {}, NOW)).toEqual(whole);
});

test('a goal that is spread evenly until an end starts now by default', () => {
  const paced = { endsAt: '2026-04-30', goalImpressions: '1000' };
  expect(read(paced).startsAt).toBe('2026-03-01T12:00:00.000Z');
  expect(read({ ...paced, pace: 'fast' }).startsAt).toBeNull();
  expect(read({ ...paced, startsAt: '2026-04-01' }).startsAt).toBe('2026-04-01T00:00:00.000Z');
});

test.each<readonly [CampaignDraft, readonly string[]]>([
  [{ sponsor: ' ', name: '' }, ['sponsor', 'name']],
  [{ goalImpressions: '5', goalClicks: '5' }, ['goalClicks']],
  [{ goalImpressions: '0', goalClicks: '-1', perDay: '1.5' }, ['goalImpressions', 'goalClicks', 'perDay']],
  [{ kind: 'other', pace: 'slow' }, ['kind', 'pace']],
  [{ startsAt: '2026-05-01', endsAt: '2026-04-01' }, ['endsAt']],
  [{ endsAt: '2026-02-01' }, ['endsAt']],
  [{ startsAt: 'tomorrow', endsAt: '2026-02-30' }, ['startsAt', 'endsAt']],
])('%j is refused', (draft, fields) => {
  const problems = () => {
    try {
      return read(draft);
    } catch (error) {
      return error instanceof OperationError ? error.problems.map(({ at }) => at) : error;
    }
  };
  expect(problems()).toEqual(fields);
});
