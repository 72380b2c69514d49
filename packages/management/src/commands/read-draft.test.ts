import { defaultsOf, SnapshotAd, type SnapshotCampaign } from '@broadsheet/contract';
import { describe, expect, test } from 'vitest';
import { OperationError, type OperationProblem } from '../operations/operation-error.ts';
import type { AD_FIELDS, CAMPAIGN_FIELDS, Draft } from './fields.ts';
import { readAdDraft, readCampaignDraft } from './read-draft.ts';

const NOW = Date.parse('2026-03-01T12:00:00.000Z');

function problemsOf(read: () => unknown): readonly OperationProblem[] {
  try {
    read();
  } catch (error) {
    if (error instanceof OperationError) return error.problems;
    throw error;
  }
  return [];
}

describe('an ad', () => {
  const before: SnapshotAd = {
    ...defaultsOf(SnapshotAd),
    id: '0d1f3c5e-7a9b-4c2d-8e6f-1a2b3c4d5e6f',
    format: 'BANNER',
    title: 'A title',
  };
  const problems = (draft: Draft<typeof AD_FIELDS>) => problemsOf(() => readAdDraft(before, draft, { now: NOW }));

  test('the error for an ad that would never run names the days as they were typed', () => {
    expect(problems({ startsAt: '2026-04-02', endsAt: ' 2026-04-01 ' })).toEqual([
      { at: 'endsAt', message: '2026-04-01 is not after the start, 2026-04-02; the ad would never run' },
    ]);
    expect(problems({ endsAt: '2026-02-28' })).toEqual([
      { at: 'endsAt', message: '2026-02-28 is over; the ad would never run' },
    ]);
    expect(problems({ startsAt: '2026-03-01', endsAt: '2026-03-01' })).toEqual([]);
  });

  test('a day, and a time without an offset, are in the time zone of the blog', () => {
    const read = (timeZone: string, startsAt: string, endsAt: string) => {
      const ad = readAdDraft(before, { startsAt, endsAt }, { now: NOW, timeZone });
      return [ad.startsAt, ad.endsAt];
    };
    const days = ['2026-11-25T05:00:00.000Z', '2026-11-28T04:59:59.999Z'];
    expect(read('America/New_York', '2026-11-25', '2026-11-27')).toEqual(days);
    const short = ['2026-03-28T23:00:00.000Z', '2026-03-29T21:59:59.999Z'];
    expect(read('Europe/Berlin', '2026-03-29', '2026-03-29')).toEqual(short);
    const long = ['2026-10-24T22:00:00.000Z', '2026-10-25T22:59:59.999Z'];
    expect(read('Europe/Berlin', '2026-10-25', '2026-10-25')).toEqual(long);
    const times = ['2026-04-01T03:15:00.000Z', '2026-04-02T09:00:00.000Z'];
    expect(read('Asia/Kathmandu', '2026-04-01 09:00', '2026-04-02T09:00Z')).toEqual(times);
    for (const endsAt of ['9999-12-31', '0000-01-01']) {
      expect(problemsOf(() => read('America/New_York', '', endsAt))).toMatchObject([{ at: 'endsAt' }]);
    }
  });

  test('the error for a period that would never run names days in the time zone of the blog', () => {
    const ad = { ...before, startsAt: '2026-11-25T05:00:00.000Z' };
    const time = { now: NOW, timeZone: 'America/New_York' };
    expect(problemsOf(() => readAdDraft(ad, { endsAt: '2026-11-24' }, time))).toEqual([
      { at: 'endsAt', message: '2026-11-24 is not after the start, 2026-11-25 00:00; the ad would never run' },
    ]);
  });

  test.each([
    [
      'linkUrl',
      'tea.example',
      '"tea.example" has no https://. Did you mean https://tea.example?',
      'https://tea.example',
    ],
    ['linkUrl', 'tea.example:8080/a', expect.any(String), 'https://tea.example:8080/a'],
    ['linkUrl', ' www.tea.example/a?b=c ', expect.any(String), 'https://www.tea.example/a?b=c'],
    ['linkUrl', '//tea.example/a', expect.any(String), 'https://tea.example/a'],
    ['linkUrl', 'https//tea.example/a', expect.any(String), 'https://tea.example/a'],
    [
      'linkUrl',
      '/offer',
      '"/offer" has no host, but is used on other sites, too. Did you mean https://blog.example/offer?',
      'https://blog.example/offer',
    ],
    ['linkUrl', 'offer', '"offer" is not a complete URL, such as https://sponsor.example', undefined],
    ['linkUrl', 'http://', '"http://" is not a complete URL, such as https://sponsor.example', undefined],
    ['linkUrl', 'https://tea example/', expect.stringContaining('is not a complete URL'), undefined],
    ['imageUrl', 'tea.png', '"tea.png" is not a complete URL, such as https://sponsor.example/logo.png', undefined],
    ['imageUrl', 'tea.example/a.png', expect.any(String), 'https://tea.example/a.png'],
    ['imageUrl', '/a.png', expect.any(String), 'https://blog.example/a.png'],
  ])('%s %j is refused, with the corrected URL', (at, typed, message, suggestion) => {
    const found = problemsOf(() =>
      readAdDraft(before, { [at]: typed }, { now: NOW, domains: ['*.blog.example', 'other.example'] }),
    );
    expect(found).toEqual([{ at, message, ...(suggestion && { suggestion }) }]);
  });

  test('complete URLs are accepted, and without a domain of the blog nothing is suggested', () => {
    for (const linkUrl of ['https://tea.example', 'http://localhost:3000/a b', 'HTTPS://TEA.EXAMPLE/#a']) {
      expect(readAdDraft(before, { linkUrl }, { now: NOW }).linkUrl).toBe(linkUrl);
    }
    expect(problems({ linkUrl: '/offer' })).toEqual([
      { at: 'linkUrl', message: '"/offer" has no host, but is used on other sites, too' },
    ]);
    expect(problems({ linkUrl: 'mailto:ads@tea.example' })).toHaveLength(1);
  });

  test('a date-time in the year 10000 (UTC) is refused', () => {
    expect(problems({ endsAt: '9999-12-31T23:00-05:00' })).toEqual([
      { at: 'endsAt', message: 'expected a year from 0000 to 9999 in UTC, received "9999-12-31T23:00-05:00"' },
    ]);
    expect(problems({ endsAt: '9999-12-31T23:00+05:00' })).toEqual([]);
  });
});

