/** A leaf; `?` after it lets it be null. */
type Kind = 'string' | 'instant' | 'integer' | 'boolean' | 'ok' | 'true' | 'false';

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

/** One difference between an answer and its shape. `received` is a kind, never a value. */
export interface Mismatch {
  readonly path: readonly (string | number)[];
  readonly expected: string;
  readonly received: string;
}

type Path = (string | number)[];
type Check = (value: unknown, path: Path, found: Mismatch[]) => void;

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

const nameOf = (value: unknown): string =>
  value === undefined ? 'nothing' : value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

function miss(path: Path, expected: string, value: unknown, found: Mismatch[]): void {
  found.push({ path: [...path], expected, received: nameOf(value) });
}

/** Turns a shape into a function that finds every difference. No code is generated: it runs under any CSP. */
export function compile(shape: Shape): (value: unknown) => readonly Mismatch[] {
  const check = build(shape);
  return (value) => {
    const found: Mismatch[] = [];
    check(value, [], found);
    return found;
  };
}

function build(shape: Shape): Check {
  if (typeof shape === 'string') return leaf(shape);
  if (Array.isArray(shape)) return list(build(shape[0] as Shape));
  if ('cases' in shape) return choice(shape as { on: string; cases: Record<string, Shape> });
  return record(shape as Readonly<Record<string, Shape>>);
}

function leaf(shape: string): Check {
  const nullable = shape.endsWith('?');
  const passes = leaves[(nullable ? shape.slice(0, -1) : shape) as Kind];
  return (value, path, found) => {
    if (!passes(value) && !(nullable && value === null)) miss(path, shape, value, found);
  };
}

function list(item: Check): Check {
  return (value, path, found) => {
    if (!Array.isArray(value)) return miss(path, 'array', value, found);
    for (let index = 0; index < value.length; index++) {
      path.push(index);
      item(value[index], path, found);
      path.pop();
    }
  };
}

function record(fields: Readonly<Record<string, Shape>>): Check {
  const checks = Object.entries(fields).map(([field, shape]) => {
    const optional = field.endsWith('?');
    return { name: optional ? field.slice(0, -1) : field, optional, check: build(shape) };
  });
  return (value, path, found) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return miss(path, 'object', value, found);
    for (const { name, optional, check } of checks) {
      const inner = (value as Record<string, unknown>)[name];
      if (optional && inner === undefined) continue;
      path.push(name);
      check(inner, path, found);
      path.pop();
    }
  };
}

function choice({ on, cases }: { on: string; cases: Record<string, Shape> }): Check {
  const checks = new Map(Object.entries(cases).map(([name, shape]) => [name, build(shape)]));
  return (value, path, found) => {
    const told = (value as Record<string, unknown> | null | undefined)?.[on];
    const check = checks.get(String(told));
    if (check) check(value, path, found);
    else if (typeof value === 'object' && value !== null)
      miss([...path, on], [...checks.keys()].join(' or '), told, found);
    else miss(path, 'object', value, found);
  };
}
