import type { SchemaDialect } from '../migrations.ts';
import { SEARCH_SCHEMA } from './search-index.ts';

/** The schema as SQLite spells it, whatever driver is before it. */
export const SQLITE_SCHEMA: Omit<SchemaDialect, 'search'> = {
  text: 'text',
  bigint: 'integer',
  jsonOf: (fields) => `json_object(${Object.entries(fields).map(([name, value]) => `'${name}', ${value}`)})`,
  jsonIn: (text) => `json(${text})`,
  extra: { 1: SEARCH_SCHEMA.first, 3: SEARCH_SCHEMA.words },
};
