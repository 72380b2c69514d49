import { ENDPOINT_IDS } from '@broadsheet/contract';
import { MESSAGES, PageMeta } from '@broadsheet/contract/schemas';
import { expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { samplePost } from '../../test/support/samples.ts';
import { explain, type Mismatch } from './explain.ts';
import type { Shape } from './shapes.ts';
import { PAGE_META, SHAPES } from './shapes.ts';

interface Definition {
  readonly type: string;
  readonly format?: string;
  readonly values?: readonly unknown[];
  readonly shape?: Readonly<Record<string, z.ZodMiniType>>;
  readonly element?: z.ZodMiniType;
  readonly innerType?: z.ZodMiniType;
  readonly options?: readonly z.ZodMiniType[];
  readonly discriminator?: string;
}

const definition = (schema: z.ZodMiniType): Definition => schema._zod.def as unknown as Definition;

/** The shape of a schema, by the rules the shapes are written by: enumerations are open, formats but time are loose. */
function derive(schema: z.ZodMiniType): unknown {
  const def = definition(schema);
  switch (def.type) {
    case 'string':
      return def.format === 'datetime' ? 'instant' : 'string';
    case 'enum':
      return 'string';
    case 'number':
      return 'integer';
    case 'boolean':
      return 'boolean';
    case 'literal':
      return String(def.values?.[0]);
    case 'nullable':
      return `${derive(def.innerType as z.ZodMiniType)}?`;
    case 'array':
      return [derive(def.element as z.ZodMiniType)];
    case 'object':
      return Object.fromEntries(Object.entries(def.shape ?? {}).map(([field, inner]) => derivedField(field, inner)));
    case 'union': {
      const on = def.discriminator ?? '';
      const cases = (def.options ?? []).map((option) => {
        const shape = derive(option) as Record<string, string>;
        return [shape[on], shape];
      });
      return { on, cases: Object.fromEntries(cases) };
    }
    default:
      throw new Error(`no rule for a schema of type ${def.type}`);
  }
}

/** What the explanation says. */
const differences =
  (shape: Shape) =>
  (value: unknown): readonly Mismatch[] =>
    explain(shape, value);

function derivedField(field: string, schema: z.ZodMiniType): [string, unknown] {
  const def = definition(schema);
  return def.type === 'optional' ? [`${field}?`, derive(def.innerType as z.ZodMiniType)] : [field, derive(schema)];
}

test.each(ENDPOINT_IDS)('the shape of %s is that of its schema', (id) => {
  expect(SHAPES[id]).toEqual(derive(MESSAGES[id].data));
});

test('the shape of the page meta is that of its schema', () => {
  expect(PAGE_META).toEqual(derive(PageMeta));
});

test('a post of the contract passes; each missing or mistyped field is named', () => {
  const check = differences(SHAPES['posts.get']);
  const post = samplePost('1');
  expect(check(post)).toEqual([]);
  expect(check({ ...post, status: 'ARCHIVED', extra: 1 })).toEqual([]);
  const { slug: _slug, ...rest } = post;
  expect(check({ ...rest, title: 7, tags: [{ id: 't', name: null, blogId: 'b' }], createdAt: 'yesterday' })).toEqual([
    { path: ['title'], expected: 'string', received: 'number' },
    { path: ['slug'], expected: 'string', received: 'nothing' },
    { path: ['createdAt'], expected: 'instant', received: 'string' },
    { path: ['tags', 0, 'name'], expected: 'string', received: 'null' },
  ]);
});

test('an ad is read by whether it is filled', () => {
  const check = differences(SHAPES['ads.deliver']);
  expect(check({ filled: false })).toEqual([]);
  expect(check({ filled: true, id: 'x' })).toEqual([{ path: ['clickToken'], expected: 'string', received: 'nothing' }]);
  expect(check({})).toEqual([{ path: ['filled'], expected: 'true or false', received: 'nothing' }]);
  expect(check(null)).toEqual([{ path: [], expected: 'object', received: 'null' }]);
  const quoted = { filled: 'true', id: 'x', clickToken: 't' };
  expect(check(quoted)).toEqual([{ path: ['filled'], expected: 'true', received: 'string' }]);
  expect(check({ filled: 'false' })).toEqual([{ path: ['filled'], expected: 'false', received: 'string' }]);
});

test('a list for a record, and a record for a list, are named as such', () => {
  const check = differences(SHAPES['tags.list']);
  expect(check({})).toEqual([{ path: [], expected: 'array', received: 'object' }]);
  expect(check([[]])).toEqual([{ path: [0], expected: 'object', received: 'array' }]);
});

test.each([
  ['2026-01-31T09:00Z', true],
  ['2026-01-31T09:00:30Z', true],
  ['2026-01-31T09:00:30.5Z', true],
  ['2026-01-31T09:00:30.123456+01:00', true],
  ['2026-01-31T09:00:30-0530', true],
  ['2026-01-31T09:00:30', true],
  ['2026-01-31', false],
  ['2026-01-31 09:00:30Z', false],
  ['on 2026-01-31T09:00:30Z', false],
  ['2026-01-31T09:00:30Z or so', false],
  ['2026-01-31T09:00:30+1', false],
  ['2026-01-31T09:00:30.Z', false],
])('%s is an instant: %s', (createdAt, fits) => {
  const paths = differences(SHAPES['posts.get'])({ ...samplePost('1'), createdAt }).map(({ path }) => path);
  expect(paths).toEqual(fits ? [] : [['createdAt']]);
});
