import { empty } from 'sql-template-tag';
import type { EventDialect } from '../events/dialect.ts';
import type { SchemaDialect } from '../schema/schema.ts';
import { SEARCH_TRIGGERS, searchTables } from './search.ts';

/** The schema in the dialect of SQLite, for every driver. */
export const SQLITE_SCHEMA: SchemaDialect = {
  engine: 'SQLite',
  text: 'text',
  bigint: 'integer',
  blob: 'blob',
  clustered: ' without rowid',
  search: searchTables(),
  searchTables: ['post_texts', 'post_search', 'post_rows'],
  otherTables: {},
  // No triggers for changes: `pragma data_version` shows writes of other processes.
  triggers: SEARCH_TRIGGERS,
  dropTriggers: ['post_texts_deleted', 'blogs_deleted', 'post_rows_deleted'].map(
    (name) => `drop trigger if exists ${name}`,
  ),
  layout: [
    `select tables.name as table_name, columns.name as column_name, tables.sql like '%without rowid' as is_clustered
      from sqlite_master as tables, pragma_table_info(tables.name) as columns
      where tables.type = 'table' and substr(tables.name, 1, 7) <> 'sqlite_' and substr(tables.name, 1, 4) <> '_cf_'
      order by tables.name, columns.cid`,
  ],
};

/** How SQLite writes events: it has only one write transaction at a time, so there is nothing to lock. */
export const SQLITE_EVENTS: EventDialect = { lock: empty, skipLocked: empty };
