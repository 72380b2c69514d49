import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { seedsOf } from '../../../../tools/testing/seeds.ts';
import { ENDPOINT_IDS } from '../endpoints.ts';
import { MESSAGES, type Message } from '../schemas/messages.ts';
import { validate } from '../schemas/validate.ts';
import { accept, normalizeTerm, type Validated } from './accept.ts';
import { REQUESTS, type RequestRules } from './requests.ts';
import * as rules from './rule.ts';

// For every input, a rule and the schema made from it read the same value or report identical errors.

const RUNS = 400;
const text = fc.oneof(
  fc.constantFrom(
    '',
    '0',
    '1',
    '007',
    '100',
    '101',
    '9007199254740991',
    '9007199254740992',
    '1e400',
    '99999999999999999999',
  ),
  fc.constantFrom(
    'PUBLISHED',
    'DRAFT',
    'BANNER',
    'banner',
    '  a  b ',
    '😀😀',
    '😀😀😀',
    '\u00a0 ab\u3000c',
    '-1',
    '1.0',
    '１',
  ),
  fc.nat({ max: 300 }).map(String),
  fc.nat({ max: 210 }).map((length) => 'é'.repeat(length)),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
);
const anything = fc.oneof(
  { weight: 4, arbitrary: text },
  fc.jsonValue({ maxDepth: 2 }),
  fc.constant(undefined),
  fc.array(text, { maxLength: 3 }),
);

/** Values that resemble what the rule expects; each part is sometimes wrong. */
function near(rule: rules.Rule): fc.Arbitrary<unknown> {
  const right = (): fc.Arbitrary<unknown> => {
    switch (rule.kind) {
      case 'record': {
        const fields = Object.entries(rule.fields).map(([key, field]) => [key, near(field)]);
        return fc.record({ ...Object.fromEntries(fields), extra: anything }, { requiredKeys: [] });
      }
      case 'list':
        return fc.array(near(rule.item), { maxLength: 23 });
      case 'choice':
        return fc.constantFrom(...rule.values);
      case 'fallback':
      case 'optional':
      case 'nullable':
        return fc.oneof(near(rule.inner), fc.constantFrom(null, undefined));
      default:
        return text;
    }
  };
  return fc.oneof({ weight: 9, arbitrary: right() }, anything);
}

/** The result of the schema. zod also measures values of the wrong type; only one error per field is kept. */
function byZod(schema: z.ZodMiniType, input: unknown): Validated<unknown> {
  const read = validate(schema, input);
  if (read.ok) return read;
  return {
    ok: false,
    fields: [...Map.groupBy(read.fields, ({ field }) => field).values()].flatMap(([first]) => first ?? []),
  };
}

/** The part of a result that zod has, too: its failures have no partial value. */
function byRule(rule: rules.Rule, input: unknown) {
  const read = accept(rule, input);
  return read.ok ? read : { ok: false, fields: read.fields };
}

const agree = (rule: rules.Rule, schema: z.ZodMiniType) => {
  for (const seed of seedsOf())
    fc.assert(
      fc.property(near(rule), (input) => void expect(byRule(rule, input)).toEqual(byZod(schema, input))),
      { seed, numRuns: RUNS },
    );
};

const parts = ENDPOINT_IDS.flatMap((id) =>
  (['params', 'query', 'body'] as const).flatMap((part) => {
    const rule = (REQUESTS[id] as RequestRules)[part];
    return rule ? [[id, part, rule] as const] : [];
  }),
);

test('every part of a request is compared with its schema', () => expect(parts).toHaveLength(15));

test.each(parts)('%s: %s are read in the same way as by their schema', (id, part, rule) => {
  const schema = (MESSAGES[id] as Message)[part];
  if (!schema) throw new Error(`${id} has rules for its ${part} and no schema`);
  agree(rule, schema);
});

const twoDigits = fc.integer({ min: 0, max: 61 }).map((n) => String(n).padStart(2, '0'));
const times = fc
  .tuple(fc.integer({ min: 1890, max: 2110 }), twoDigits, twoDigits, twoDigits, twoDigits, twoDigits)
  .chain(([y, mo, d, h, mi, s]) =>
    fc
      .constantFrom('Z', 'z', '', '.5Z', '.123456Z', '+02:00', '-23:59', '+24:00', '+0200', ' Z')
      .map((zone) => `${y}-${mo}-${d}T${h}:${mi}:${s}${zone}`),
  );
