import type { SchemaDialect } from '../migrations.ts';
import { SEARCH_SCHEMA } from './search.ts';

/** The schema as SQLite spells it, whatever driver is before it. */
export const SQLITE_SCHEMA: SchemaDialect = {
  text: 'text',
  bigint: 'integer',
  search: SEARCH_SCHEMA,
  // SQLite notices by itself that another process has written.
  changes: [],
};
