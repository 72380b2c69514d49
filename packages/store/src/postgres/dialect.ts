import sql, { join, raw } from 'sql-template-tag';
import type { EventDialect } from '../events/dialect.ts';
import type { SchemaDialect } from '../migrations.ts';
import { names } from '../sql.ts';
import { EVENT_TABLES } from '../tables.ts';
import { CHANGES_SCHEMA } from './changes.ts';
import { SEARCH_SCHEMA } from './search.ts';

/** The schema in the dialect of PostgreSQL. */
export const POSTGRES_SCHEMA: SchemaDialect = {
  text: 'text collate "C"',
  bigint: 'bigint',
  blob: 'bytea',
  clustered: '',
  statements: [...SEARCH_SCHEMA, ...CHANGES_SCHEMA],
};

/** How PostgreSQL writes events: the values of each column are one array. */
export const POSTGRES_EVENTS: EventDialect = {
  lock: sql`for update`,
  skipLocked: 'for update skip locked',
  lockEvents: sql`lock table ${names(...EVENT_TABLES)} in share row exclusive mode`,
  rows: Number.POSITIVE_INFINITY,
  byBytes: ' collate "C"',
  valuesOf(columns, rows) {
    const arrays = columns.map(([name, { type }]) => sql`${rows.map((row) => row[name])}::${raw(type)}[]`);
    return sql`select * from unnest(${join(arrays)})`;
  },
};