const ids = fc.oneof(
  fc.uuid(),
  fc.uuid().map((id) => id.toUpperCase()),
  fc.constantFrom('00000000-0000-0000-0000-00000000000a', '{x}', '0-0-0-0-0', '00000000-0000-0000-0000-00000000000g'),
);
const asSchema = {
  timestamp: z.pipe(
    z.iso.datetime({ offset: true }),
    z.transform((at) => new Date(at).toISOString()),
  ),
  guid: z.guid(),
  integer: z.int(),
  flag: z.boolean(),
  nullable: z.nullable(z.guid()),
  fallback: z._default(z.boolean(), true),
  strict: z.strictObject({ a: z.optional(z.int()), b: z.array(z.guid()) }),
};

test.each([
  ['timestamp', rules.timestamp, fc.oneof(times, anything)],
  ['timestamp', rules.timestamp, fc.date({ noInvalidDate: true, min: new Date(0) }).map((date) => date.toISOString())],
  ['guid', rules.guid, fc.oneof(ids, anything)],
  [
    'integer',
    rules.integer,
    fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.maxSafeInteger(), anything),
  ],
  ['flag', rules.flag, fc.oneof(fc.boolean(), anything)],
  ['nullable', rules.nullable(rules.guid), fc.oneof(ids, fc.constant(null), anything)],
  ['fallback', rules.fallback(rules.flag, true), fc.oneof(fc.boolean(), fc.constant(undefined), anything)],
  [
    'strict',
    rules.strictRecord({ a: rules.optional(rules.integer), b: rules.list(rules.guid) }),
    fc.record({ a: fc.oneof(fc.nat(), anything), b: fc.array(ids), c: anything, d: anything }, { requiredKeys: [] }),
  ],
] as const)('%s is read as zod would read it', (name, rule: rules.Rule, inputs: fc.Arbitrary<unknown>) => {
  for (const seed of seedsOf())
    fc.assert(
      fc.property(inputs, (input) => void expect(byRule(rule, input)).toEqual(byZod(asSchema[name], input))),
      { seed, numRuns: RUNS },
    );
});

test('the valid parts of an invalid value are kept', () => {
  const rule = rules.record({ a: rules.guid, b: rules.list(rules.record({ c: rules.flag, d: rules.flag })) });
  expect(accept(rule, { a: 'x', b: [{ c: true }, 1] })).toMatchObject({
    ok: false,
    partial: { b: [{ c: true }, undefined] },
  });
});

/** The value that is read from a string, and the problems that are reported. */
function read(rule: rules.Rule, input: string) {
  const result = accept(rule, input);
  return result.ok ? result : result.fields.map(({ code, message }) => `${code}: ${message.slice('body: '.length)}`);
}

const passes = (rule: rules.Rule, input: string, value: unknown = input) =>
  expect(read(rule, input)).toEqual({ ok: true, value });
const fails = (rule: rules.Rule, input: string, problem: string) => expect(read(rule, input)).toEqual([problem]);

test('the length of a text is counted in code points', () => {
  const rule: rules.Rule = { kind: 'text', min: 2, max: 4 };
  for (const text of ['ab', 'abcd', '😀😀', '😀😀😀😀']) passes(rule, text);
  for (const text of ['', 'a', '😀']) fails(rule, text, 'too_small: must be at least 2 characters long');
  for (const text of ['abcde', '😀😀😀😀😀']) fails(rule, text, 'too_big: must be at most 4 characters long');
  passes({ kind: 'text' }, '');
  passes({ kind: 'text' }, 'x'.repeat(100_000));
});

test('the length of a term does not include extra white space around and between its words', () => {
  const rule: rules.Rule = { kind: 'term', min: 3, max: 5 };
  passes(rule, '  a \n b ', 'a b');
  fails(rule, '   a ', 'too_small: must be at least 3 characters long');
  fails(rule, 'abc def', 'too_big: must be at most 5 characters long');
  expect(normalizeTerm('\u00a0 one\t\ttwo \u2003')).toBe('one two');
});

test('the length of an id is counted in bytes, because databases index bytes', () => {
  const rule: rules.Rule = { kind: 'id' };
  for (const text of ['a', ' ', 'x'.repeat(500), '字'.repeat(166), '😀'.repeat(125)]) passes(rule, text);
  fails(rule, '', 'too_small: must be at least 1 byte long');
  for (const text of ['x'.repeat(501), '字'.repeat(167), '😀'.repeat(126)])
    fails(rule, text, 'too_big: must be at most 500 bytes long');
});

