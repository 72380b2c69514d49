import { type ContentProblem, quote } from '../problem.ts';
import { readDate } from './calendar.ts';
import { type FieldValue, type FrontMatter, isList } from './front-matter.ts';

/** Reads the fields of one file by name, and collects invalid values as problems with file and line. */
export class FieldReader {
  readonly problems: ContentProblem[] = [];
  readonly notes: string[] = [];
  readonly #matter: FrontMatter;
  readonly #file: string;

  /** @param file the file's name in problems */
  constructor(matter: FrontMatter, file: string) {
    this.#matter = matter;
    this.#file = file;
  }

  report(field: string, message: string): void {
    this.problems.push({ at: this.at(field), message: `${field}: ${message}` });
  }

  /** The first of the fields that is not empty. */
  text(...fields: string[]): string | undefined {
    return this.#first(fields, (field, value) => this.#line(field, value));
  }

  /** Names in a list or in one string; `separated` splits a string at commas. */
  names(field: string, separated: boolean): string[] {
    const value = this.#get(field);
    if (value === null) return [];
    if (typeof value === 'string' && separated) return clean(value.split(','));
    return clean((isList(value) ? value : [value]).map((item) => this.#line(field, nameIn(item)) ?? ''));
  }

  flag(field: string): boolean {
    const value = this.#get(field);
    if (value === null || value === '') return false;
    const flag = flagIn(value);
    if (flag === undefined) this.report(field, `expected true or false, received ${quote(value)}`);
    return flag ?? false;
  }

  /** A boolean or a date: site generators disagree on the type of such a field. */
  flagOrDate(field: string): boolean | string | undefined {
    const value = this.#get(field);
    if (value === null || value === '') return undefined;
    const found = flagIn(value) ?? dateIn(value);
    if (found === undefined) this.report(field, `expected true, false or a date, received ${quote(value)}`);
    return found;
  }

  /** The first of the fields that is set, as an ISO 8601 timestamp; an invalid date is noted when there is another. */
  date(fields: readonly string[], otherwise?: string): string | undefined {
    return this.#first(fields, (field, value) => {
      if (value === '') return undefined;
      const date = dateIn(value);
      if (date !== undefined) return date;
      const wrong = `expected a date such as 2026-01-31 or 2026-01-31T09:00:00Z, received ${quote(value)}`;
      if (otherwise === undefined) this.report(field, wrong);
      else this.notes.push(`${this.at(field)}: ${field}: ${wrong}; using the date in the file name`);
      return otherwise;
    });
  }

  /** A URL, or a map that contains one under `url`, `src` or `image`. */
  url(field: string): string | undefined {
    return this.#first([field], (field, value) => {
      const isMap = typeof value === 'object' && value !== null && !isList(value);
      return this.#line(field, isMap ? (value['url'] ?? value['src'] ?? value['image'] ?? '') : value);
    });
  }

  /** The file and the line of a field. */
  at(field: string): string {
    return `${this.#file}:${this.#matter.lineOf(field)}`;
  }

  #get(field: string): FieldValue {
    const { fields } = this.#matter;
    return Object.hasOwn(fields, field) ? (fields[field] ?? null) : null;
  }

  #first<T>(fields: readonly string[], read: (field: string, value: FieldValue) => T | undefined): T | undefined {
    for (const field of fields) {
      const value = this.#get(field);
      const result = value === null ? undefined : read(field, value);
      if (result !== undefined) return result;
    }
    return undefined;
  }

  #line(field: string, value: FieldValue): string | undefined {
    if (typeof value === 'string') return value.trim() || undefined;
    if (typeof value === 'boolean') return String(value);
    this.report(field, `expected a string, received ${quote(value)}`);
    return undefined;
  }
}

const dateIn = (value: FieldValue): string | undefined => (typeof value === 'string' ? readDate(value) : undefined);

function flagIn(value: FieldValue): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string') return undefined;
  if (/^(?:true|yes|on|1)$/i.test(value)) return true;
  return /^(?:false|no|off|0)$/i.test(value) ? false : undefined;
}

/** An author or a tag may be a map that contains a name. */
function nameIn(value: FieldValue): FieldValue {
  return typeof value === 'object' && value !== null && !isList(value) ? (value['name'] ?? value) : (value ?? '');
}

const clean = (names: readonly string[]): string[] => names.map((name) => name.trim()).filter((name) => name !== '');
