import type { SchemaDialect } from '../migrations.ts';
import { searchSchema } from './search.ts';

/** The schema in the dialect of SQLite, for every driver. */
export const SQLITE_SCHEMA: SchemaDialect = {
  text: 'text',
  bigint: 'integer',
  blob: 'blob',
  clustered: ' without rowid',
  // No triggers for changes: `pragma data_version` shows writes of other processes.
  statements: searchSchema(),
};
