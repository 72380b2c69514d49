import { bulk, raw, type Sql } from 'sql-template-tag';
import { chunks } from '../chunks.ts';
import { type Db, names } from '../sql.ts';
import { type Column, keyInBlog, primaryKey, TABLES, type TableName, type Tables } from '../tables.ts';
import type { Placements } from './placements.ts';

/** The differences between the databases when events are written. */
export interface EventDialect {
  /** The clause at the end of a query that locks its rows until the transaction ends. */
  readonly lock: Sql;
  /** The clause at the end of a query that skips rows locked by another transaction. */
  readonly skipLocked: string;
  /** Blocks all other recording until the transaction ends; a database with one writer at a time needs none. */
  readonly lockEvents?: Sql;
  /** The number of rows in one statement. */
  readonly rows: number;
  /** The clause that orders text by its bytes, regardless of the collation of the database. */
  readonly byBytes: string;
  /** A query that returns these rows, whose values are its parameters. */
  valuesOf(
    columns: readonly (readonly [name: string, column: Column])[],
    rows: readonly Readonly<Record<string, unknown>>[],
  ): Sql;
}

/** A transaction in which events are written. */
export interface EventWriter {
  readonly db: Db;
  readonly dialect: EventDialect;
  /** The placements of the events, which have already been admitted. */
  readonly placements: Pick<Placements, 'nameOf'>;
}

/** A table of events whose rows are written together. */
export type EventTable = Extract<
  TableName,
  'counts' | 'campaign_counts' | 'hour_counts' | 'deliveries' | 'used_tokens' | 'viewed_tokens' | 'counted_clicks'
>;

/**
 * The number of rows in a statement with one parameter for each value, because databases limit the number of
 * parameters.
 */
export const ROWS = 1000;

/**
 * Inserts rows of existing blogs, no two with the same key, and returns what the clause returns. Every process locks the
 * rows in the order of their keys, to avoid deadlocks. All statements are sent before this returns its promise, so
 * statements of a later call run after them.
 */
export async function insertRows<Table extends EventTable>(
  { db, dialect }: Pick<EventWriter, 'db' | 'dialect'>,
  table: Table,
  rows: readonly Tables[Table][],
  onConflict: Sql,
): Promise<readonly Partial<Tables[Table]>[]> {
  const definition: Readonly<Record<string, Column>> = TABLES[table];
  const columns = names(...Object.keys(definition));
  const order = primaryKey(table).map((name) => (definition[name]?.type === 'text' ? name + dialect.byBytes : name));
  const insertion = (some: readonly Tables[Table][]) => db<Partial<Tables[Table]>>`
    with fresh (${columns}) as (${dialect.valuesOf(Object.entries(definition), some)})
    insert into ${names(table)} (${columns}) select * from fresh where blog_id in (select blog_id from blogs)
    order by ${names(...order)} ${onConflict}`;
  return (await Promise.all(Array.from(chunks(rows, dialect.rows), insertion))).flat();
}

/** The clause of an insert for rows whose keys exist: it adds the counters of the new row to theirs. */
export function adding(table: 'counts' | 'campaign_counts'): Sql {
  const counters = Object.entries<Column>(TABLES[table]).filter(([, column]) => column.default === 0);
  const sums = counters.map(([name]) => `${name} = ${table}.${name} + excluded.${name}`);
  return raw(`on conflict (${primaryKey(table)}) do update set ${sums}`);
}

/** Sets a column of rows, by their blogs and the other column of their keys. */
export async function setColumn<Table extends 'campaigns' | 'deliveries'>(
  db: Db,
  table: Table,
  column: keyof Tables[Table] & string,
  rows: readonly (readonly [blogId: string, key: string, value: string | null])[],
): Promise<void> {
  for (const some of chunks(rows, ROWS)) {
    await db`update ${names(table)} set ${names(column)} = fresh.column3 from (values ${bulk(some)}) as fresh
      where blog_id = fresh.column1 and ${names(...keyInBlog(table))} = fresh.column2`;
  }
}
