import { parse as parseToml, TomlDate, TomlError } from 'smol-toml';
import { parseDocument } from 'yaml';
import { LIMITS } from '../limits.ts';
import { failedRead, type Read } from '../problem.ts';
import { type Header, headerOf } from './header.ts';

/**
 * A value of front matter. Numbers, dates and booleans stay texts, because `1.10` may be a version, `007` an agent and
 * `True` a title.
 */
export type FieldValue = string | null | readonly FieldValue[] | FieldMap;

/** A map in front matter. */
export interface FieldMap {
  readonly [key: string]: FieldValue;
}

/** A Markdown file, split into front matter and body. */
export interface FrontMatter {
  /** Whether the file begins with fields. */
  readonly hasHeader: boolean;
  readonly fields: Readonly<Record<string, FieldValue>>;
  /** Everything after the line that closes the front matter, unchanged. */
  readonly body: string;
  /** The line of the file that sets a field; 1 if the field is absent. */
  lineOf(field: string): number;
}

/** Splits the fields at the beginning of a file from its body. `at` is the file's name in problems. */
export function readFrontMatter(text: string, at: string): Read<FrontMatter> {
  const header = headerOf(text);
  if (typeof header === 'string') return failedRead(`${at}:1`, header);
  if (!header) return { ok: true, value: { hasHeader: false, fields: {}, body: text, lineOf: () => 1 } };
  const { source, length, firstLine } = header;
  if (source.length > LIMITS.frontMatterLength) {
    return failedRead(`${at}:1`, `the front matter has more than ${LIMITS.frontMatterLength} characters`);
  }
  const fields = readHeader(header, at);
  if (!fields.ok) return fields;
  const lines = source.split('\n');
  const lineOf = (field: string): number => {
    const name = field.slice(field.lastIndexOf('.') + 1);
    const line = lines.findIndex((line) => setsField(line, name));
    return line === -1 ? 1 : line + firstLine;
  };
  return { ok: true, value: { hasHeader: true, fields: fields.value, body: text.slice(length), lineOf } };
}

/** Whether a line begins with the name of a field, in quotes or not, and a colon or an equals sign. */
function setsField(line: string, name: string): boolean {
  const text = line.trimStart().replace(/^["']/, '');
  return text.startsWith(name) && /^["']?\s*[:=]/.test(text.slice(name.length));
}

function readHeader({ language, source, firstLine }: Header, at: string): Read<FieldValues> {
  switch (language) {
    case 'toml':
      return tomlFields(source, at);
    case 'lines':
      return asFields(lineFields(source), at);
    default:
      return yamlFields(source, at, firstLine);
  }
}

/** Fields as Pelican and MultiMarkdown write them: a name, a colon and a text, which indented lines continue. */
function lineFields(source: string): FieldMap {
  const fields: Record<string, string> = Object.create(null);
  let name = '';
  for (const line of source.split(/\r?\n/)) {
    const colon = line.indexOf(':');
    if (/^\s/.test(line) || colon === -1) fields[name] = `${fields[name] ?? ''} ${line.trim()}`.trim();
    else {
      name = line.slice(0, colon).trim();
      fields[name] = line.slice(colon + 1).trim();
    }
  }
  return { ...fields };
}

type FieldValues = Readonly<Record<string, FieldValue>>;

function yamlFields(source: string, at: string, firstLine: number): Read<FieldValues> {
  try {
    // Only texts, lists and maps.
    const document = parseDocument(source, { schema: 'failsafe', logLevel: 'silent' });
    // `asFields` limits what aliases expand to.
    if (document.errors.length === 0) return asFields(document.toJS({ maxAliasCount: -1 }) || {}, at);
    // The parser reports an overflow of the stack once for each list that it leaves.
    if (document.errors.some(({ code }) => code === 'RESOURCE_EXHAUSTION')) throw new RangeError('nested too deeply');
    const problems = document.errors.map(({ message, linePos }) => {
      const [start] = linePos ?? [];
      const where = start ? `${start.line + firstLine - 1}:${start.col}` : '1';
      return { at: `${at}:${where}`, message: `the front matter is not YAML: ${message.split(' at line ')[0]}` };
    });
    return { ok: false, problems };
  } catch (error) {
    // The parser is recursive: lists nested too deeply overflow the stack.
    if (error instanceof RangeError) return failedRead(`${at}:1`, 'the front matter is too deeply nested');
    throw error;
  }
}

function tomlFields(source: string, at: string): Read<FieldValues> {
  try {
    const options = { integersAsBigInt: 'asNeeded', maxDepth: LIMITS.frontMatterDepth } as const;
    return asFields(fromToml(parseToml(source, options)), at);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const why = error.message.split('\n')[0]?.replace(/^Invalid TOML document: /, '');
    return failedRead(`${at}:${error.line + 1}:${error.column}`, `the front matter is not TOML: ${why}`);
  }
}

function fromToml(value: unknown): FieldValue {
  if (typeof value === 'string') return value;
  if (value instanceof TomlDate) return value.toISOString();
  if (Array.isArray(value)) return value.map(fromToml);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, fromToml(child)]));
  }
  return String(value);
}

function asFields(value: FieldValue, at: string): Read<FieldValues> {
  const excess = excessOf(value);
  if (excess !== undefined) return failedRead(`${at}:1`, `the front matter has more than ${excess}`);
  return isMap(value)
    ? { ok: true, value }
    : failedRead(`${at}:2`, 'the front matter is not a list of fields; write "title: …"');
}

/** The limit that a value exceeds. A value is counted each time an alias repeats it; an alias may contain itself. */
function excessOf(value: FieldValue): string | undefined {
  let values = 0;
  const visit = (item: FieldValue, depth: number): string | undefined => {
    values += 1;
    if (values > LIMITS.frontMatterValues) return `${LIMITS.frontMatterValues} values`;
    if (depth > LIMITS.frontMatterDepth) return `${LIMITS.frontMatterDepth} levels`;
    if (typeof item !== 'object' || item === null) return undefined;
    for (const child of Object.values<FieldValue>(item)) {
      const excess = visit(child, depth + 1);
      if (excess !== undefined) return excess;
    }
    return undefined;
  };
  return visit(value, 0);
}

/** `Array.isArray` does not narrow read-only arrays. */
export function isList(value: FieldValue): value is readonly FieldValue[] {
  return Array.isArray(value);
}

export function isMap(value: FieldValue | undefined): value is FieldMap {
  return typeof value === 'object' && value !== null && !isList(value);
}
