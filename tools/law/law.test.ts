import { expect, test } from 'vitest';
import { click, dayOf, deliver, emptyLedger, keyInUse, trafficOf, view } from './law.ts';
import type { LawAd, LawBlog, LawCampaign, LawRow, LawToken } from './world.ts';

const NOON = Date.parse('2026-11-23T12:00:00Z');
const HOUR = 3_600_000;
const FOREVER = { from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY };
const ad = (id: string, more: Partial<LawAd> = {}): LawAd => ({
  ...{ id, format: 'BANNER', priority: 0, active: true, ...FOREVER, ...more },
});
const campaign = (id: string, more: Partial<LawCampaign> = {}): LawCampaign => ({
  ...{ id, kind: 'paid', pace: 'fast', paused: false, placements: [], ...FOREVER, ...more },
});
const blogOf = (
  ads: readonly LawAd[],
  campaigns: readonly LawCampaign[] = [],
  more: Partial<LawBlog> = {},
): LawBlog => ({
  ...{ id: 'news', timeZone: 'UTC', domains: [] },
  ads: new Map(ads.map((one) => [one.id, one])),
  campaigns: new Map(campaigns.map((one) => [one.id, one])),
  ...more,
});
const SLOT = { format: 'BANNER', slotId: 'top' };

/** Whether each of these ads may fill a slot; `undefined` leaves it empty. */
function allowed(blog: LawBlog, ids: readonly (string | undefined)[], at = NOON, ledger = emptyLedger()) {
  return ids.filter((id) => {
    const copy = structuredClone(ledger);
    return typeof deliver(blog, copy, { at, slots: [SLOT], traffic: 'valid', chosen: [id] }) !== 'string';
  });
}
const ANY = ['a', 'b', 'c', undefined];

test('the highest priority comes first, house campaigns last, and a slot stays empty only without an ad', () => {
  expect(allowed(blogOf([ad('a'), ad('b', { priority: 1 }), ad('c', { priority: 1 })]), ANY)).toEqual(['b', 'c']);
  const house = campaign('own', { kind: 'house' });
  expect(allowed(blogOf([ad('a', { priority: 9, campaign: 'own' }), ad('b')], [house]), ANY)).toEqual(['b']);
  expect(allowed(blogOf([ad('a', { priority: 9, campaign: 'own' })], [house]), ANY)).toEqual(['a']);
  expect(allowed(blogOf([ad('a', { active: false })]), ANY)).toEqual([undefined]);
  expect(allowed(blogOf([ad('a', { until: NOON })]), ANY)).toEqual([undefined]);
});

test('a campaign admits its ads until its goal and its daily cap are reached, and not ahead of its pace', () => {
  const goal = { what: 'impressions', count: 10 } as const;
  const ledger = emptyLedger();
  ledger.progress.set('c', { impressions: 6, clicks: 0, days: new Map([['2026-11-23', 4]]) });
  const under = (more: Partial<LawCampaign>) =>
    allowed(blogOf([ad('a', { campaign: 'c' })], [campaign('c', more)]), ANY, NOON, ledger);
  expect(under({ goal })).toEqual(['a']);
  expect(under({ goal: { ...goal, count: 6 } })).toEqual([undefined]);
  expect(under({ perDay: 4 })).toEqual([undefined]);
  expect(under({ perDay: 5 })).toEqual(['a']);
  const period = { from: NOON - 5 * HOUR, until: NOON + 5 * HOUR };
  expect(under({ goal, pace: 'even', ...period })).toEqual([undefined]);
  expect(under({ goal, pace: 'even', ...period, until: NOON + HOUR })).toEqual(['a']);
});

test('among equal ads, the campaign that is furthest behind comes first', () => {
  const period = { from: NOON - 5 * HOUR, until: NOON + 5 * HOUR };
  const goal = { what: 'impressions', count: 10 } as const;
  const ledger = emptyLedger();
  ledger.progress.set('x', { impressions: 4, clicks: 0, days: new Map() });
  ledger.progress.set('y', { impressions: 2, clicks: 0, days: new Map() });
  const blog = blogOf(
    [ad('a', { campaign: 'x' }), ad('b', { campaign: 'y' }), ad('c')],
    [campaign('x', { goal, ...period }), campaign('y', { goal, ...period })],
  );
  expect(allowed(blog, ANY, NOON, ledger)).toEqual(['b']);
});

