import { parse as parseToml, TomlDate, TomlError } from 'smol-toml';
import { parseDocument } from 'yaml';
import { LIMITS } from '../limits.ts';
import { failedRead, type Read } from '../problem.ts';

/** A value of front matter. Numbers and dates stay strings, because `1.10` may be a version and `007` an agent. */
export type FieldValue = string | boolean | null | readonly FieldValue[] | { readonly [key: string]: FieldValue };

/** A Markdown file, split into front matter and body. */
export interface FrontMatter {
  readonly fields: Readonly<Record<string, FieldValue>>;
  /** Everything after the line that closes the front matter, unchanged. */
  readonly body: string;
  /** The line of the file that sets a field; 1 if the field is absent. */
  lineOf(field: string): number;
}

const fences = {
  yaml: /^---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)??---[ \t]*(?:\r?\n|$)/,
  toml: /^\+\+\+[ \t]*\r?\n(?:([\s\S]*?)\r?\n)??\+\+\+[ \t]*(?:\r?\n|$)/,
};

/** Splits front matter (YAML between `---`, TOML between `+++`) from the body. `at` is the file's name in problems. */
export function readFrontMatter(text: string, at: string): Read<FrontMatter> {
  const language = text.startsWith('+++') ? 'toml' : 'yaml';
  const mark = language === 'toml' ? '+++' : '---';
  const match = fences[language].exec(text);
  if (!match) {
    return text.startsWith(mark)
      ? failedRead(`${at}:1`, `the front matter has no end; close it with a line "${mark}"`)
      : failedRead(`${at}:1`, 'has no front matter; begin with "---", a line "title: …" and "---"');
  }
  const source = match[1] ?? '';
  if (source.length > LIMITS.frontMatterLength) {
    return failedRead(`${at}:1`, `the front matter has more than ${LIMITS.frontMatterLength} characters`);
  }
  const fields = language === 'toml' ? tomlFields(source, at) : yamlFields(source, at);
  if (!fields.ok) return fields;
  const lineOf = (field: string): number => {
    const line = source.split('\n').findIndex((text) => new RegExp(`^["']?${field}["']?\\s*[:=]`).test(text));
    return line === -1 ? 1 : line + 2;
  };
  return { ok: true, value: { fields: fields.value, body: text.slice(match[0].length), lineOf } };
}

type FieldValues = Readonly<Record<string, FieldValue>>;

function yamlFields(source: string, at: string): Read<FieldValues> {
  try {
    // Only strings, null and booleans: numbers and dates stay strings.
    const document = parseDocument(source, { schema: 'failsafe', customTags: ['null', 'bool'], logLevel: 'silent' });
    // `asFields` limits what aliases expand to.
    if (document.errors.length === 0) return asFields(document.toJS({ maxAliasCount: -1 }) ?? {}, at);
    // The parser reports an overflow of the stack once for each list that it leaves.
    if (document.errors.some(({ code }) => code === 'RESOURCE_EXHAUSTION')) throw new RangeError('nested too deeply');
    const problems = document.errors.map(({ message, linePos }) => {
      const [start] = linePos ?? [];
      const where = start ? `${start.line + 1}:${start.col}` : '1';
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
  if (typeof value === 'string' || typeof value === 'boolean') return value;
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
  return typeof value === 'object' && value !== null && !isList(value)
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
