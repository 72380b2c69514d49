import { LIMITS } from '../limits.ts';
import { isTimestamp, isUuid } from './kinds.ts';
import type { Bounds, Rule } from './rule.ts';
import { isTimeZone } from './time-zone.ts';
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
  const problems: wording.Problem[] = [];
  const value = read(rule, input, problems);
  if (problems.length === 0) return { ok: true, value: value as Out };
  return { ok: false, fields: problems.map(wording.fieldError), partial: value as Partly<Out> };
}

function read(rule: Rule, input: unknown, problems: wording.Problem[]): unknown {
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
      const items = Array.from(input, (item, index) => within(index, rule.item, item, problems));
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

const missing = (problems: wording.Problem[]) => note(wording.MISSING.text, wording.MISSING.code, problems);

const mistyped = (expected: string, input: unknown, problems: wording.Problem[]) =>
  input === undefined ? missing(problems) : note(wording.wrongType(expected, input), 'invalid_type', problems);

function within(key: PropertyKey, rule: Rule, input: unknown, problems: wording.Problem[]): unknown {
  const before = problems.length;
  const value = read(rule, input, problems);
  for (let index = before; index < problems.length; index += 1) problems[index]?.path.unshift(key);
  return value;
}

function readFields(
  { fields, strict }: Extract<Rule, { kind: 'record' }>,
  input: Readonly<Record<string, unknown>>,
  problems: wording.Problem[],
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

/** Adds a problem of a value. */
function note(text: string, code: string, problems: wording.Problem[]): undefined {
  problems.push({ path: [], text, code });
}

type TextRule = Extract<
  Rule,
  { kind: 'text' | 'key' | 'term' | 'digits' | 'id' | 'timestamp' | 'guid' | 'zone' | 'place' | 'address' }
>;

/** Decimal digits. A negative number also has this form: it is reported as too small. */
export const INTEGER = /^(?:\d+|-0*[1-9]\d*)$/;

export const KEY = /^[\w-]*$/;

/** The characters that browsers remove from a URL before they read its scheme. */
const ignoredByBrowsers = /[\p{Cc}\s]/gu;
const schemeOf = (address: string): string | undefined =>
  /^([a-z][a-z0-9+.-]*):/i.exec(address.replace(ignoredByBrowsers, ''))?.[1]?.toLowerCase();

/** Reads a string by its rule. */
function readText(rule: TextRule, input: string, problems: wording.Problem[]): unknown {
  switch (rule.kind) {
    case 'text':
      bounded(lengthOf(input, rule), rule, problems, 'character');
      return input;
    case 'key':
      if (!KEY.test(input)) return note(wording.wrongForm(wording.FORMS.key, input), 'invalid_format', problems);
      bounded(input.length, rule, problems, 'character');
      return input;
    case 'term': {
      const term = normalizeTerm(input);
      bounded(lengthOf(term, rule), rule, problems, 'character');
      return term;
    }
    case 'digits':
      if (!INTEGER.test(input)) return note(wording.wrongForm(wording.FORMS.digits, input), 'invalid_format', problems);
      return bounded(Number(input), rule, problems);
    case 'id':
      bounded(bytesOf(input), LIMITS.id, problems, 'byte');
      return input;
    case 'timestamp': {
      if (!isTimestamp(input))
        return note(wording.wrongForm(wording.FORMS.datetime, input), 'invalid_format', problems);
      const timestamp = new Date(input).toISOString();
      // In UTC, the last hours of 9999 may be in a year with five digits, which would sort before all others as text.
      if (/^\d{4}-/.test(timestamp)) return timestamp;
      return note(wording.wrongForm('a year from 0000 to 9999 in UTC', input), 'custom', problems);
    }
    case 'guid':
      return isUuid(input) ? input : note(wording.wrongForm(wording.FORMS.guid, input), 'invalid_format', problems);
    case 'zone':
      return isTimeZone(input) ? input : note(wording.wrongForm(wording.FORMS.zone, input), 'invalid_format', problems);
    case 'place':
      bounded(lengthOf(input, LIMITS.slotId), LIMITS.slotId, problems, 'character');
      if (!input.slice(0, -1).includes('*')) return input;
      return note(wording.wrongForm(wording.FORMS.place, input), 'invalid_format', problems);
    case 'address': {
      bounded(lengthOf(input, rule), rule, problems, 'character');
      if (rule.schemes.includes(schemeOf(input) ?? 'https')) return input;
      const schemes = rule.schemes.map((scheme) => `${scheme}:`).join(' or ');
      return note(`expected a URL with ${schemes}`, 'custom', problems);
    }
  }
}

/** Trims and collapses white space: the form in which a search term is measured, used and returned. */
export function normalizeTerm(q: string): string {
  return q.trim().replace(/\s+/gu, ' ');
}

/** The number of code points of a string. It counts them only if the result can make a difference. */
function lengthOf(text: string, { min = 0, max = Number.POSITIVE_INFINITY }: Bounds): number {
  return text.length >= 2 * min && text.length <= max ? text.length : [...text].length;
}

/** The number of bytes of a string in UTF-8. Each half of a surrogate pair counts as two. */
const bytesOf = (text: string): number =>
  text.replace(/[\u0800-\ud7ff\ue000-\uffff]/g, '...').replace(/[^\0-\x7f]/g, '..').length;

/** Compares a number, or the length of a value in some unit, with its bounds. */
function bounded(
  value: number,
  { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER }: Bounds,
  problems: wording.Problem[],
  unit?: string,
): number {
  if (value < min) note(wording.tooSmall(min, unit), 'too_small', problems);
  if (value > max) note(wording.tooBig(max, unit), 'too_big', problems);
  return value;
}
