import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { ENDPOINT_IDS } from '../endpoints.ts';
import { MESSAGES, type Message } from '../schemas/messages.ts';
import { validate } from '../schemas/validate.ts';
import { accept, type Validated } from './accept.ts';
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

const agree = (rule: rules.Rule, schema: z.ZodMiniType) =>
  fc.assert(
    fc.property(near(rule), (input) => void expect(byRule(rule, input)).toEqual(byZod(schema, input))),
    { numRuns: RUNS },
  );

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
  fc.assert(
    fc.property(inputs, (input) => void expect(byRule(rule, input)).toEqual(byZod(asSchema[name], input))),
    { numRuns: RUNS },
  );
});

test('the valid parts of an invalid value are kept', () => {
  const rule = rules.record({ a: rules.guid, b: rules.list(rules.record({ c: rules.flag, d: rules.flag })) });
  expect(accept(rule, { a: 'x', b: [{ c: true }, 1] })).toMatchObject({
    ok: false,
    partial: { b: [{ c: true }, undefined] },
  });
});
