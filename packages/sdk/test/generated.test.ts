import { ENDPOINT_IDS } from '@broadsheet/contract';
import { MESSAGES, PageMeta } from '@broadsheet/contract/schemas';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { VALIDATORS } from '../src/generated/resources.ts';
import { SHAPES } from '../src/generated/shapes.ts';
import { core } from '../src/on-demand-core.ts';
import { explain } from '../src/response/explain.ts';
import { outdated } from '../tools/generate.ts';
import { define, type Schema } from '../tools/schema.ts';
import { samplePost } from './support/samples.ts';

test('the generated files match the schemas', () => {
  expect(outdated(), 'run `pnpm generate`').toEqual([]);
});

const TIMESTAMPS = [
  '2024-02-29T09:00:00.5+01:00',
  '2023-02-29T09:00:00Z',
  '2026-04-31T09:00:00Z',
  '2026-01-31T09:00:00',
];
const UUIDS = ['3F2504E0-4F89-41D3-9A0C-0305E82C3301', '3f2504e0-4f89-41d3-9a0c'];
const LEAVES = [
  undefined,
  null,
  '',
  'text',
  7,
  0,
  -1,
  7.5,
  2 ** 53,
  true,
  false,
  'ok',
  [],
  {},
  ...TIMESTAMPS,
  ...UUIDS,
];

/** A value that a schema accepts. */
function sample(schema: Schema): unknown {
  const { type, format, values, shape = {}, innerType, element, options } = define(schema);
  const [first] = values ?? schema._zod.values ?? [];
  if (first !== undefined) return first;
  if (options?.[0]) return sample(options[0]);
  if (innerType) return sample(innerType);
  if (element) return [sample(element)];
  if (type === 'object') return Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, sample(field)]));
  if (format === 'datetime') return TIMESTAMPS[0];
  if (format === 'guid') return UUIDS[0];
  return { string: 'text', number: 7, boolean: true }[type];
}

/** Copies of a schema's value, in each of which one part is replaced by one of the leaves. */
function* variations(schema: Schema): Generator<unknown> {
  const { type, shape = {}, innerType, element, options = [] } = define(schema);
  // An unknown value of an enumeration passes: a newer server may send it.
  yield* type === 'enum' ? LEAVES.filter((value) => typeof value !== 'string') : LEAVES;
  for (const inner of innerType ? [innerType] : options) yield* variations(inner);
  if (element) for (const item of variations(element)) yield [sample(element), item];
  const whole = sample(schema) as object;
  for (const [name, field] of Object.entries(shape)) {
    yield { ...whole, extra: 1 };
    for (const value of variations(field)) yield { ...whole, [name]: value };
  }
}

test.each([...ENDPOINT_IDS, 'meta'] as const)(
  'zod, the validator and the explanation of %s accept the same values',
  (id) => {
    const schema = id === 'meta' ? PageMeta : MESSAGES[id].data;
    expect(VALIDATORS[id](sample(schema))).toBe(true);
    let rejected = 0;
    for (const value of variations(schema)) {
      const { success } = z.safeParse(schema, value);
      expect(VALIDATORS[id](value), JSON.stringify(value)).toBe(success);
      expect(explain(core.kinds, SHAPES[id], value).length === 0, JSON.stringify(value)).toBe(success);
      if (!success) rejected++;
    }
    expect(rejected).toBeGreaterThan(5);
  },
);

test('each missing or mistyped field of a post is named', () => {
  const check = (value: unknown) => explain(core.kinds, SHAPES['posts.get'], value);
  const post = samplePost('1');
  expect(check({ ...post, status: 'ARCHIVED', extra: 1 })).toEqual([]);
  const { slug: _slug, ...rest } = post;
  expect(check({ ...rest, title: 7, tags: [{ id: 't', name: null, blogId: 'b' }], createdAt: 'yesterday' })).toEqual([
    { path: ['title'], expected: 'string', received: 'number' },
    { path: ['slug'], expected: 'string', received: 'undefined' },
    { path: ['createdAt'], expected: 'timestamp', received: 'string' },
    { path: ['tags', 0, 'name'], expected: 'string', received: 'null' },
  ]);
  expect(explain(core.kinds, SHAPES['tags.list'], [[]])).toEqual([
    { path: [0], expected: 'object', received: 'array' },
  ]);
});

test('an ad is explained by the variant that `filled` names', () => {
  const check = (value: unknown) => explain(core.kinds, SHAPES['ads.deliver'], value);
  expect(check({})).toEqual([{ path: ['filled'], expected: 'true or false', received: 'undefined' }]);
  expect(check(null)).toEqual([{ path: [], expected: 'object', received: 'null' }]);
  expect(check({ filled: 'false' })).toEqual([{ path: ['filled'], expected: 'false', received: 'string' }]);
  const ad = { filled: true, id: '3f2504e0-4f89-41d3-9a0c-0305e82c3301' };
  expect(check(ad)).toEqual([{ path: ['clickToken'], expected: 'string', received: 'undefined' }]);
});
