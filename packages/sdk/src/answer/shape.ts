/** A leaf; `?` after it lets it be null. */
export type Kind = 'string' | 'instant' | 'integer' | 'boolean' | 'ok' | 'true' | 'false';

/**
 * The least an answer must be. `?` after a field lets it be absent; unknown fields and unknown values of
 * enumerations always pass, since a newer server may send them.
 */
export type Shape =
  | Kind
  | `${Kind}?`
  | readonly [Shape]
  | { readonly on: string; readonly cases: Readonly<Record<string, Shape>> }
  | { readonly [field: string]: Shape };

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/;

/** Whether a value is one a shape allows. */
export type Test = (value: unknown) => boolean;

const leaves: Readonly<Record<Kind, Test>> = {
  string: (value) => typeof value === 'string',
  instant: (value) => typeof value === 'string' && INSTANT.test(value),
  integer: Number.isSafeInteger,
  boolean: (value) => typeof value === 'boolean',
  ok: (value) => value === 'ok',
  true: (value) => value === true,
  false: (value) => value === false,
};

/** Turns a shape into a function that says whether a value has it. No code is generated: it runs under any CSP. */
export function compile(shape: Shape): Test {
  if (typeof shape === 'string') return leaf(shape);
  if (Array.isArray(shape)) {
    const item = compile(shape[0] as Shape);
    return (value) => Array.isArray(value) && value.every(item);
  }
  if ('cases' in shape) return choice(shape as { on: string; cases: Record<string, Shape> });
  return record(shape as Readonly<Record<string, Shape>>);
}

/** The test of a leaf. */
export function leaf(shape: string): Test {
  const test = leaves[shape.replace('?', '') as Kind];
  return shape.endsWith('?') ? (value) => value === null || test(value) : test;
}

function record(fields: Readonly<Record<string, Shape>>): Test {
  const names: string[] = [];
  const tests = Object.entries(fields).map(([field, shape]): Test => {
    const test = compile(shape);
    names.push(field.replace('?', ''));
    return field.endsWith('?') ? (value) => value === undefined || test(value) : test;
  });
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    for (let index = 0; index < names.length; index++) {
      if (!tests[index]?.((value as Record<string, unknown>)[names[index] as string])) return false;
    }
    return true;
  };
}

function choice({ on, cases }: { on: string; cases: Record<string, Shape> }): Test {
  const tests = new Map(Object.entries(cases).map(([name, shape]) => [name, compile(shape)]));
  return (value) => {
    const name = (value as Record<string, unknown> | null | undefined)?.[on];
    return tests.get(String(name))?.(value) ?? false;
  };
}
