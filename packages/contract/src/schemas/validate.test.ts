import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod/mini';
import { validate } from './validate.ts';

const fields = (schema: z.core.$ZodType, input: unknown, at?: readonly PropertyKey[]) => {
  const result = validate(schema, input, at);
  return result.ok ? [] : result.fields;
};
const problem = (schema: z.core.$ZodType, input: unknown) =>
  fields(schema, input).map(({ message, code }) => `${code}: ${message}`);

test('a valid value is returned as the schema parsed it', () => {
  expect(validate(z.object({ a: z.string() }), { a: 'x', b: 1 })).toEqual({ ok: true, value: { a: 'x' } });
});

test('a field is named by its path, which begins with the path of the input', () => {
  const schema = z.object({ slots: z.array(z.object({ format: z.string() })) });
  const input = { slots: [{ format: 'x' }, { format: 1 }] };
  expect(fields(schema, input, ['body'])).toEqual([
    {
      field: 'body.slots.1.format',
      message: 'body.slots.1.format: expected a string, received 1',
      code: 'invalid_type',
    },
  ]);
});

test('a missing field is reported as required, null as another type', () => {
  const schema = z.object({ a: z.string(), b: z.enum(['x', 'y']) });
  expect(problem(schema, {})).toEqual(['required: a: is required', 'required: b: is required']);
  expect(problem(schema, { a: null, b: null })).toEqual([
    'invalid_type: a: expected a string, received null',
    'invalid_value: b: expected "x" or "y", received null',
  ]);
  // A missing value can fail for a reason other than its type.
  expect(problem(z.any().check(z.refine(() => false, 'Not now')), undefined)).toEqual(['custom: body: not now']);
});

test('every kind of difference is reported in the wording of the API, in any language of zod', () => {
  const before = z.config();
  onTestFinished(() => void z.config(before));
  z.config(z.locales.de());
  const text = z.string();
  expect(problem(text.check(z.minLength(1)), '')).toEqual(['too_small: body: must be at least 1 character long']);
  expect(problem(text.check(z.maxLength(2)), 'abc')).toEqual(['too_big: body: must be at most 2 characters long']);
  expect(problem(z.array(text).check(z.minLength(2)), [])).toEqual(['too_small: body: must be at least 2 items long']);
  expect(problem(z.number().check(z.gte(3)), 1)).toEqual(['too_small: body: must be at least 3']);
  expect(problem(z.number().check(z.lte(3)), 4)).toEqual(['too_big: body: must be at most 3']);
  expect(problem(z.guid(), 'x')).toEqual(['invalid_format: body: expected a UUID, received "x"']);
  expect(problem(z.iso.datetime(), 'x')).toEqual([
    'invalid_format: body: expected an ISO 8601 date-time such as 2026-01-31T09:00:00.000Z, received "x"',
  ]);
  expect(problem(z.email(), 'x')).toEqual(['invalid_format: body: expected the format email, received "x"']);
  expect(problem(text.check(z.regex(/^a$/)), 'x')).toEqual([
    'invalid_format: body: expected the format regex, received "x"',
  ]);
  expect(problem(text.check(z.regex(/^a$/, 'Expected an a')), 'x')).toEqual([
    'invalid_format: body: expected an a, received "x"',
  ]);
  expect(problem(text.check(z.regex(/^a$/, 'The a that was expected here')), 'x')).toEqual([
    'invalid_format: body: expected the a that was expected here, received "x"',
  ]);
  expect(problem(z.strictObject({}), { a: 1, b: 2 })).toEqual(['unrecognized_keys: body: unknown: a, b']);
  expect(problem(z.union([z.string(), z.number()]), true)).toEqual(['invalid_union: body: is not valid (true)']);
  expect(problem(text.check(z.refine(() => false, 'Is taken')), 'x')).toEqual(['custom: body: is taken']);
});
