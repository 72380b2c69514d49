import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import type * as z from 'zod/mini';
import * as schemas from '../src/schemas/index.ts';

const document = readFileSync(resolve(import.meta.dirname, '../../../docs/api.md'), 'utf8');

/** Fields and their types, as written in a table of section 2 or 7: `string, nullable`. */
type Table = Readonly<Record<string, string>>;

/** The table below a heading of the API document. */
function tableBelow(heading: string): Table {
  const [, section = ''] = document.split(new RegExp(`^### ${heading}\\b.*$`, 'm'));
  const rows = section.split(/^#/m)[0]?.matchAll(/^\| (?!Field)(\w[\w.]*|_count) \| ([^|]+) \|/gm) ?? [];
  return Object.fromEntries([...rows].map(([, name = '', type = '']) => [name, type.trim()]));
}

const define = (schema: z.core.$ZodType) =>
  schema._zod.def as unknown as {
    readonly type: string;
    readonly format?: string;
    readonly innerType?: z.core.$ZodType;
    readonly shape?: Readonly<Record<string, z.core.$ZodType>>;
  };

/** The type of a field, with the wording of the API document. */
function typeOf(schema: z.core.$ZodType): string {
  const { type, format, innerType } = define(schema);
  if (innerType) return type === 'nullable' ? `${typeOf(innerType)}, nullable` : typeOf(innerType);
  if (format === 'datetime') return 'date-time';
  if (format === 'guid') return 'string (uuid)';
  return { number: 'integer', enum: 'string enum', literal: 'boolean' }[type] ?? type;
}

/** The fields of a schema, with `meta.q` for the field `q` of its `meta`. */
function fieldsOf(schema: z.core.$ZodType, prefix = ''): Table {
  const { shape = {} } = define(schema);
  return Object.fromEntries(
    Object.entries(shape).flatMap(([name, field]) =>
      name === 'meta' || name === 'error'
        ? Object.entries(fieldsOf(field, `${name}.`))
        : [[`${prefix}${name}`, typeOf(field)]],
    ),
  );
}

/** Details of a type that only the document has: `array of embedded tag`, `integer (starts at 1)`. */
const plain = (type: string): string =>
  type
    .replace(/^(array|integer) .*/, '$1')
    .replace(/, optional$/, '')
    .replace(/^AdFormat$/, 'string enum');

test.each([
  ['Post', schemas.Post],
  ['Category', schemas.Category],
  ['Tag', schemas.Tag],
  ['SearchResultItem', schemas.SearchResultItem],
  ['SearchResponse', schemas.SearchResponse],
  ['PaginationMetaCanonical', schemas.Pagination],
  ['AdDeliveryResult', schemas.FilledAd],
  ['Standard error envelope', schemas.ErrorEnvelope],
])('the table of %s in docs/api.md has the fields of its schema', (heading, schema) => {
  const documented = tableBelow(heading);
  const defined = fieldsOf(schema);
  const missing = Object.keys(defined).filter((name) => !(name in documented));
  expect(missing, `docs/api.md, "${heading}" lacks these fields of packages/contract/src/schemas`).toEqual([]);
  const unknown = Object.keys(documented).filter((name) => !(name in defined));
  expect(unknown, `packages/contract/src/schemas lacks these fields of docs/api.md, "${heading}"`).toEqual([]);
  for (const [name, type] of Object.entries(documented)) {
    expect(`${name}: ${plain(type)}`, `docs/api.md, "${heading}"`).toBe(`${name}: ${defined[name]}`);
  }
});
