import * as z from 'zod/mini';
import type { FieldError } from './error-envelope.ts';

type Issue = z.core.$ZodIssue;

/** What a schema makes of an input: the value it reads, or every field that is wrong. */
export type Validated<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fields: readonly FieldError[] };

/** Reads an input by a schema, with errors in the words of the API. `at` is the path of the input itself. */
export function validate<S extends z.ZodMiniType>(
  schema: S,
  input: unknown,
  at?: readonly PropertyKey[],
): Validated<z.output<S>> {
  const result = z.safeParse(schema, input, { reportInput: true });
  return result.success
    ? { ok: true, value: result.data }
    : { ok: false, fields: fieldErrors(result.error.issues, at) };
}

/** Turns what a schema found into the field errors of the API: a dotted path, a sentence and a code each. */
export function fieldErrors(issues: readonly Issue[], at: readonly PropertyKey[] = []): FieldError[] {
  return issues.map((issue) => {
    const field = [...at, ...issue.path].map(String).join('.');
    return { field, message: `${field || 'body'}: ${explain(issue)}`, code: codeOf(issue) };
  });
}

const isMissing = (issue: Issue): boolean =>
  (issue.code === 'invalid_type' || issue.code === 'invalid_value') && issue.input === undefined;

function codeOf(issue: Issue): string {
  return isMissing(issue) ? 'required' : issue.code;
}

function explain(issue: Issue): string {
  if (isMissing(issue)) return 'is required';
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${article(issue.expected)}, received ${nameOf(issue.input)}`;
    case 'too_small':
      return `must be at least ${size(issue.minimum, issue.origin)}`;
    case 'too_big':
      return `must be at most ${size(issue.maximum, issue.origin)}`;
    case 'invalid_value':
      return `expected ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}, received ${show(issue.input)}`;
    case 'invalid_format':
      return issue.format === 'regex' && issue.message !== 'Invalid input'
        ? `${lowerFirst(issue.message)}, received ${show(issue.input)}`
        : `expected ${formatName(issue.format)}, received ${show(issue.input)}`;
    case 'unrecognized_keys':
      return `unknown: ${issue.keys.join(', ')}`;
    default:
      return issue.message === 'Invalid input' ? `is not valid (${show(issue.input)})` : lowerFirst(issue.message);
  }
}

const units: Readonly<Record<string, string>> = { string: 'character', array: 'item' };

function size(bound: number | bigint, origin: string): string {
  const unit = units[origin];
  return unit ? `${bound} ${unit}${Number(bound) === 1 ? '' : 's'} long` : String(bound);
}

function formatName(format: string): string {
  const names: Readonly<Record<string, string>> = {
    datetime: 'an ISO 8601 date-time such as 2026-01-31T09:00:00.000Z',
    guid: 'a UUID',
    url: 'a URL',
  };
  return names[format] ?? `the format ${format}`;
}

function nameOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : article(typeof value);
}

function article(type: string): string {
  if (type === 'int') return 'a whole number';
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
