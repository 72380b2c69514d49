import { isBoolean, isCount, isFields, isPositive, isString, isTimestamp, isUuid } from '@broadsheet/contract/kinds';

const KINDS = {
  string: isString,
  timestamp: isTimestamp,
  UUID: isUuid,
  'non-negative integer': isCount,
  'positive integer': isPositive,
  boolean: isBoolean,
  ok: (value: unknown) => value === 'ok',
  true: (value: unknown) => value === true,
  false: (value: unknown) => value === false,
};

/** A value without parts. */
type Kind = keyof typeof KINDS;

/**
 * The minimum requirements of a response. A field whose name ends with `?` may be absent; unknown fields and unknown
 * values of enumerations always pass, since a newer server may send them.
 */
export type Shape =
  | Kind
  | `${Kind} or null`
  | readonly [Shape]
  | { readonly on: string; readonly cases: Readonly<Record<string, Shape>> }
  | { readonly [field: string]: Shape };

type Path = readonly (string | number)[];

/** One difference between a response and its shape. `received` is a kind of value, never the value itself. */
interface Mismatch {
  readonly path: Path;
  readonly expected: string;
  readonly received: string;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** Every difference between a value and a shape. It is loaded only for a response that its validator rejects. */
export function explain(shape: Shape, value: unknown, path: Path = []): readonly Mismatch[] {
  const mismatch = (expected: string): Mismatch[] => [{ path, expected, received: kindOf(value) }];
  if (typeof shape === 'string') {
    const passes =
      (value === null && shape.endsWith(' or null')) || KINDS[shape.replace(' or null', '') as Kind](value);
    return passes ? [] : mismatch(shape);
  }
  if (Array.isArray(shape)) {
    if (!Array.isArray(value)) return mismatch('array');
    return value.flatMap((item, index) => explain(shape[0] as Shape, item, [...path, index]));
  }
  if (!isFields(value)) return mismatch('object');
  if ('cases' in shape) {
    const { on, cases } = shape as { on: string; cases: Record<string, Shape> };
    const variant = value[on];
    const chosen = Object.hasOwn(cases, String(variant)) ? cases[String(variant)] : undefined;
    if (chosen) return explain(chosen, value, path);
    return [{ path: [...path, on], expected: Object.keys(cases).join(' or '), received: kindOf(variant) }];
  }
  return Object.entries(shape as Readonly<Record<string, Shape>>).flatMap(([field, inner]) => {
    const name = field.replace('?', '');
    if (field !== name && value[name] === undefined) return [];
    return explain(inner, value[name], [...path, name]);
  });
}
