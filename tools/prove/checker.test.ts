import { expect, test } from 'vitest';
import { findContradictions } from './checker.ts';
import { BLOGS, type ProvenBlog } from './content.ts';
import type { Entry, Happened, Span } from './history.ts';
import { SLOW_MACHINE } from './rules/refusals.ts';
import type { Counted, Figures } from './rules/rule.ts';

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
const own = { client: 'client 1', blog: BLOG.id, apiKey: 'key' };
const withTokens = (start: number, tokens: readonly (string | undefined)[], more: object = {}) =>
  at(start, {
    ...{ kind: 'delivery', ...own, outcome: 'ok' },
    slots: tokens.map((one) => ({ format: 'BANNER', placement: 'top', token: one })),
    ...more,
  });
const delivered = (start: number, ads: readonly (string | undefined)[], more: object = {}) =>
  withTokens(
    start,
    ads.map((ad) => ad && token(ad)),
    more,
  );
const clicked = (start: number, clickToken: string, more: object = {}) =>
  at(start, { kind: 'click', ...own, token: clickToken, outcome: 'ok', ...more });
const UNKNOWN = { outcome: 'unknown' };
const command = (start: number, name: string, more: object) =>
  at(start, { kind: 'command', blog: BLOG.id, name, outcome: 'ok', ...more });
const read = (start: number, version: number, apiKey = 'key') =>
  at(start, { kind: 'read', ...own, way: 'post', apiKey, outcome: 'ok', versions: { t0: version } });
const changed = (start: number, version: number, outcome: 'ok' | 'unknown' = 'ok') =>
  at(start, { kind: 'command', blog: BLOG.id, name: 'import.run', outcome, post: 't0', version });
const received = (start: number, changedAt: number, id = String(changedAt), status = 200) =>
  at(start, {
    ...{ kind: 'message', blog: BLOG.id, id, subject: 't0', type: 'post.updated', status },
    changed: NOON + changedAt,
  });

/** The figures of a blog whose ads have these counts, all of them for one placement. */
function figures(counts: Readonly<Record<string, Partial<Counted>>>, day = DAY): Figures {
  const rows = Object.entries(counts).map(([adId, row]) => {
    return { day, adId, delivered: 0, valid: row.delivered ?? 0, viewable: 0, clicks: 0, ...row };
  });
  const sumOf = (some: typeof rows): Counted => {
    const sum = (what: keyof Counted) => some.reduce((total, row) => total + row[what], 0);
    return { delivered: sum('delivered'), valid: sum('valid'), viewable: sum('viewable'), clicks: sum('clicks') };
  };
  return {
    days: rows,
    placements: [{ placement: 'top', ...sumOf(rows) }],
    campaigns: BLOG.campaigns.map(({ id }) => ({
      ...{ id, ...sumOf(rows.filter(({ adId }) => BLOG.ads[adId]?.campaign === id)) },
    })),
    ...{ excluded: [], unknown: [] },
  };
}

const check = (entries: readonly Entry[], counted: Figures = figures({})) =>
  findContradictions({ entries, blogs: [BLOG], figures: { [BLOG.id]: counted } }).map(({ promise }) => promise);

test('a history that the figures confirm has no contradiction', () => {
  const [first, second] = [token(FREE), token(FREE)];
  const entries = [
    withTokens(1, [first, second]),
    clicked(5, first),
    at(6, { kind: 'beacon', ...own, tokens: [first, second], outcome: 'ok' }),
    changed(10, 2),
    received(1200, 10),
    read(2000, 2),
  ];
  expect(check(entries, figures({ [FREE]: { delivered: 2, viewable: 2, clicks: 1 } }))).toEqual([]);
});

/** The rules of a count that find it wrong in each dimension. */
const counts = (what: string, ...dimensions: readonly string[]) =>
  dimensions.map((dimension) => `acknowledged <= counted <= sent: ${what} by ${dimension}`);
const [BY_DAY = ''] = counts('impressions', 'ad and day');

