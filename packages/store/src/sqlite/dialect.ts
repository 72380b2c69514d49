import { empty } from 'sql-template-tag';
import type { EventDialect } from '../events/dialect.ts';
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

/** How SQLite writes events: it has only one write transaction at a time, so there is nothing to lock. */
export const SQLITE_EVENTS: EventDialect = { lock: empty, skipLocked: empty };
