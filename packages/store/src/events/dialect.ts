import sql, { bulk, raw, type Sql } from 'sql-template-tag';
import { chunks, type Db, names } from '../sql.ts';
import { type Column, type EVENT_TABLES, keyInBlog, primaryKey, TABLES, type Tables } from '../tables.ts';

/** The differences between the databases when events are written. */
export interface EventDialect {
  /** The clause at the end of a query that locks its rows until the transaction ends. */
  readonly lock: Sql;
  /** The clause at the end of a query that skips rows locked by another transaction. */
  readonly skipLocked: Sql;
  /**
   * Blocks all other recording until the transaction ends, or soon throws a `LockTimeout`; a database with one writer at
   * a time needs no statements.
   */
  readonly lockEvents?: readonly Sql[];
  /**
   * A query that returns rows with one parameter for each column, and orders text by its bytes, regardless of the
   * collation of the database. By default, rows have one parameter for each value.
   */
  unnest?(columns: readonly (readonly [name: string, column: Column])[], rows: readonly EventRow[]): Sql;
}

type EventRow = Readonly<Record<string, unknown>>;

/** A transaction in which events are written. */
export interface EventTransaction {
  readonly db: Db;
  readonly dialect: EventDialect;
}

/** The day of the row of a campaign that has the sums of all days. */
export const TOTAL = '';

/**
 * The number of rows in a statement with one parameter for each value, because databases limit the number of
 * parameters.
 */
export const ROWS = 1000;

/**
 * Returns a function that inserts rows of existing blogs, no two with the same key, and returns what the clause returns.
 * Every process locks the rows in the order of their keys, to avoid deadlocks. On PostgreSQL, the statement is sent before
 * the function returns its promise, so those of several calls are sent together and run in the order of the calls.
 */
export function insertInto<Table extends (typeof EVENT_TABLES)[number]>(table: Table, onConflict: Sql) {
  const definition = Object.entries<Column>(TABLES[table]);
  const columns = names(...Object.keys(TABLES[table]));
  const into = names(table);
  const order = names(...primaryKey(table));
  return async (
    { db, dialect }: EventTransaction,
    rows: readonly Tables[Table][],
  ): Promise<Partial<Tables[Table]>[]> => {
    if (rows.length === 0) return [];
    const all: readonly EventRow[] = rows;
    const returned: Partial<Tables[Table]>[] = [];
    for (const some of dialect.unnest ? [all] : chunks(all, ROWS)) {
      const fresh = dialect.unnest
        ? dialect.unnest(definition, some)
        : sql`values ${bulk(some.map((row) => definition.map(([name]) => row[name])))}`;
      const inserted = await db<Partial<Tables[Table]>>`with fresh (${columns}) as (${fresh})
        insert into ${into} (${columns}) select * from fresh where blog_id in (select blog_id from blogs)
        order by ${order} ${onConflict}`;
      returned.push(...inserted);
    }
    return returned;
  };
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
