import type { SchemaDialect } from '../migrations.ts';
import { searchSchema } from './search.ts';

/** The schema as SQLite spells it, whatever driver is before it. */
export const SQLITE_SCHEMA: SchemaDialect = {
  text: 'text',
  bigint: 'integer',
  // SQLite detects that another process has written.
  statements: searchSchema(),
};
