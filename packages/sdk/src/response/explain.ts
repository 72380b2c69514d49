import type { Core } from '../on-demand-core.ts';

type Kinds = Core['kinds'];

const KINDS = {
  string: 'isString',
  timestamp: 'isTimestamp',
  UUID: 'isUuid',
  'non-negative integer': 'isCount',
  'positive integer': 'isPositive',
  boolean: 'isBoolean',
} as const;
const LITERALS = { ok: 'ok', true: true, false: false } as const;

/** A value without parts. */
type Kind = keyof typeof KINDS | keyof typeof LITERALS;

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

const isOf = (kinds: Kinds, kind: Kind, value: unknown): boolean =>
  kind in LITERALS
    ? value === LITERALS[kind as keyof typeof LITERALS]
    : kinds[KINDS[kind as keyof typeof KINDS]](value);

/** Every difference between a value and a shape. It is loaded only for a response that its validator rejects. */
export function explain(kinds: Kinds, shape: Shape, value: unknown, path: Path = []): readonly Mismatch[] {
  const mismatch = (expected: string): Mismatch[] => [{ path, expected, received: kindOf(value) }];
  if (typeof shape === 'string') {
    const passes =
      (value === null && shape.endsWith(' or null')) || isOf(kinds, shape.replace(' or null', '') as Kind, value);
    return passes ? [] : mismatch(shape);
  }
  if (Array.isArray(shape)) {
    if (!Array.isArray(value)) return mismatch('array');
    return value.flatMap((item, index) => explain(kinds, shape[0] as Shape, item, [...path, index]));
  }
  if (!kinds.isFields(value)) return mismatch('object');
  if ('cases' in shape) {
    const { on, cases } = shape as { on: string; cases: Record<string, Shape> };
    const variant = value[on];
    const chosen = Object.hasOwn(cases, String(variant)) ? cases[String(variant)] : undefined;
    if (chosen) return explain(kinds, chosen, value, path);
    return [{ path: [...path, on], expected: Object.keys(cases).join(' or '), received: kindOf(variant) }];
  }
  return Object.entries(shape as Readonly<Record<string, Shape>>).flatMap(([field, inner]) => {
    const name = field.replace('?', '');
    if (field !== name && value[name] === undefined) return [];
    return explain(kinds, inner, value[name], [...path, name]);
  });
}
