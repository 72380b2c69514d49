import { parse as parseToml, TomlDate, TomlError } from 'smol-toml';
import { type Document, isAlias, isMap, isScalar, isSeq, type Pair, parseDocument } from 'yaml';
import { LIMITS } from '../limits.ts';
import { type Read, refuse } from '../problem.ts';

/** A value of front matter. Numbers and dates stay as they were written: `1.10` is a version, `007` an agent. */
export type FieldValue = string | boolean | null | readonly FieldValue[] | { readonly [key: string]: FieldValue };

/** A Markdown file, cut in two. */
export interface FrontMatter {
  readonly fields: Readonly<Record<string, FieldValue>>;
  /** Everything after the line that closes the front matter, as it was written. */
  readonly body: string;
  /** The line of the file a field stands in; the first line for one that is absent. */
  lineOf(field: string): number;
}

const fences = {
  yaml: /^---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)??---[ \t]*(?:\r?\n|$)/,
  toml: /^\+\+\+[ \t]*\r?\n(?:([\s\S]*?)\r?\n)??\+\+\+[ \t]*(?:\r?\n|$)/,
};

/** Cuts the front matter (YAML between `---`, TOML between `+++`) off a text. `at` is the file's name in problems. */
export function readFrontMatter(text: string, at: string): Read<FrontMatter> {
  const language = text.startsWith('+++') ? 'toml' : 'yaml';
  const mark = language === 'toml' ? '+++' : '---';
  const match = fences[language].exec(text);
  if (!match) {
    return text.startsWith(mark)
      ? refuse(`${at}:1`, `the front matter has no end; close it with a line "${mark}"`)
      : refuse(`${at}:1`, 'has no front matter; begin with "---", a line "title: …" and "---"');
  }
  const source = match[1] ?? '';
  if (source.length > LIMITS.frontMatterLength) {
    return refuse(`${at}:1`, `the front matter has more than ${LIMITS.frontMatterLength} characters`);
  }
  const fields = language === 'toml' ? tomlFields(source, at) : yamlFields(source, at);
  if (!fields.ok) return fields;
  const lineOf = (field: string): number => {
    const line = source.split('\n').findIndex((text) => new RegExp(`^["']?${field}["']?\\s*[:=]`).test(text));
    return line === -1 ? 1 : line + 2;
  };
  return { ok: true, value: { fields: fields.value, body: text.slice(match[0].length), lineOf } };
}

type Fields = Readonly<Record<string, FieldValue>>;

function yamlFields(source: string, at: string): Read<Fields> {
  try {
    const document = parseDocument(source, { prettyErrors: true, logLevel: 'silent' });
    if (document.errors.length === 0) return asFields(new YamlReader(document).read(document.contents) ?? {}, at);
    const problems = document.errors.map(({ message, linePos }) => {
      const [start] = linePos ?? [];
      const where = start ? `${start.line + 1}:${start.col}` : '1';
      return { at: `${at}:${where}`, message: `the front matter is not YAML: ${message.split(' at line ')[0]}` };
    });
    return { ok: false, problems };
  } catch (error) {
    if (error instanceof TooLarge) return refuse(`${at}:1`, `the front matter ${error.message}`);
    // The parser is recursive: lists nested too deeply overflow the stack.
    if (error instanceof RangeError) return refuse(`${at}:1`, 'the front matter is too deeply nested');
    throw error;
  }
}

/** Thrown for a document that is more than front matter may be. */
class TooLarge extends Error {}

function requireLevels(depth: number): void {
  if (depth > LIMITS.frontMatterDepth) throw new TooLarge(`has more than ${LIMITS.frontMatterDepth} levels`);
}

/** Reads the nodes of a document as they were written; an alias stands for its anchor each time. */
class YamlReader {
  readonly #document: Document;
  #values = 0;

  constructor(document: Document) {
    this.#document = document;
  }

  read(node: unknown, depth = 0): FieldValue {
    this.#values += 1;
    if (this.#values > LIMITS.frontMatterValues) throw new TooLarge(`has more than ${LIMITS.frontMatterValues} values`);
    requireLevels(depth);
    if (isAlias(node)) return this.read(node.resolve(this.#document), depth + 1);
    if (isSeq(node)) return node.items.map((item) => this.read(item, depth + 1));
    if (isMap(node)) {
      const entry = ({ key, value }: Pair) => [String(this.read(key, depth + 1)), this.read(value, depth + 1)] as const;
      return Object.fromEntries(node.items.map(entry));
    }
    if (!isScalar(node) || node.value === null || node.value === undefined) return null;
    if (typeof node.value === 'boolean' || typeof node.value === 'string') return node.value;
    return node.source ?? String(node.value);
  }
}

function tomlFields(source: string, at: string): Read<Fields> {
  try {
    return asFields(fromToml(parseToml(source, { integersAsBigInt: 'asNeeded' })), at);
  } catch (error) {
    if (error instanceof TooLarge) return refuse(`${at}:1`, `the front matter ${error.message}`);
    if (!(error instanceof TomlError)) throw error;
    const why = error.message.split('\n')[0]?.replace(/^Invalid TOML document: /, '');
    return refuse(`${at}:${error.line + 1}:${error.column}`, `the front matter is not TOML: ${why}`);
  }
}

function fromToml(value: unknown, depth = 0): FieldValue {
  requireLevels(depth);
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (value instanceof TomlDate) return value.toISOString();
  if (Array.isArray(value)) return value.map((item) => fromToml(item, depth + 1));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, fromToml(child, depth + 1)]));
  }
  return String(value);
}

function asFields(value: FieldValue, at: string): Read<Fields> {
  return typeof value === 'object' && value !== null && !isList(value)
    ? { ok: true, value }
    : refuse(`${at}:2`, 'the front matter is not a list of fields; write "title: …"');
}

/** `Array.isArray` does not narrow read-only arrays. */
export function isList(value: FieldValue): value is readonly FieldValue[] {
  return Array.isArray(value);
}