test('digits are read as a whole number within the bounds', () => {
  const rule: rules.Rule = { kind: 'digits', min: 0, max: 10 };
  passes(rule, '0', 0);
  passes(rule, '10', 10);
  passes(rule, '007', 7);
  fails(rule, '-1', 'too_small: must be at least 0');
  fails(rule, '11', 'too_big: must be at most 10');
  for (const text of ['', '1.0', ' 1', '1 ', '+1', '-0', '-', '1e1', '٣'])
    fails(rule, text, `invalid_format: expected a whole number in decimal digits, received ${JSON.stringify(text)}`);
  fails({ kind: 'digits' }, '9007199254740992', 'too_big: must be at most 9007199254740991');
  fails({ kind: 'digits' }, '-9007199254740992', 'too_small: must be at least -9007199254740991');
});

test('a timestamp has a day that exists, a time and a zone', () => {
  const rule: rules.Rule = { kind: 'timestamp' };
  passes(rule, '2026-01-31T09:00:00Z', '2026-01-31T09:00:00.000Z');
  passes(rule, '2024-02-29T23:59:59.5+23:59', '2024-02-29T00:00:59.500Z');
  passes(rule, '2026-12-01T00:00:00-01:30', '2026-12-01T01:30:00.000Z');
  for (const text of [
    '',
    '2026-02-30T09:00:00Z',
    '2025-02-29T09:00:00Z',
    '2026-04-31T09:00:00Z',
    '2026-01-32T09:00:00Z',
    '2026-01-00T09:00:00Z',
    '2026-13-01T09:00:00Z',
    '2026-00-01T09:00:00Z',
    '2026-01-31T24:00:00Z',
    '2026-01-31T09:60:00Z',
    '2026-01-31T09:00:60Z',
    '2026-01-31T09:00:00+24:00',
    '2026-01-31T09:00:00',
    '2026-01-31T09:00:00.Z',
    '2026-01-31',
    'x2026-01-31T09:00:00Z',
    '2026-01-31T09:00:00Zx',
  ])
    fails(
      rule,
      text,
      `invalid_format: expected an ISO 8601 date-time such as 2026-01-31T09:00:00.000Z, received ${JSON.stringify(text)}`,
    );
});

test('the year of a timestamp has four digits in UTC, so that strings sort by time', () => {
  const rule: rules.Rule = { kind: 'timestamp' };
  passes(rule, '9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z');
  passes(rule, '0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000Z');
  for (const text of ['9999-12-31T23:00:00-05:00', '0000-01-01T00:00:00+00:01'])
    fails(rule, text, `custom: expected a year from 0000 to 9999 in UTC, received "${text}"`);
});

test('a guid has 32 hexadecimal digits', () => {
  const guid = '0123ABCD-4567-89ef-0123-456789abcdef';
  passes({ kind: 'guid' }, guid);
  for (const text of ['', `${guid}0`, `0${guid}`, guid.replaceAll('-', ''), guid.replace('0', 'g')])
    fails({ kind: 'guid' }, text, `invalid_format: expected a UUID, received ${JSON.stringify(text)}`);
});

test('a URL has an allowed scheme or none, even if it contains characters that browsers ignore', () => {
  const rule: rules.Rule = { kind: 'address', schemes: ['http', 'https'] };
  for (const text of ['https://a.example', 'HTTP://a.example', '//a.example', '/path', 'a/b:c', '', '1http:x'])
    passes(rule, text);
  for (const text of [
    'javascript:alert(1)',
    ' JavaScript:x',
    'java\nscript:x',
    '\u0001javascript:x',
    'x+y.z-1:a',
    'mailto:a',
  ])
    fails(rule, text, 'custom: expected a URL with http: or https:');
});

test('a number and the length of a list may equal their bounds', () => {
  expect(accept({ kind: 'integer', min: 3, max: 3 }, 3)).toEqual({ ok: true, value: 3 });
  expect(accept(rules.list(rules.flag, { min: 1, max: 1 }), [true])).toEqual({ ok: true, value: [true] });
  expect(accept(rules.list(rules.flag), Array(9).fill(true))).toMatchObject({ ok: true });
});
