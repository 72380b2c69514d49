import { bounded, note, type Problem, readText } from './read-text.ts';
import type { Rule } from './rule.ts';
import * as wording from './wording.ts';

/** The result of reading an input: the value, or every field that is not valid. */
export type Validated<T> = { readonly ok: true; readonly value: T } | Invalid;
interface Invalid {
  readonly ok: false;
  readonly fields: readonly wording.FieldError[];
}

/** A value without the fields that its rule refuses. */
export type Partly<T> =
  | undefined
  | (T extends (infer Item)[] ? Partly<Item>[] : T extends object ? { [Key in keyof T]?: Partly<T[Key]> } : T);

/**
 * Reads an input by a rule, and reports errors with the API's wording.
 *
 * @example
 * ```ts
 * accept(REQUESTS['posts.list'].query, { limit: '500' });
 * // { ok: false, fields: [{ field: 'limit', message: 'limit: must be at most 100', code: 'too_big' }] }
 * ```
 */
export function accept<Out, In>(
  rule: Rule<Out, In>,
  input: unknown,
): { readonly ok: true; readonly value: Out } | (Invalid & { readonly partial: Partly<Out> }) {
  const problems: Problem[] = [];
  const value = read(rule, input, problems);
  if (problems.length === 0) return { ok: true, value: value as Out };
  return { ok: false, fields: problems.map(wording.fieldError), partial: value as Partly<Out> };
}

function read(rule: Rule, input: unknown, problems: Problem[]): unknown {
  switch (rule.kind) {
    case 'optional':
      return input === undefined ? undefined : read(rule.inner, input, problems);
    case 'nullable':
      return input === null ? null : read(rule.inner, input, problems);
    case 'fallback':
      return input === undefined ? rule.value : read(rule.inner, input, problems);
    case 'flag':
      return typeof input === 'boolean' ? input : mistyped('boolean', input, problems);
    case 'integer':
      if (typeof input !== 'number') return mistyped('number', input, problems);
      return Number.isInteger(input) ? bounded(input, rule, problems) : mistyped('int', input, problems);
    case 'choice':
      if (rule.values.includes(input as string)) return input;
      if (input === undefined) return missing(problems);
      return note(wording.wrongValue(rule.values, input), 'invalid_value', problems);
    case 'list': {
      if (!Array.isArray(input)) return mistyped('array', input, problems);
      const items = input.map((item, index) => within(index, rule.item, item, problems));
      bounded(items.length, rule, problems, 'item');
      return items;
    }
    case 'record':
      if (typeof input !== 'object' || input === null || Array.isArray(input))
        return mistyped('object', input, problems);
      return readFields(rule, input as Record<string, unknown>, problems);
    default:
      return typeof input === 'string' ? readText(rule, input, problems) : mistyped('string', input, problems);
  }
}

const missing = (problems: Problem[]) => note(wording.MISSING.text, wording.MISSING.code, problems);

const mistyped = (expected: string, input: unknown, problems: Problem[]) =>
  input === undefined ? missing(problems) : note(wording.wrongType(expected, input), 'invalid_type', problems);

function within(key: PropertyKey, rule: Rule, input: unknown, problems: Problem[]): unknown {
  const before = problems.length;
  const value = read(rule, input, problems);
  for (let index = before; index < problems.length; index += 1) problems[index]?.path.unshift(key);
  return value;
}

function readFields(
  { fields, strict }: Extract<Rule, { kind: 'record' }>,
  input: Readonly<Record<string, unknown>>,
  problems: Problem[],
): Record<string, unknown> {
  const value: Record<string, unknown> = {};
  // V8 optimizes and deoptimizes this function without end if it is a `for...in` loop.
  for (const key of Object.keys(fields)) {
    const field = within(key, fields[key] as Rule, input[key], problems);
    if (field !== undefined) value[key] = field;
  }
  const unknown = strict ? Object.keys(input).filter((key) => !Object.hasOwn(fields, key)) : [];
  if (unknown.length > 0) note(wording.unknownKeys(unknown), 'unrecognized_keys', problems);
  return value;
}