test.each([
  ['an acknowledged impression that is not counted', [delivered(1, [FREE, FREE])], 1],
  ['an impression that nobody requested', [delivered(1, [FREE])], 2],
  ['a lost delivery that is counted twice', [delivered(1, [undefined], UNKNOWN)], 2],
  ['a refused delivery that is counted', [delivered(1, [undefined], { outcome: 'refused' })], 1],
  [
    'a key that is counted for each attempt',
    [delivered(1, [FREE], { key: 'k' }), delivered(2, [FREE], { key: 'k' })],
    2,
  ],
])('%s is found', (_, entries, count) => {
  expect(check(entries, figures({ [FREE]: { delivered: count } }))).toEqual(
    counts('impressions', 'ad and day', 'format', 'campaign', 'placement', 'traffic'),
  );
});

test('a lost delivery may be counted once, or not at all', () => {
  const lost = [delivered(1, [undefined], UNKNOWN)];
  for (const count of [0, 1]) expect(check(lost, figures({ [FREE]: { delivered: count } }))).toEqual([]);
});

test('an impression that is counted on another day is found, but not one around midnight', () => {
  const yesterday = figures({ [FREE]: { delivered: 1 } }, '2026-11-22');
  const found = check([delivered(1, [FREE])], yesterday);
  expect(new Set(found)).toEqual(new Set([BY_DAY]));
  const midnight = Date.parse('2026-11-23T00:00:00Z');
  expect(check([{ ...delivered(1, [FREE]), from: midnight - 5, to: midnight + 5 } as Entry], yesterday)).toEqual([]);
});

test('an impression that is not counted for its placement, or counts as a bot, is found', () => {
  const counted = figures({ [FREE]: { delivered: 1 } });
  const nowhere = check([delivered(1, [FREE])], { ...counted, placements: [] });
  expect(nowhere).toEqual(counts('impressions', 'placement'));
  const excluded = [{ day: DAY, reason: 'bot', impressions: 1 }];
  const asBot = check([delivered(1, [FREE])], { ...counted, excluded });
  expect(new Set(asBot)).toEqual(new Set(counts('impressions', 'traffic')));
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
  const of = (clicks: number) => figures({ [FREE]: { delivered: 1, clicks } });
  const missing = counts('clicks', 'ad and day', 'campaign', 'placement');
  const given = withTokens(0, [one]);
  expect(check([given, clicked(1, one), clicked(2, one)], of(1))).toEqual(['a token has one 200']);
  expect(check([given, clicked(1, one)], of(0))).toEqual(missing);
  expect(check([given], of(1))).toEqual(missing);
  for (const clicks of [0, 1]) expect(check([given, clicked(1, one, UNKNOWN)], of(clicks))).toEqual([]);
});

test('a click is counted on its own day, and a viewable impression on the day of its delivery', () => {
  const midnight = Date.parse('2026-11-24T00:00:00Z') - NOON;
  const one = token(FREE);
  const given = withTokens(midnight - 60_000, [one]);
  const report = at(midnight + 60_000, { kind: 'beacon', ...own, tokens: [one], outcome: 'ok' });
  const entries = [given, report, clicked(midnight + 60_000, one)];
  const on = (viewedOn: string, clickedOn: string) => {
    const row = (day: string, more: Partial<Counted>) => figures({ [FREE]: more }, day).days;
    const all = figures({ [FREE]: { delivered: 1, viewable: 1, clicks: 1 } });
    const days = [...row(DAY, { delivered: 1 }), ...row(viewedOn, { viewable: 1 }), ...row(clickedOn, { clicks: 1 })];
    return new Set(check(entries, { ...all, days }));
  };
  expect(on(DAY, '2026-11-24')).toEqual(new Set());
  expect(on('2026-11-24', '2026-11-24')).toEqual(new Set(counts('viewable impressions', 'ad and day')));
  expect(on(DAY, DAY)).toEqual(new Set(counts('clicks', 'ad and day')));
});

test('a click that is counted for no placement or campaign is found', () => {
  const one = token(SOLD);
  const entries = [withTokens(0, [one]), clicked(1, one)];
  const counted = figures({ [SOLD]: { delivered: 1, clicks: 1 } });
  const without = <Row extends Counted>(rows: readonly Row[]) => rows.map((row) => ({ ...row, clicks: 0 }));
  expect(check(entries, { ...counted, placements: without(counted.placements) })).toEqual(
    counts('clicks', 'placement'),
  );
  expect(check(entries, { ...counted, campaigns: without(counted.campaigns) })).toEqual([
    ...counts('clicks', 'campaign'),
    'the figures of a campaign are the sum of its ads',
  ]);
});

