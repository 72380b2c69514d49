import { join } from 'node:path';
import { ENDPOINT_IDS } from '@broadsheet/contract';
import { expect, test } from 'vitest';
import { explain } from './explain.ts';
import type { Shape } from './shapes.ts';
import { PAGE_META, SHAPES } from './shapes.ts';
import { VALIDATORS } from './validators.ts';

// The tests of the answers are generated from their shapes: `pnpm vitest -u` with this file writes them anew.

type Fields = Readonly<Record<string, Shape>>;
type Choice = { readonly on: string; readonly cases: Readonly<Record<string, Shape>> };

const HEAD = `// Generated from \`shapes.ts\` by \`validators.test.ts\`: \`pnpm vitest -u\` with that file writes it anew.
// Written out, since a loop over the fields of a shape takes six times as long. No code is generated at run time.

import type { EndpointId } from '@broadsheet/contract';

type Fields = Readonly<Record<string, unknown>>;

const INSTANT = /^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d(\\.\\d+)?)?(Z|[+-]\\d\\d:?\\d\\d)?$/;

const isInstant = (v: unknown): boolean => typeof v === 'string' && INSTANT.test(v);
export const isFields = (v: unknown): v is Fields => typeof v === 'object' && v !== null && !Array.isArray(v);
export const isList = (v: unknown, item: (v: unknown) => boolean): boolean => Array.isArray(v) && v.every(item);
`;

const LEAVES: Readonly<Record<string, (v: string) => string>> = {
  string: (v) => `typeof ${v} === 'string'`,
  boolean: (v) => `typeof ${v} === 'boolean'`,
  instant: (v) => `isInstant(${v})`,
  integer: (v) => `Number.isSafeInteger(${v})`,
  ok: (v) => `${v} === 'ok'`,
  true: (v) => `${v} === true`,
  false: (v) => `${v} === false`,
};

/** Writes a function for each record there is, and gives the expression that tests a value. */
function writer() {
  const functions: string[] = [];
  const names = new Map<string, string>();

  function name(shape: Shape, hint: string): string {
    const key = JSON.stringify(shape);
    const known = names.get(key);
    if (known) return known;
    const own = `is${hint.replace(/(?:^|\W)(\w)/g, (_, letter: string) => letter.toUpperCase())}`;
    names.set(key, own);
    const tests =
      'cases' in (shape as object)
        ? Object.entries((shape as Choice).cases)
            .map(([, one], index) => test(one, 'v', `${hint} case ${index}`))
            .join('\n  || ')
        : [
            'isFields(v)',
            ...Object.entries(shape as Fields).map(([field, inner]) => fieldTest(field, inner, hint)),
          ].join('\n  && ');
    functions.push(`const ${own} = (v: unknown): boolean =>\n  ${tests};\n`);
    return own;
  }

  function fieldTest(field: string, inner: Shape, hint: string): string {
    const read = `v['${field.replace('?', '')}']`;
    const own = test(inner, read, `${hint} ${field.replace(/\W|^_/g, '')}`);
    return field.endsWith('?') ? `(${read} === undefined || ${own})` : own;
  }

  function test(shape: Shape, v: string, hint: string): string {
    if (typeof shape === 'string') {
      const own = LEAVES[shape.replace('?', '')]?.(v) ?? '';
      return shape.endsWith('?') ? `(${v} === null || ${own})` : own;
    }
    if (Array.isArray(shape)) {
      const item = shape[0] as Shape;
      return `isList(${v}, ${name(item, hint)})`;
    }
    return `${name(shape, hint)}(${v})`;
  }

  return { functions, test, name };
}

function generate(): string {
  const { functions, test, name } = writer();
  const rows = ENDPOINT_IDS.map((id) => {
    const shape = SHAPES[id];
    const own = Array.isArray(shape) ? `(v) => ${test(shape, 'v', id)}` : name(shape, id);
    return `  '${id}': ${own},`;
  });
  const page = name(PAGE_META, 'page meta');
  const table = `\n/** Whether the payload of an endpoint, or the meta of a list in pages, is what the contract says. */\nexport const VALIDATORS: Readonly<Record<EndpointId | 'meta', (v: unknown) => boolean>> = {\n${rows.join('\n')}\n  meta: ${page},\n};\n`;
  return `${HEAD}\n${functions.join('\n')}${table}`;
}

test('the validators are those of the shapes', async () => {
  await expect(generate()).toMatchFileSnapshot(join(import.meta.dirname, 'validators.ts'));
});

/** A value of a shape, and every way to break one of its parts. */
function* broken(shape: Shape): Generator<unknown> {
  if (typeof shape === 'string') {
    yield* [undefined, null, 7, 7.5, 'text', '2026-01-31T09:00:00Z', true, false, 'ok', [], {}];
  } else if (Array.isArray(shape)) {
    yield* [undefined, null, {}, 'text', [null]];
    for (const item of broken(shape[0] as Shape)) yield [sample(shape[0] as Shape), item];
  } else if ('cases' in shape) {
    yield* [null, {}, [], { [(shape as Choice).on]: 'other' }];
    for (const one of Object.values((shape as Choice).cases)) yield* broken(one);
  } else {
    yield* [undefined, null, [], 'text', {}, { ...(sample(shape) as object), extra: 1 }];
    for (const [field, inner] of Object.entries(shape as Fields)) {
      const whole = sample(shape) as Record<string, unknown>;
      for (const value of broken(inner)) yield { ...whole, [field.replace('?', '')]: value };
    }
  }
}

function sample(shape: Shape): unknown {
  if (typeof shape === 'string')
    return {
      string: 'text',
      instant: '2026-01-31T09:00:00.000Z',
      integer: 7,
      boolean: true,
      ok: 'ok',
      true: true,
      false: false,
    }[shape.replace('?', '')];
  if (Array.isArray(shape)) return [sample(shape[0] as Shape)];
  if ('cases' in shape) return sample(Object.values((shape as Choice).cases)[0] as Shape);
  return Object.fromEntries(
    Object.entries(shape as Fields).map(([field, inner]) => [field.replace('?', ''), sample(inner)]),
  );
}

test.each([...ENDPOINT_IDS, 'meta'] as const)(
  'what passes of %s is what the explanation finds nothing wrong with',
  (id) => {
    const shape = id === 'meta' ? PAGE_META : SHAPES[id];
    const validate = VALIDATORS[id];
    expect(validate(sample(shape))).toBe(true);
    let refused = 0;
    for (const value of broken(shape)) {
      const passes = explain(shape, value).length === 0;
      expect(validate(value), JSON.stringify(value)).toBe(passes);
      if (!passes) refused++;
    }
    expect(refused).toBeGreaterThan(5);
  },
);
