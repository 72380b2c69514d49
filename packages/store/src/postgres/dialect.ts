import sql, { join, raw } from 'sql-template-tag';
import type { EventDialect } from '../events/dialect.ts';
import type { SchemaDialect } from '../schema/schema.ts';
import { names } from '../sql.ts';
import { EVENT_TABLES } from '../tables.ts';
import { CHANGES_SCHEMA } from './changes.ts';
import { OUTCOME_SCHEMA } from './outcome.ts';
import { SEARCH_SCHEMA } from './search.ts';

/** The schema in the dialect of PostgreSQL. */
export const POSTGRES_SCHEMA: SchemaDialect = {
  engine: 'PostgreSQL',
  text: 'text collate "C"',
  bigint: 'bigint',
  blob: 'bytea',
  clustered: '',
  search: SEARCH_SCHEMA,
  searchTables: ['post_texts'],
  otherTables: { last_commits: OUTCOME_SCHEMA },
  triggers: CHANGES_SCHEMA,
  dropTriggers: ['drop function if exists broadsheet_notify() cascade'],
  layout: [
    `select relname::text as table_name, attname::text as column_name, 0 as is_clustered
      from pg_class join pg_attribute on attrelid = pg_class.oid
      where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace and attnum > 0 and not attisdropped
      order by relname, attnum`,
  ],
  renameKey: (from, to) => `alter index ${from}_pkey rename to ${to}_pkey`,
};

/**
 * Milliseconds to wait for a lock on the tables of events, for example during a VACUUM: later events of all blogs wait
 * behind it, and fail after 50.
 */
const TABLE_LOCK_TIMEOUT = 20;

/** How PostgreSQL writes events: the values of each column are one array. */
export const POSTGRES_EVENTS: EventDialect = {
  lock: sql`for update`,
  skipLocked: sql`for update skip locked`,
  lockEvents: [
    sql`set local lock_timeout = ${raw(String(TABLE_LOCK_TIMEOUT))}`,
    sql`lock table ${names(...EVENT_TABLES)} in share row exclusive mode`,
  ],
  unnest(columns, rows) {
    const arrays = columns.map(([name, { type }]) => sql`${rows.map((row) => row[name])}::${raw(type)}[]`);
    const selected = columns.map(([name, { type }]) => (type === 'text' ? `${name} collate "C"` : name));
    const given = names(...columns.map(([name]) => name));
    return sql`select ${names(...selected)} from unnest(${join(arrays)}) as given (${given})`;
  },
};
