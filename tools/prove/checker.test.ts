import { expect, test } from 'vitest';
import { type Figures, findContradictions } from './checker.ts';
import { BLOGS, type ProvenBlog } from './content.ts';
import type { Entry, Happened, Span } from './history.ts';

const [BLOG] = BLOGS as readonly [ProvenBlog];
/** Noon of a day in UTC, the time zone of the first blog. */
const NOON = Date.parse('2026-11-23T12:00:00Z');
const DAY = '2026-11-23';
const [FREE = '', CAPPED = '', SOLD = ''] = Object.keys(BLOG.ads);

const token = (ad: string, more: object = {}) =>
  `x.${Buffer.from(JSON.stringify({ sub: ad, jti: crypto.randomUUID(), ...more })).toString('base64url')}.x`;

/** An entry that took a millisecond, this many milliseconds after the start of the run. */
const at = (start: number, happened: Happened, more: Partial<Span> = {}): Entry => ({
  ...{ start, end: start + 1, from: NOON + start, to: NOON + start + 1, ...more },
  ...happened,
});
const own = { client: 'client 1', blog: BLOG.id };
const delivered = (start: number, ads: readonly (string | undefined)[], more: object = {}) =>
  at(start, {
    ...{ kind: 'delivery', ...own, outcome: 'ok' },
    slots: ads.map((ad) => ({ format: 'BANNER', placement: 'top', token: ad === undefined ? undefined : token(ad) })),
    ...more,
  });
const clicked = (start: number, clickToken: string, outcome: 'ok' | 'unknown' = 'ok') =>
  at(start, { kind: 'click', ...own, token: clickToken, outcome });
const read = (start: number, version: number, apiKey = 'key') =>
  at(start, { kind: 'read', ...own, post: 't0', apiKey, outcome: 'ok', version });
const changed = (start: number, version: number, outcome: 'ok' | 'unknown' = 'ok') =>
  at(start, { kind: 'command', blog: BLOG.id, name: 'import.run', outcome, post: 't0', version });
const received = (start: number, changedAt: number, id = String(changedAt), status = 200) =>
  at(start, {
    ...{ kind: 'message', blog: BLOG.id, id, subject: 't0', type: 'post.updated', status },
    changed: NOON + changedAt,
  });

interface Row {
  readonly delivered: number;
  readonly valid: number;
  readonly viewable: number;
  readonly clicks: number;
}

/** The figures of a blog whose ads have these counts. */
function figures(counts: Readonly<Record<string, Partial<Row>>>, day = DAY): Figures {
  const rows = Object.entries(counts).map(([adId, row]) => {
    return { day, adId, delivered: 0, valid: row.delivered ?? 0, viewable: 0, clicks: 0, ...row };
  });
  const all = rows.reduce((sum, row) => sum + row.delivered, 0);
  return {
    days: rows,
    placements: [{ placement: 'top', delivered: all, clicks: 0 }],
    campaigns: BLOG.campaigns.map(({ id }) => {
      const ofCampaign = rows.filter(({ adId }) => BLOG.ads[adId]?.campaign === id);
      return { id, valid: ofCampaign.reduce((sum, { valid }) => sum + valid, 0), clicks: 0 };
    }),
  };
}

const check = (entries: readonly Entry[], counted: Figures = figures({})) =>
  findContradictions({ entries, blogs: [BLOG], figures: { [BLOG.id]: counted } }).map(({ promise }) => promise);

test('a history that the figures confirm has no contradiction', () => {
  const [first, second] = [token(FREE), token(FREE)];
  const slots = [first, second].map((one) => ({ format: 'BANNER', placement: 'top', token: one }));
  const entries = [
    at(1, { kind: 'delivery', ...own, outcome: 'ok', slots }),
    clicked(5, first),
    at(6, { kind: 'beacon', ...own, tokens: [first, second], outcome: 'ok' }),
    changed(10, 2),
    received(1200, 10),
    read(2000, 2),
  ];
  expect(check(entries, figures({ [FREE]: { delivered: 2, viewable: 2, clicks: 1 } }))).toEqual([]);
});

test.each([
  ['an acknowledged impression that is not counted', [delivered(1, [FREE, FREE])], 1],
  ['an impression that nobody requested', [delivered(1, [FREE])], 2],
  ['a lost delivery that is counted twice', [delivered(1, [undefined], { outcome: 'unknown' })], 2],
  ['a refused delivery that is counted', [delivered(1, [undefined], { outcome: 'refused' })], 1],
  [
    'a key that is counted for each attempt',
    [delivered(1, [FREE], { key: 'k' }), delivered(2, [FREE], { key: 'k' })],
    2,
  ],
])('%s is found', (_, entries, count) => {
  expect(check(entries, figures({ [FREE]: { delivered: count } }))).toContain('acknowledged <= counted <= sent');
});

test('a lost delivery may be counted once, or not at all', () => {
  const lost = [delivered(1, [undefined], { outcome: 'unknown' })];
  for (const count of [0, 1]) expect(check(lost, figures({ [FREE]: { delivered: count } }))).toEqual([]);
});

test('an impression that is counted on another day is found, but not one around midnight', () => {
  const yesterday = figures({ [FREE]: { delivered: 1 } }, '2026-11-22');
  expect(check([delivered(1, [FREE])], yesterday)).toContain('acknowledged <= counted <= sent');
  const midnight = Date.parse('2026-11-23T00:00:00Z');
  expect(check([{ ...delivered(1, [FREE]), from: midnight - 5, to: midnight + 5 } as Entry], yesterday)).toEqual([]);
});

