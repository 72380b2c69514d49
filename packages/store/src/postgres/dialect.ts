import sql, { join, raw } from 'sql-template-tag';
import type { EventDialect } from '../events/dialect.ts';
import type { SchemaDialect } from '../migrations.ts';
import { names } from '../sql.ts';
import { EVENT_TABLES } from '../tables.ts';
import { CHANGES_SCHEMA } from './changes.ts';
import { OUTCOME_SCHEMA } from './outcome.ts';
import { SEARCH_SCHEMA } from './search.ts';

/** The schema in the dialect of PostgreSQL. */
export const POSTGRES_SCHEMA: SchemaDialect = {
  text: 'text collate "C"',
  bigint: 'bigint',
  blob: 'bytea',
  clustered: '',
  statements: [...SEARCH_SCHEMA, ...CHANGES_SCHEMA, ...OUTCOME_SCHEMA],
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
