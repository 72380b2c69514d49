import type { SeededRandom } from '../data/random.ts';
import { hostileText } from './hostile-text.ts';
import type { Mutation } from './mutations.ts';

/** How to rewrite an answer. */
export interface RewriteOptions {
  readonly mutations: readonly Mutation[];
  readonly random: SeededRandom;
  readonly oneIn: number;
}

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

/** Prose: where a reader sees the text. Ids, slugs, tokens, addresses and echoes keep their value. */
const PROSE = ['title', 'subtitle', 'content', 'name', 'description', 'linkText'];

/** The same value with mutations; still valid by its schema. */
export function rewrite(schema: Schema, value: unknown, options: RewriteOptions, name = ''): unknown {
  const { mutations, random, oneIn } = options;
  const touched = (mutation: Mutation) => mutations.includes(mutation) && random.oneIn(oneIn);
  const def = define(schema);
  switch (def.type) {
    case 'optional':
      if (touched('absent')) return ABSENT;
      if (value === undefined) return touched('filled') && def.innerType ? filled(def.innerType, name) : ABSENT;
      return def.innerType ? rewrite(def.innerType, value, options, name) : value;
    case 'nullable':
      if (touched('null')) return null;
      if (value === null) return touched('filled') && def.innerType ? filled(def.innerType, name) : null;
      return def.innerType ? rewrite(def.innerType, value, options, name) : value;
    case 'array':
      return (value as unknown[]).map((item) => (def.element ? rewrite(def.element, item, options, name) : item));
    case 'object':
      return rewriteObject(def, value as Record<string, unknown>, options);
    case 'union':
      return rewrite(optionFor(def, value as Record<string, unknown>), value, options, name);
    case 'string':
      return PROSE.includes(name) && !def.format ? hostileProse(value as string, options) : value;
    default:
      return value;
  }
}

function rewriteObject(
  def: Definition,
  value: Record<string, unknown>,
  options: RewriteOptions,
): Record<string, unknown> {
  const fields = Object.entries(def.shape ?? {}).map(([key, field]) => [key, rewrite(field, value[key], options, key)]);
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

function hostileProse(text: string, { mutations, random, oneIn }: RewriteOptions): string {
  const textMutations = mutations.filter((mutation) => ['rtl', 'astral', 'html', 'huge', 'empty'].includes(mutation));
  if (textMutations.length === 0 || !random.oneIn(oneIn)) return text;
  return hostileText(random.pick(textMutations), text);
}