test('an impression that is not counted for its placement is found', () => {
  const counted = { ...figures({ [FREE]: { delivered: 1 } }), placements: [] };
  expect(check([delivered(1, [FREE])], counted)).toEqual(['acknowledged <= counted <= sent, by placement']);
});

test('two ads for one idempotency key are found', () => {
  const [other = ''] = Object.keys(BLOG.ads).slice(1);
  const entries = [delivered(1, [FREE], { key: 'k' }), delivered(2, [other], { key: 'k' })];
  expect(check(entries, figures({ [FREE]: { delivered: 1 } }))).toEqual([
    'an idempotency key has one ad for each slot',
  ]);
});

test('two 200s for one token, and clicks that are not counted or were not sent, are found', () => {
  const one = token(FREE);
  const [twice, missing] = ['a token has one 200', 'acknowledged <= counted <= sent, for clicks'];
  expect(check([clicked(1, one), clicked(2, one)], figures({ [FREE]: { clicks: 1 } }))).toEqual([twice]);
  expect(check([clicked(1, one)])).toEqual([missing]);
  expect(check([], figures({ [FREE]: { clicks: 1 } }))).toEqual([missing]);
  for (const clicks of [0, 1]) expect(check([clicked(1, one, 'unknown')], figures({ [FREE]: { clicks } }))).toEqual([]);
});

test('a viewable impression that is counted twice, or not at all, is found', () => {
  const report = (outcome: 'ok' | 'unknown') => at(1, { kind: 'beacon', ...own, tokens: [token(FREE)], outcome });
  const promise = 'acknowledged <= counted <= sent, for viewable impressions';
  expect(check([report('ok')])).toEqual([promise]);
  expect(check([report('ok')], figures({ [FREE]: { viewable: 2 } }))).toEqual([promise]);
  expect(check([report('unknown')])).toEqual([]);
});

test('a goal or a daily cap that is exceeded, at the end or at any moment, is found', () => {
  const many = (ad: string, count: number) => [
    delivered(
      1,
      Array.from({ length: count }, () => ad),
    ),
  ];
  expect(check(many(CAPPED, 151), figures({ [CAPPED]: { delivered: 151 } }))).toEqual(['no daily cap is exceeded']);
  const sold = check(many(SOLD, 701), figures({ [SOLD]: { delivered: 701 } }));
  expect(sold).toEqual(['no goal is exceeded', 'no goal is exceeded at any moment']);
  const raised = at(500, { kind: 'command', blog: BLOG.id, name: 'edit', outcome: 'ok', campaign: 'sold', goal: 900 });
  const early = check([...many(SOLD, 701), raised], figures({ [SOLD]: { delivered: 701 } }));
  expect(early).toEqual(['no goal is exceeded at any moment']);
});

test('figures of a campaign that differ from the figures of its ads are found', () => {
  const counted = { ...figures({ [SOLD]: { delivered: 1 } }), campaigns: [] };
  expect(check([delivered(1, [SOLD])], counted)).toEqual(['the figures of a campaign are the sum of its ads']);
});

test('a read of a state that was replaced more than a second before is found', () => {
  const changes = [changed(10, 2), changed(5000, 3), received(6000, 5000)];
  expect(check([...changes, read(5500, 2)])).toEqual([]);
  expect(check([...changes, read(6100, 2)])).toEqual(['no read goes back in time']);
  expect(check([...changes, read(2000, 3)])).toEqual(['no read goes back in time']);
  const lost = [changed(10, 2), received(900, 10), changed(5000, 3, 'unknown')];
  for (const version of [2, 3]) expect(check([...lost, read(9000, version)])).toEqual([]);
});

test('a key that is accepted more than a second after its revocation is found', () => {
  const revoked = at(10, { kind: 'command', blog: BLOG.id, name: 'keys.rotate', outcome: 'ok', revoked: ['old'] });
  expect(check([revoked, read(900, 1, 'old')])).toEqual([]);
  expect(check([revoked, read(1100, 1, 'old')])).toEqual(['a revoked key is refused after a second']);
});

test('a webhook that is missing, or arrives after a newer one, is found', () => {
  expect(check([changed(10, 2), changed(9000, 3), received(1000, 10)])).toEqual(['every webhook arrives']);
  const both = [changed(10, 2), changed(9000, 3), received(9500, 9000), received(9600, 10)];
  expect(check(both)).toEqual(['messages about a post arrive in order']);
  const again = [changed(10, 2), received(1000, 10), changed(9000, 3), received(9500, 9000), received(9600, 10)];
  expect(check(again)).toEqual([]);
  const failed = (attempts: number) =>
    Array.from({ length: attempts }, (_, index) => received(100 + index, 10, 'a', 500));
  expect(check([changed(10, 2), ...failed(6)])).toEqual(['every webhook arrives']);
  expect(check([changed(10, 2), ...failed(7)])).toEqual([]);
  // The command whose response was lost was carried out, and the one that repeats it changed nothing.
  expect(check([changed(10, 2, 'unknown'), received(1000, 10), changed(9000, 2)])).toEqual([]);
  expect(check([changed(10, 2, 'unknown'), changed(9000, 2)])).toEqual(['every webhook arrives']);
  expect(check([changed(10, 2), received(1000, 10), changed(8000, 3, 'unknown'), changed(9000, 2)])).toEqual([
    'every webhook arrives',
  ]);
});