describe('a campaign', () => {
  type CampaignDraft = Draft<typeof CAMPAIGN_FIELDS>;
  const before: SnapshotCampaign = {
    ...{ id: 'c', sponsor: 'Tea', name: 'Spring', kind: 'paid', startsAt: null, endsAt: null, goal: null },
    ...{ perDay: null, pace: 'even' },
  };
  const read = (draft: CampaignDraft) => readCampaignDraft(before, draft, { now: NOW });

  test('every field is read, and an empty string removes a field', () => {
    const whole = read({
      ...{ sponsor: ' Tea & Co ', name: 'Summer', kind: 'HOUSE', startsAt: '2026-04-01', endsAt: '2026-04-30' },
      ...{ goalImpressions: '1000', goalClicks: '', perDay: '50', pace: 'fast', placements: [' top', 'post-*'] },
    });
    expect(whole).toEqual({
      ...{ id: 'c', sponsor: 'Tea & Co', name: 'Summer', kind: 'house', pace: 'fast', perDay: 50 },
      placements: ['top', 'post-*'],
      ...{ startsAt: '2026-04-01T00:00:00.000Z', endsAt: '2026-04-30T23:59:59.999Z', goal: { impressions: 1000 } },
    });
    const removed = { startsAt: '', endsAt: '', goalImpressions: '', perDay: '', pace: '', kind: '', placements: null };
    expect(readCampaignDraft(whole, { ...removed, name: 'Spring', sponsor: 'Tea' }, { now: NOW })).toEqual(before);
    expect(readCampaignDraft(whole, { goalImpressions: '', goalClicks: '7' }, { now: NOW }).goal).toEqual({
      clicks: 7,
    });
    expect(readCampaignDraft(whole, {}, { now: NOW })).toEqual(whole);
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
    [{ placements: ['top', ''] }, ['placements']],
    [{ placements: ['*-top', 'a*b', 'x'.repeat(201)] }, ['placements', 'placements', 'placements']],
    [{ placements: Array.from({ length: 51 }, (_, index) => `slot-${index}`) }, ['placements']],
    [{ startsAt: 'tomorrow', endsAt: '2026-02-30' }, ['startsAt', 'endsAt']],
  ])('%j is refused', (draft, fields) => {
    expect(problemsOf(() => read(draft)).map(({ at }) => at)).toEqual(fields);
  });

  test.each<readonly [CampaignDraft, string]>([
    [{ goalImpressions: '10.000' }, 'write 10000, without separators'],
    [{ perDay: '1,234,567' }, 'write 1234567, without separators'],
    [{ perDay: '10 000' }, 'write 10000, without separators'],
    [{ perDay: '9'.repeat(20) }, 'expected a whole number from 1 to 999999999999, received "99999999999999999999"'],
    [{ perDay: '1.5' }, 'expected a whole number from 1 to 999999999999, received "1.5"'],
    [{ sponsor: ' ' }, 'enter a sponsor'],
  ])('%j is refused with a message that says what to write', (draft, message) => {
    expect(problemsOf(() => read(draft)).map((problem) => problem.message)).toEqual([message]);
  });

  test('the error names a placement that no slot can have', () => {
    expect(problemsOf(() => read({ placements: ['a*b'] }))).toEqual([
      {
        at: 'placements',
        message: 'expected the id of a slot, with * only at its end, such as top or letterpress-*, received "a*b"',
      },
    ]);
  });
});