test('a placement gets the campaigns that name it first, and a single delivery none of them', () => {
  const blog = blogOf([ad('a', { campaign: 'x' }), ad('b')], [campaign('x', { placements: ['to*'] })]);
  expect(allowed(blog, ANY)).toEqual(['a']);
  const single = { at: NOON, slots: [{ format: 'BANNER' }], traffic: 'valid' } as const;
  expect(deliver(blog, emptyLedger(), { ...single, chosen: ['a'] })).toMatch(/allowed were b/);
});

test('an ad fills one slot of a delivery, and a wrong decision counts nothing', () => {
  const blog = blogOf([ad('a')]);
  const ledger = emptyLedger();
  const both = { at: NOON, slots: [SLOT, SLOT], traffic: 'valid' } as const;
  expect(deliver(blog, ledger, { ...both, chosen: ['a', 'a'] })).toMatch(/slot 1/);
  expect(ledger).toEqual(emptyLedger());
  expect(deliver(blog, ledger, { ...both, chosen: ['a', undefined] })).toHaveLength(2);
});

test.each([
  ['2026-03-08T05:30:00Z', 'America/New_York', '2026-03-08'],
  ['2026-03-08T04:59:59Z', 'America/New_York', '2026-03-07'],
  ['2026-11-23T18:30:00Z', 'Asia/Kolkata', '2026-11-24'],
  ['2026-11-23T18:29:59Z', 'Asia/Kolkata', '2026-11-23'],
])('%s in %s is on %s', (at, zone, day) => {
  expect(dayOf(Date.parse(at), zone)).toBe(day);
});

test('traffic is classified by the first rule that applies', () => {
  const blog = blogOf([], [], { domains: ['news.example'] });
  const own = { origin: 'https://news.example', userAgent: 'Chrome', visitor: '1' };
  const of = (more: object) => trafficOf(blog, { ...own, ...more }, NOON, new Map());
  expect(of({})).toBe('valid');
  expect(of({ origin: 'https://elsewhere.example', userAgent: 'a-bot' })).toBe('foreign');
  expect(of({ purpose: 'prefetch', userAgent: 'a-bot' })).toBe('prefetch');
  expect(of({ userAgent: undefined, origin: undefined })).toBe('unknown');
  expect(of({ userAgent: 'a-bot', origin: undefined })).toBe('bot');
  expect(of({ origin: undefined })).toBe('foreign');
  const visits = new Map<string, number>();
  const kinds = Array.from({ length: 61 }, () => trafficOf(blog, own, NOON, visits));
  expect(kinds.map((kind) => kind === 'valid').lastIndexOf(true)).toBe(59);
});

const row: LawRow = { day: '2026-11-22', ad: 'a', campaign: '', placement: 'top', traffic: 'valid' };
const token = (id: string, more: Partial<LawRow> = {}): LawToken => ({ id, row: { ...row, ...more }, issuedAt: NOON });

test('a click counts on its own day, a token once, and a visitor once in half an hour', () => {
  const [blog, ledger] = [blogOf([ad('a')]), emptyLedger()];
  const send = (id: string, at: number, more: Partial<LawRow> = {}) =>
    click(blog, ledger, { token: { ...token(id, more), issuedAt: at }, at, visitor: 'v' });
  expect([send('1', NOON), send('1', NOON), send('2', NOON + HOUR / 2 - 1), send('3', NOON + HOUR / 2)]).toEqual([
    ...[200, 409, 200, 200],
  ]);
  expect([...ledger.rows]).toEqual([['2026-11-23 a - top valid', { requests: 0, viewable: 0, clicks: 2 }]]);
  expect(click(blog, ledger, { token: token('4'), at: NOON + 600_000, visitor: 'v' })).toBe(400);
});

test('a view counts once, on the day of its delivery, unless it comes from a bot', () => {
  const ledger = emptyLedger();
  view(ledger, token('1'), NOON);
  view(ledger, token('1'), NOON);
  view(ledger, token('2'), NOON + 600_000);
  view(ledger, token('3', { traffic: 'bot' }), NOON);
  expect([...ledger.rows]).toEqual([['2026-11-22 a - top valid', { requests: 0, viewable: 1, clicks: 0 }]]);
});

test('a key is in use for ten minutes', () => {
  const ledger = emptyLedger();
  ledger.keys.set('k', { at: NOON, body: '', ads: [], rows: [] });
  expect(keyInUse(ledger, 'k', NOON + 599_999)).toBeDefined();
  expect(keyInUse(ledger, 'k', NOON + 600_000)).toBeUndefined();
});
