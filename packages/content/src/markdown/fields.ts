import type { ContentProblem } from '../problem.ts';
import { quote } from '../problem.ts';
import { readDate } from './calendar.ts';
import { type FieldValue, type FrontMatter, isList } from './front-matter.ts';

/** The fields of one file, read by name; what cannot be understood is gathered as problems with file and line. */
export interface FieldReader {
  readonly problems: readonly ContentProblem[];
  readonly notes: readonly string[];
  refuse(field: string, message: string): void;
  /** The first of the fields that has text in it. */
  text(...fields: string[]): string | undefined;
  /** Names in a list, or in one text; `separated` splits such a text at commas. */
  names(field: string, separated: boolean): string[];
  flag(field: string): boolean;
  /** Whether or when: generators of sites do not agree what such a field is. */
  flagOrDate(field: string): boolean | string | undefined;
  /** The first of the fields that is set, as an ISO 8601 instant; one that is no date is noted when there is another. */
  date(fields: readonly string[], otherwise?: string): string | undefined;
  /** A URL, or a map that has it under `url`, `src` or `image`. */
  url(...fields: string[]): string | undefined;
}

/** Reads the fields of `matter`; `file` is the file's name in problems. */
export function fieldReader({ fields, lineOf }: FrontMatter, file: string): FieldReader {
  const problems: ContentProblem[] = [];
  const notes: string[] = [];
  const get = (field: string): FieldValue => (Object.hasOwn(fields, field) ? (fields[field] ?? null) : null);
  const refuse = (field: string, message: string): void => {
    problems.push({ at: `${file}:${lineOf(field)}`, message: `${field}: ${message}` });
  };
  const first = <T>(names: readonly string[], read: (field: string, value: FieldValue) => T | undefined) => {
    for (const field of names) {
      const value = get(field);
      const result = value === null ? undefined : read(field, value);
      if (result !== undefined) return result;
    }
    return undefined;
  };
  const line = (field: string, value: FieldValue): string | undefined => {
    if (typeof value === 'string') return value.trim() || undefined;
    if (typeof value === 'boolean') return String(value);
    refuse(field, `expected a text, received ${quote(value)}`);
    return undefined;
  };
  return {
    problems,
    notes,
    refuse,
    text: (...names) => first(names, line),
    names(field, separated) {
      const value = get(field);
      if (value === null) return [];
      if (typeof value === 'string' && separated) return clean(value.split(','));
      return clean((isList(value) ? value : [value]).map((item) => line(field, nameIn(item)) ?? ''));
    },
    flag(field) {
      const value = get(field);
      if (value === null || value === '') return false;
      const flag = flagIn(value);
      if (flag === undefined) refuse(field, `expected true or false, received ${quote(value)}`);
      return flag ?? false;
    },
    flagOrDate(field) {
      const value = get(field);
      if (value === null || value === '') return undefined;
      const found = flagIn(value) ?? (typeof value === 'string' ? readDate(value) : undefined);
      if (found === undefined) refuse(field, `expected true, false or a date, received ${quote(value)}`);
      return found;
    },
    date: (names, otherwise) =>
      first(names, (field, value) => {
        if (value === '') return undefined;
        const date = typeof value === 'string' ? readDate(value) : undefined;
        if (date !== undefined) return date;
        const wrong = `expected a date such as 2026-01-31 or 2026-01-31T09:00:00Z, received ${quote(value)}`;
        if (otherwise === undefined) refuse(field, wrong);
        else notes.push(`${file}:${lineOf(field)}: ${field}: ${wrong}; that of the file name is taken`);
        return otherwise;
      }),
    url: (...names) =>
      first(names, (field, value) => {
        if (typeof value !== 'object' || value === null || isList(value)) return line(field, value);
        return line(field, value['url'] ?? value['src'] ?? value['image'] ?? '');
      }),
  };
}

function flagIn(value: FieldValue): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string') return undefined;
  if (/^(?:true|yes|on|1)$/i.test(value)) return true;
  return /^(?:false|no|off|0)$/i.test(value) ? false : undefined;
}

/** An author or a tag may be a map with a name. */
function nameIn(value: FieldValue): FieldValue {
  return typeof value === 'object' && value !== null && !isList(value) ? (value['name'] ?? value) : (value ?? '');
}

const clean = (names: readonly string[]): string[] => names.map((name) => name.trim()).filter((name) => name !== '');
