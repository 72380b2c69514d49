import { type ContentProblem, quote } from '../problem.ts';
import { readDate } from './calendar.ts';
import { FIELD_NAMES, fieldKey, type Meaning, NESTED } from './field-names.ts';
import { type FieldValue, type FrontMatter, isList, isMap } from './front-matter.ts';

/** A field as its file has it. */
export interface WrittenField {
  /** Its name as written; `extra.draft` for an entry of a map. */
  readonly name: string;
  readonly value: FieldValue;
}

/**
 * Reads the fields of one file by their meaning, and collects invalid values as problems with file and line. It records
 * what it was asked for, so that every other field can be reported.
 */
export class FieldReader {
  readonly problems: ContentProblem[] = [];
  readonly notes: string[] = [];
  readonly #fields: ReadonlyMap<string, WrittenField>;
  readonly #read = new Set<string>();
  readonly #matter: FrontMatter;
  readonly #file: string;

  /** @param file the file's name in problems */
  constructor(matter: FrontMatter, file: string) {
    this.#matter = matter;
    this.#file = file;
    this.#fields = byKey(matter.fields);
  }

  report(field: string, message: string): void {
    this.problems.push({ at: this.at(field), message: `${field}: ${message}` });
  }

  /** The fields that nothing has asked for and that are not empty. */
  get unread(): WrittenField[] {
    return [...this.#fields].flatMap(([key, field]) => (this.#read.has(key) || isEmpty(field.value) ? [] : [field]));
  }

  /** The fields of a meaning that are set, in the order in which they are read. */
  of(meaning: Meaning): WrittenField[] {
    const keys = FIELD_NAMES[meaning].map(fieldKey);
    for (const key of keys) this.#read.add(key);
    return keys.flatMap((key) => this.#fields.get(key) ?? []).filter(({ value }) => !isEmpty(value));
  }

  /** The first text with a meaning. */
  text(meaning: Meaning): string | undefined {
    return first(this.of(meaning), ({ name, value }) => this.#line(name, value));
  }

  /** Names in a list or in one string; `separated` splits a string at commas. */
  names(meaning: Meaning, separated: boolean): string[] {
    const [field] = this.of(meaning);
    if (!field) return [];
    const { name, value } = field;
    if (typeof value === 'string' && separated) return clean(value.split(','));
    return clean((isList(value) ? value : [value]).map((item) => this.#line(name, nameIn(item)) ?? ''));
  }

  /** The first date with a meaning, as a timestamp; an invalid date is noted when there is another. */
  date(meaning: Meaning, otherwise?: string): string | undefined {
    return first(this.of(meaning), ({ name, value }) => {
      const date = dateIn(value);
      if (date !== undefined) return date;
      const wrong = `expected a date such as 2026-01-31 or 2026-01-31T09:00:00Z, received ${quote(value)}`;
      if (otherwise === undefined) this.report(name, wrong);
      else this.notes.push(`${this.at(name)}: ${name}: ${wrong}; using the date in the file name`);
      return otherwise;
    });
  }

  /** The first URL with a meaning: a text, the first of a list, or a map that contains one under `url`, `src` or `image`. */
  url(meaning: Meaning): { readonly name: string; readonly url: string } | undefined {
    return first(this.of(meaning), ({ name, value }) => {
      const [item = ''] = isList(value) ? value : [value];
      const url = this.#line(name, isMap(item) ? (item['url'] ?? item['src'] ?? item['image'] ?? '') : item);
      return url === undefined ? undefined : { name, url };
    });
  }

  /** The file and the line of a field. */
  at(field: string): string {
    return `${this.#file}:${this.#matter.lineOf(field)}`;
  }

  #line(field: string, value: FieldValue): string | undefined {
    if (typeof value === 'string') return value.trim() || undefined;
    this.report(field, `expected a string, received ${quote(value)}`);
    return undefined;
  }
}

/** The fields by their keys. A field of the file itself comes before one with the same name in a map. */
function byKey(fields: FrontMatter['fields']): Map<string, WrittenField> {
  const found = new Map<string, WrittenField>();
  const add = (name: string, value: FieldValue, path = name) => {
    const key = fieldKey(name);
    // No key contains a space, so the second of two spellings is only reported.
    found.set(found.has(key) ? `${key} ${path}` : key, { name: path, value });
  };
  const isNested = (name: string) => NESTED.some((map) => map === fieldKey(name));
  const nested: [string, FieldValue][] = [];
  for (const [name, value] of Object.entries(fields)) {
    if (isNested(name) && isMap(value)) nested.push([name, value]);
    else add(name, value);
  }
  for (const [map, values] of nested)
    for (const [name, value] of Object.entries(values ?? {})) add(name, value, `${map}.${name}`);
  return found;
}

function first<T>(fields: readonly WrittenField[], read: (field: WrittenField) => T | undefined): T | undefined {
  for (const field of fields) {
    const result = read(field);
    if (result !== undefined) return result;
  }
  return undefined;
}

/** YAML's null, an empty text and an empty list mean that a field is not set. */
const isEmpty = (value: FieldValue): boolean =>
  value === null ||
  (typeof value === 'string' ? /^(?:|~|null)$/.test(value.trim()) : isList(value) && value.length === 0);

/** The date in a value. A map, such as `last_update` of Docusaurus, may contain one under `date`. */
export function dateIn(value: FieldValue): string | undefined {
  if (isMap(value)) return dateIn(value['date'] ?? null);
  return typeof value === 'string' ? readDate(value) : undefined;
}

/** A boolean as generators accept it. */
export function flagIn(value: FieldValue): boolean | undefined {
  if (typeof value !== 'string') return undefined;
  if (/^(?:true|yes|y|on|1)$/i.test(value.trim())) return true;
  return /^(?:false|no|n|off|0)$/i.test(value.trim()) ? false : undefined;
}

/** An author or a tag may be a map that contains a name. */
const nameIn = (value: FieldValue): FieldValue => (isMap(value) ? (value['name'] ?? value) : (value ?? ''));

const clean = (names: readonly string[]): string[] => names.map((name) => name.trim()).filter((name) => name !== '');