test('a viewable impression that is counted twice, or not at all, is found', () => {
  const one = token(FREE);
  const report = (outcome: 'ok' | 'unknown') => [
    withTokens(0, [one]),
    at(1, { kind: 'beacon', ...own, tokens: [one], outcome }),
  ];
  const found = counts('viewable impressions', 'ad and day', 'campaign', 'placement');
  const of = (viewable: number) => figures({ [FREE]: { delivered: 1, viewable } });
  expect(check(report('ok'), of(0))).toEqual(found);
  expect(check(report('ok'), of(2))).toEqual(found);
  expect(check(report('unknown'), of(0))).toEqual([]);
});

test('a goal or a daily cap that is exceeded, at the end or at any moment, is found', () => {
  const many = (ad: string, count: number) => [
    delivered(
      1,
      Array.from({ length: count }, () => ad),
    ),
  ];
  expect(check(many(CAPPED, 151), figures({ [CAPPED]: { delivered: 151 } }))).toEqual([
    'no daily cap is exceeded',
    'no daily cap is exceeded at any moment',
  ]);
  const sold = check(many(SOLD, 701), figures({ [SOLD]: { delivered: 701 } }));
  expect(sold).toEqual(['no goal is exceeded', 'no goal is exceeded at any moment']);
  const raised = command(500, 'campaigns.edit', { campaign: 'sold', goal: 900 });
  const early = check([...many(SOLD, 701), raised], figures({ [SOLD]: { delivered: 701 } }));
  expect(early).toEqual(['no goal is exceeded at any moment']);
});

test('a delivery beyond a goal that was lowered is found', () => {
  const lowered = command(5000, 'campaigns.edit', { campaign: 'sold', goal: 3 });
  const three = delivered(1, [SOLD, SOLD, SOLD]);
  const counted = figures({ [SOLD]: { delivered: 4 } });
  expect(check([three, lowered, delivered(5500, [SOLD])], counted)).toEqual([]);
  expect(check([three, lowered, delivered(7000, [SOLD])], counted)).toEqual(['no goal is exceeded at any moment']);
});

test('an ad that is delivered while it is paused, and a slot that is empty while its ad runs, are found', () => {
  const pause = (start: number, isActive: boolean) => command(start, 'ads.pause', { ad: FREE, isActive });
  const one = figures({ [FREE]: { delivered: 1 } });
  const empty = 'a slot has an ad if one must run';
  expect(check([pause(10, false), delivered(900, [FREE])], one)).toEqual([]);
  expect(check([pause(10, false), delivered(1100, [FREE])], one)).toEqual([
    'a paused ad is not delivered after a second',
  ]);
  expect(check([delivered(10, [undefined])])).toEqual([empty]);
  expect(check([pause(10, false), delivered(1100, [undefined])])).toEqual([]);
  expect(check([pause(10, false), pause(2000, true), delivered(3500, [undefined])])).toEqual([empty]);
});

test.each([
  ['a 401 without a rotation', 'UNAUTHORIZED'],
  ['a 409 without another use of the token', 'CLICK_TOKEN_USED'],
  ['an expired token after a minute', 'CLICK_TOKEN_EXPIRED'],
  ['a token that is called invalid', 'CLICK_TOKEN_INVALID'],
  ['a 403', 'ORIGIN_NOT_ALLOWED'],
  ['a 500', 'INTERNAL_ERROR'],
  ['a 503 without a fault', 'UNAVAILABLE'],
])('%s is found', (_, code) => {
  const one = token(FREE, { iat: NOON / 1000 });
  const entries = [withTokens(0, [one]), clicked(60_000, one, { outcome: 'refused', code })];
  expect(check(entries, figures({ [FREE]: { delivered: 1 } }))).toEqual(['every refusal has a reason']);
});

