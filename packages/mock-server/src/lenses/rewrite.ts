import type { Mutation } from './lens.ts';

/** Picks one of the mutations that a field of a response may have, or none. */
export type PickMutation = (path: string, mutations: readonly Mutation[]) => Mutation | undefined;

/** The parts of a zod schema's definition that matter here. */
interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly element?: Schema;
  readonly innerType?: Schema;
  readonly options?: readonly Schema[];
  readonly discriminator?: string;
  readonly values?: readonly unknown[];
  readonly format?: string;
}
interface Schema {
  readonly _zod: { readonly def: unknown };
}

const define = (schema: Schema): Definition => schema._zod.def as Definition;
const ABSENT = Symbol('absent');

/** Fields with text for readers. Ids, slugs, tokens, URLs and echoed values stay unchanged. */
const PROSE = ['title', 'subtitle', 'content', 'name', 'description', 'linkText'];

const TEXTS: readonly Mutation[] = ['rtl', 'astral', 'emoji', 'html', 'huge', 'empty'];

/** Applies mutations to a value, which stays valid according to its schema; `path` is such as `3.tags.0.name`. */
export function rewrite(schema: Schema, value: unknown, pick: PickMutation, path = ''): unknown {
  const name = path.slice(path.lastIndexOf('.') + 1);
  const def = define(schema);
  const inner = () => (def.innerType ? rewrite(def.innerType, value, pick, path) : value);
  const fill = (empty: unknown) => (def.innerType && pick(path, ['filled']) ? filled(def.innerType, name) : empty);
  switch (def.type) {
    case 'optional':
      if (value === undefined) return fill(ABSENT);
      return pick(path, ['absent']) ? ABSENT : inner();
    case 'nullable':
      if (value === null) return fill(null);
      return pick(path, ['null']) ? null : inner();
    case 'array':
      return (value as unknown[]).map((item, index) =>
        def.element ? rewrite(def.element, item, pick, below(path, String(index))) : item,
      );
    case 'object':
      return rewriteObject(def, value as Record<string, unknown>, pick, path);
    case 'union':
      return rewrite(optionFor(def, value as Record<string, unknown>), value, pick, path);
    case 'string': {
      const hostile = PROSE.includes(name) && !def.format ? pick(path, TEXTS) : undefined;
      return hostile ? hostileText(hostile, value as string, name) : value;
    }
    default:
      return value;
  }
}

/** Whether a response may have a field; in a path, each index of a list may be any number or `*`. */
export function hasField(schema: Schema, path: string): boolean {
  const { shape = {}, element, innerType, options } = define(schema);
  if (innerType) return hasField(innerType, path);
  if (options) return options.some((option) => hasField(option, path));
  const [, name = '', rest] = /^([^.]*)(?:\.(.+))?$/.exec(path) ?? [];
  const field = element ? /^(\d+|\*)$/.test(name) && element : Object.hasOwn(shape, name) && shape[name];
  return rest === undefined || !field ? Boolean(field) : hasField(field, rest);
}

const below = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

function rewriteObject(
  def: Definition,
  value: Record<string, unknown>,
  pick: PickMutation,
  path: string,
): Record<string, unknown> {
  const fields = Object.entries(def.shape ?? {}).map(([name, field]) => {
    return [name, rewrite(field, value[name], pick, below(path, name))] as const;
  });
  return Object.fromEntries(fields.filter(([, part]) => part !== ABSENT));
}

function optionFor({ options = [], discriminator = '' }: Definition, value: Record<string, unknown>): Schema {
  const option = options.find((schema) => {
    const field = define(schema).shape?.[discriminator];
    return field && define(field).values?.includes(value[discriminator]);
  });
  if (!option) throw new Error(`lens: no option of the union has ${discriminator} ${JSON.stringify(value)}`);
  return option;
}

const FILLER = 'Nothing is left out here.';

function filled(schema: Schema, name: string): unknown {
  const def = define(schema);
  if (def.type === 'nullable' && def.innerType) return filled(def.innerType, name);
  if (def.type === 'array') return [];
  if (def.format === 'datetime') return '2026-01-01T12:00:00.000Z';
  return name.endsWith('Url') ? `https://example.com/${name}` : FILLER;
}

/** The number of characters with two code units each; a page that cuts text shows fewer. */
const PAIRS = 300;

/** The length of the longest article, and of the longest text in one line. */
const [LONGEST_ARTICLE, LONGEST_LINE] = [100 * 1024, 5000];

/** Text that clients of an API receive sooner or later, but rarely test with. */
function hostileText(mutation: Mutation, text: string, name: string): string {
  switch (mutation) {
    case 'rtl':
      return `\u202Eשלום עולם\u202C ${text} مرحبا`;
    // Each letter has two code units: text that is cut after an odd number of them ends with a lone surrogate.
    case 'astral':
      return `${'𝒯𝓍𝓉'.repeat(PAIRS / 3)} ${text}`;
    // Here, text that is cut after an even number of them does.
    case 'emoji':
      return `:${'😀'.repeat(PAIRS)} 👩‍👩‍👧‍👦 🏴󠁧󠁢󠁳󠁣󠁴󠁿 Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞ ${text}`;
    case 'html':
      return `<img src=x onerror="globalThis.broken=true"><script>globalThis.broken=true</script>"'&amp; ${text} {{7*7}} $& *([{ C:\\n`;
    case 'huge':
      return `${'Donaudampfschifffahrt'.repeat(Math.ceil((name === 'content' ? LONGEST_ARTICLE : LONGEST_LINE) / 21))} ${text}`;
    case 'empty':
      return '';
    default:
      return text;
  }
}
