import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import * as schemas from '@broadsheet/contract/schemas';
import * as z from 'zod/mini';

export type Schema = z.core.$ZodType;

/** The part of a schema's definition that the generator reads. */
export interface Definition {
  readonly type: string;
  readonly format?: string;
  readonly values?: readonly unknown[];
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly element?: Schema;
  readonly innerType?: Schema;
  readonly options?: readonly Schema[];
  readonly discriminator?: string;
  readonly checks?: readonly z.core.$ZodCheck[];
}

export const define = (schema: Schema): Definition => schema._zod.def as unknown as Definition;

/** The schema inside `optional`, `nullable` and `array`. */
export function innerOf(schema: Schema): Schema {
  const { innerType, element, type } = define(schema);
  const inner = innerType ?? element;
  if (!inner) throw new Error(`The schema of type ${type} has no inner schema.`);
  return inner;
}

/** The fields of an object that its base does not have: their names, their schemas without `optional`, and whether they may be absent. */
export function fieldsOf(
  schema: Schema,
): readonly { readonly name: string; readonly inner: Schema; readonly optional: boolean }[] {
  const base = baseOf(schema);
  const inherited = Object.keys((base && define(base).shape) ?? {});
  const fields = Object.entries(define(schema).shape ?? {}).filter(([name]) => !inherited.includes(name));
  return fields.map(([name, field]) => {
    const optional = define(field).type === 'optional';
    return { name, inner: optional ? innerOf(field) : field, optional };
  });
}

/** The meaning of a field: its description in the contract. */
export function descriptionOf(schema: Schema, name: string): string {
  const description = z.globalRegistry.get(define(schema).shape?.[name] as Schema)?.description;
  if (!description)
    throw new Error(`The field ${name} has no description: use field() in packages/contract/src/schemas.`);
  return description;
}

const exported = new Map(Object.entries(schemas).map(([name, value]) => [value as unknown, name]));

/** The exported name of a schema, even if a field added a description to it. */
export function nameOf(schema: Schema): string | undefined {
  for (let at: Schema | undefined = schema; at; at = at._zod.parent) {
    const name = exported.get(at);
    if (name) return name;
  }
  return undefined;
}

/** The exported schema that an object extends: all its fields are fields of the object. */
export function baseOf(schema: Schema): Schema | undefined {
  const own = new Set(Object.values(define(schema).shape ?? {}));
  return [...exported.keys()].find((other): other is Schema => {
    if (!(other instanceof z.ZodMiniObject) || nameOf(schema) === nameOf(other)) return false;
    const fields = Object.values(other.shape);
    return fields.length < own.size && fields.every((field) => own.has(field));
  });
}

const folder = resolve(import.meta.dirname, '../../contract/src/schemas');
const sources = ['post', 'search', 'pagination', 'ad', 'error-envelope']
  .map((name) => readFileSync(resolve(folder, `${name}.ts`), 'utf8'))
  .join('\n');

/** The TSDoc of an exported schema. */
export function documentationOf(name: string): string {
  const [, text] = new RegExp(`/\\*\\* ((?:(?!\\*/)[^])*) \\*/\\nexport const ${name} =`).exec(sources) ?? [];
  if (!text) throw new Error(`The schema ${name} has no TSDoc in ${folder}.`);
  return text;
}

/** A kind of value, and the call that checks it. */
export interface Leaf {
  readonly kind: string;
  readonly check: (value: string) => string;
}

const called = (kind: string, name: string): Leaf => ({ kind, check: (value) => `${name}(${value})` });

// Written out, since most fields are strings.
const string: Leaf = { kind: 'string', check: (value) => `typeof ${value} === 'string'` };

/** The kind of a value that has no parts, or `undefined` for an object, an array or a union. */
export function leafOf(schema: Schema): Leaf | undefined {
  const { type, format, values } = define(schema);
  switch (type) {
    case 'string':
      if (format === 'datetime') return called('timestamp', 'isTimestamp');
      return format === 'guid' ? called('UUID', 'isUuid') : string;
    case 'enum': // a newer server may send other values
      return string;
    case 'boolean':
      return called('boolean', 'isBoolean');
    case 'number':
      return startsAtOne(schema) ? called('positive integer', 'isPositive') : called('non-negative integer', 'isCount');
    case 'literal': {
      const [value] = values ?? [];
      const literal = typeof value === 'string' ? `'${value}'` : String(value);
      return { kind: String(value), check: (name) => `${name} === ${literal}` };
    }
    case 'nullable': {
      const inner = leafOf(innerOf(schema));
      return (
        inner && { kind: `${inner.kind} or null`, check: (value) => `(${value} === null || ${inner.check(value)})` }
      );
    }
    default:
      return undefined;
  }
}

function startsAtOne(schema: Schema): boolean {
  const checks = (define(schema).checks ?? []).map(({ _zod }) => _zod.def as Partial<z.core.$ZodCheckGreaterThanDef>);
  return checks.some(({ check, value }) => check === 'greater_than' && value === 1);
}

/** Puts as many parts on a line as fit. */
export function fill(parts: readonly string[], separator: string, indent: string): string {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    if (last !== undefined && indent.length + last.length + part.length + separator.length < 120) {
      lines[lines.length - 1] = `${last}${separator}${part}`;
    } else lines.push(part);
  }
  return lines.join(`${separator.trimEnd()}\n${indent}`);
}