test.each([
  ['a rotation', 'UNAUTHORIZED', command(10, 'keys.rotate', { revoked: ['key'] })],
  ['a key that was just created', 'UNAUTHORIZED', command(59_500, 'keys.create', { created: 'key' })],
  ['a fault', 'UNAVAILABLE', at(59_000, { kind: 'fault', what: 'kill a server' })],
])('%s explains %s', (_, code, reason) => {
  const one = token(FREE, { iat: NOON / 1000 });
  const entries = [withTokens(0, [one]), reason, clicked(60_000, one, { outcome: 'refused', code })];
  expect(check(entries, figures({ [FREE]: { delivered: 1 } }))).toEqual([]);
});

test('a slow machine explains a 503 only for as long as requests wait', () => {
  const one = token(FREE, { iat: NOON / 1000 });
  const clickAt = (time: number) => [
    withTokens(0, [one]),
    at(59_000, { kind: 'fault', what: SLOW_MACHINE }),
    clicked(time, one, { outcome: 'refused', code: 'UNAVAILABLE' }),
  ];
  expect(check(clickAt(61_000), figures({ [FREE]: { delivered: 1 } }))).toEqual([]);
  expect(check(clickAt(64_000), figures({ [FREE]: { delivered: 1 } }))).toEqual(['every refusal has a reason']);
});

test('a 500 is explained only by an unknown outcome after PostgreSQL was lost', () => {
  const failed = (outcome: 'unknown' | 'refused') =>
    delivered(10_000, [undefined], { outcome, code: 'INTERNAL_ERROR', status: 500 });
  const crash = at(9000, { kind: 'fault', what: 'crash PostgreSQL' });
  expect(check([crash, failed('unknown')])).toEqual([]);
  expect(check([crash, failed('refused')])).toEqual(['every refusal has a reason']);
  expect(check([failed('unknown')])).toEqual(['every refusal has a reason']);
});

test('another use explains a 409, and ten minutes explain that a token has expired', () => {
  const one = token(FREE, { iat: NOON / 1000 });
  const counted = figures({ [FREE]: { delivered: 1, clicks: 1 } });
  const refused = (start: number, code: string) => clicked(start, one, { outcome: 'refused', code });
  expect(check([withTokens(0, [one]), clicked(1, one), refused(2, 'CLICK_TOKEN_USED')], counted)).toEqual([]);
  const late = [withTokens(0, [one]), refused(600_000, 'CLICK_TOKEN_EXPIRED')];
  expect(check(late, figures({ [FREE]: { delivered: 1 } }))).toEqual([]);
});

test('a request that fails after the last fault, and a command that is refused, are found', () => {
  const fault = at(100, { kind: 'fault', what: 'kill a server' });
  const failed = delivered(10_000, [], { outcome: 'refused', code: 'UNAVAILABLE', isCalm: true });
  expect(check([fault, failed])).toEqual(['after the last fault, every request succeeds']);
  expect(check([command(1, 'ads.pause', { outcome: 'refused' })])).toEqual(['every command is carried out']);
});

test('figures of a campaign that differ from the figures of its ads are found', () => {
  const counted = { ...figures({ [SOLD]: { delivered: 1 } }), campaigns: [] };
  const promise = 'the figures of a campaign are the sum of its ads';
  // The impressions and the valid ones differ.
  expect(check([delivered(1, [SOLD])], counted)).toEqual([...counts('impressions', 'campaign'), promise, promise]);
});

test.each([
  ['list', 'no list goes back in time'],
  ['search', 'no search goes back in time'],
  ['etag', 'no 304 is about an earlier state'],
] as const)('an old state in a %s is found', (way, promise) => {
  const old = (start: number) => at(start, { kind: 'read', ...own, way, outcome: 'ok', versions: { t0: 1, t1: 1 } });
  expect(check([changed(10, 2), received(20, 10), old(900)])).toEqual([]);
  expect(check([changed(10, 2), received(20, 10), old(1100)])).toEqual([promise]);
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
  const revoked = command(10, 'keys.rotate', { revoked: ['old'] });
  expect(check([revoked, read(900, 1, 'old')])).toEqual([]);
  expect(check([revoked, read(1100, 1, 'old')])).toEqual(['a revoked key is refused after a second']);
  const delivery = delivered(1100, [FREE], { apiKey: 'old' });
  expect(check([revoked, delivery], figures({ [FREE]: { delivered: 1 } }))).toEqual([
    'a revoked key is refused after a second',
  ]);
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
