import { ENDPOINT_IDS } from '@broadsheet/contract';
import * as schemas from '@broadsheet/contract/schemas';
import { baseOf, define, descriptionOf, documentationOf, fieldsOf, innerOf, nameOf, type Schema } from './schema.ts';

// The interfaces of the SDK, with the descriptions of the contract as TSDoc.

/** The types of the SDK, in the order of the API document. */
const NAMES = [
  'PostStatus',
  'EmbeddedCategory',
  'EmbeddedTag',
  'Post',
  'PostSummary',
  'PostCount',
  'Category',
  'Tag',
  'SearchResultItem',
  'SearchMeta',
  'Pagination',
  'AdFormat',
  'AdSlot',
  'FilledAd',
  'UnfilledAd',
  'AdDeliveryResult',
  'AdDeliverySlotResult',
  'AdTrackingResult',
  'FieldError',
] as const satisfies readonly (keyof typeof schemas)[];

type Name = (typeof NAMES)[number];
const SCHEMAS: { readonly [N in Name]: Schema } = schemas;

/** Types that read better than those generated from their schemas. */
const WRITTEN: { readonly [N in Name]?: string } = {
  // A newer server may send other values.
  PostStatus: `${union(schemas.PostStatus)} | (string & {})`,
  PostSummary: summaryOf(schemas.PostSummary, 'Post'),
  AdDeliverySlotResult: 'AdSlot & AdDeliveryResult',
};

export function resources(): string {
  const types = NAMES.map(declaration);
  return `${types.join('\n\n')}\n\n${payloads()}`;
}

const declaration = (name: Name): string => `/** ${documentationOf(name)} */\n${code(name)}`;

function code(name: Name): string {
  const schema = SCHEMAS[name];
  const written = WRITTEN[name];
  if (written) return `export type ${name} = ${written};`;
  if (define(schema).type !== 'object') return `export type ${name} = ${union(schema)};`;
  const fields = fieldsOf(schema).map(
    ({ name: field, inner, optional }) =>
      `  /** ${descriptionOf(schema, field)} */\n  ${field}${optional ? '?' : ''}: ${typeOf(inner)}${optional ? ' | undefined' : ''};\n`,
  );
  const base = baseOf(schema);
  return `export interface ${name}${base ? ` extends ${nameOf(base)}` : ''} {\n${fields.join('')}}`;
}

function typeOf(schema: Schema): string {
  const name = nameOf(schema);
  if (NAMES.some((one) => one === name)) return name as Name;
  const { type } = define(schema);
  switch (type) {
    case 'string':
    case 'boolean':
      return type;
    case 'number':
      return 'number';
    case 'literal':
    case 'enum':
      return union(schema);
    case 'nullable':
      return `${typeOf(innerOf(schema))} | null`;
    case 'array':
      return `${typeOf(innerOf(schema))}[]`;
    case 'object':
      return `{ ${fieldsOf(schema)
        .map(({ name: field, inner }) => `${field}: ${typeOf(inner)}`)
        .join('; ')} }`;
    default:
      throw new Error(`No TypeScript type for a schema of type ${type}.`);
  }
}

/** The values of an enumeration or a literal, or the options of a union, as a union type. */
function union(schema: Schema): string {
  const { options } = define(schema);
  if (options) return options.map(typeOf).join(' | ');
  return [...(schema._zod.values ?? [])].map((value) => (typeof value === 'string' ? `'${value}'` : value)).join(' | ');
}

/** A type with only some fields of another that are always there. */
function summaryOf(schema: Schema, whole: string): string {
  const required = fieldsOf(schema).filter(({ optional }) => !optional);
  return `Pick<${whole}, ${required.map(({ name }) => `'${name}'`).join(' | ')}> & Partial<${whole}>`;
}

function payloads(): string {
  const rows = ENDPOINT_IDS.map(
    (id) => `  ${id.includes('.') ? `'${id}'` : id}: ${typeOf(schemas.MESSAGES[id].data)};\n`,
  );
  return `/** The payload of a successful response, by endpoint. */\nexport interface Payloads {\n${rows.join('')}}\n`;
}
