import type { SeededRandom } from '../data/random.ts';
import { hostileText } from './hostile-text.ts';
import type { Twist } from './twists.ts';

/** What a rewrite goes by. */
export interface Manner {
  readonly twists: readonly Twist[];
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

/** The same value, told in another manner; still valid by its schema. */
export function rewrite(schema: Schema, value: unknown, manner: Manner, name = ''): unknown {
  const { twists, random, oneIn } = manner;
  const touched = (twist: Twist) => twists.includes(twist) && random.oneIn(oneIn);
  const def = define(schema);
  switch (def.type) {
    case 'optional':
      if (touched('absent')) return ABSENT;
      if (value === undefined) return touched('filled') && def.innerType ? filled(def.innerType, name) : ABSENT;
      return def.innerType ? rewrite(def.innerType, value, manner, name) : value;
    case 'nullable':
      if (touched('null')) return null;
      if (value === null) return touched('filled') && def.innerType ? filled(def.innerType, name) : null;
      return def.innerType ? rewrite(def.innerType, value, manner, name) : value;
    case 'array':
      return (value as unknown[]).map((item) => (def.element ? rewrite(def.element, item, manner, name) : item));
    case 'object':
      return rewriteObject(def, value as Record<string, unknown>, manner);
    case 'union':
      return rewrite(optionFor(def, value as Record<string, unknown>), value, manner, name);
    case 'string':
      return PROSE.includes(name) && !def.format ? retell(value as string, manner) : value;
    default:
      return value;
  }
}

function rewriteObject(def: Definition, value: Record<string, unknown>, manner: Manner): Record<string, unknown> {
  const told = Object.entries(def.shape ?? {}).map(([key, field]) => [key, rewrite(field, value[key], manner, key)]);
  return Object.fromEntries(told.filter(([, part]) => part !== ABSENT));
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

function retell(text: string, { twists, random, oneIn }: Manner): string {
  const manners = twists.filter((twist) => ['rtl', 'astral', 'html', 'huge', 'empty'].includes(twist));
  if (manners.length === 0 || !random.oneIn(oneIn)) return text;
  return hostileText(random.pick(manners), text);
}
