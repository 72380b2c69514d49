import type { Kind, Shape } from './shapes.ts';

/** One difference between an answer and its shape. `received` is a kind, never a value. */
export interface Mismatch {
  readonly path: readonly (string | number)[];
  readonly expected: string;
  readonly received: string;
}

type Path = readonly (string | number)[];

const nameOf = (value: unknown): string =>
  value === undefined ? 'nothing' : value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/;

const leaves: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  instant: (value) => typeof value === 'string' && INSTANT.test(value),
  integer: Number.isSafeInteger,
  boolean: (value) => typeof value === 'boolean',
  ok: (value) => value === 'ok',
  true: (value) => value === true,
  false: (value) => value === false,
};

/** Every difference between a value and a shape. Loaded only for an answer that did not pass its validator. */
export function explain(shape: Shape, value: unknown, path: Path = []): readonly Mismatch[] {
  const miss = (expected: string): Mismatch[] => [{ path, expected, received: nameOf(value) }];
  if (typeof shape === 'string') {
    const passes = (shape.endsWith('?') && value === null) || leaves[shape.replace('?', '') as Kind](value);
    return passes ? [] : miss(shape);
  }
  if (Array.isArray(shape)) {
    if (!Array.isArray(value)) return miss('array');
    return value.flatMap((item, index) => explain(shape[0] as Shape, item, [...path, index]));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return miss('object');
  const fields = value as Readonly<Record<string, unknown>>;
  if ('cases' in shape) {
    const { on, cases } = shape as { on: string; cases: Record<string, Shape> };
    const variant = fields[on];
    const chosen = Object.hasOwn(cases, String(variant)) ? cases[String(variant)] : undefined;
    if (chosen) return explain(chosen, value, path);
    return [{ path: [...path, on], expected: Object.keys(cases).join(' or '), received: nameOf(variant) }];
  }
  return Object.entries(shape as Readonly<Record<string, Shape>>).flatMap(([field, inner]) => {
    const name = field.replace('?', '');
    if (field !== name && fields[name] === undefined) return [];
    return explain(inner, fields[name], [...path, name]);
  });
}
