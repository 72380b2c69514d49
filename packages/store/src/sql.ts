import { fold } from '@broadsheet/core';
import sql, { bulk, empty, join, raw, Sql } from 'sql-template-tag';
import { keyInBlog, primaryKey, TABLES, type TableName, type Tables } from './tables.ts';

/** Runs a statement and returns its rows: db<{ name: string }>`select name from blogs where blog_id = ${blogId}`. */
export type Db = <Row>(text: readonly string[], ...values: readonly unknown[]) => Promise<Row[]>;

/** @param run runs a statement on a connection */
export const createDb =
  (run: (statement: Sql) => unknown[] | Promise<unknown[]>): Db =>
  async <Row>(text: readonly string[], ...values: readonly unknown[]) =>
    // A row has the columns that the statement selects.
    (await run(new Sql(text, values))) as Row[];

/**
 * Runs the statements of a transaction until one fails, and then no other, as PostgreSQL does: SQLite may have rolled the
 * transaction back.
 */
export function createTransactionDb(run: (statement: Sql) => unknown[] | Promise<unknown[]>): Db {
  let failure: { readonly error: unknown } | undefined;
  return async <Row>(text: readonly string[], ...values: readonly unknown[]) => {
    if (failure) throw failure.error;
    try {
      return (await run(new Sql(text, values))) as Row[];
    } catch (error) {
      failure = { error };
      throw error;
    }
  };
}

/** Names of tables or columns as part of a statement. */
export const names = (...list: readonly string[]): Sql => raw(list.join(', '));

/**
 * Whether a text is part of a folded text. A database folds differently, so the other text is stored folded. Not by
 * `like`, because a Durable Object limits its pattern to 50 bytes.
 */
export const contains = (folded: Sql, part: string): Sql => sql`replace(${folded}, ${fold(part)}, '') <> ${folded}`;

/** Splits items into chunks: databases limit the number of parameters of a statement. */
export function* chunks<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

/** Inserts rows that have the columns of the first one. */
export function insert<Name extends TableName>(
  db: Db,
  table: Name,
  rows: readonly Partial<Tables[Name]>[],
  onConflict: Sql = empty,
): Promise<Partial<Tables[Name]>[]> {
  const columns = Object.keys(rows[0] ?? {}) as (keyof Tables[Name] & string)[];
  const values = bulk(rows.map((row) => columns.map((column) => row[column])));
  return db`insert into ${names(table)} (${names(...columns)}) values ${values} ${onConflict}`;
}

/**
 * The clause of an insert for rows whose keys exist: it sets columns to their values in the new row, by default all
 * columns that are not in the key.
 */
export function updating(table: TableName, columns = otherColumns(table)): Sql {
  return raw(`on conflict (${primaryKey(table)}) do update set ${columns.map((name) => `${name} = excluded.${name}`)}`);
}

function otherColumns(table: TableName): readonly string[] {
  const key = new Set(primaryKey(table));
  return Object.keys(TABLES[table]).filter((name) => !key.has(name));
}

/**
 * Reads a table in the order of its primary key, in batches.
 *
 * @param blogId the only blog whose rows are read
 * @param columns the columns that are read, which include the key
 */
export async function* readInBatches<Row extends object>(
  db: Db,
  table: TableName,
  size: number,
  { blogId, columns = ['*'], where = sql`true` }: { blogId?: string; columns?: readonly string[]; where?: Sql } = {},
): AsyncGenerator<Row[]> {
  const key = blogId === undefined ? primaryKey(table) : keyInBlog(table);
  const ofBlog = blogId === undefined ? sql`true` : sql`blog_id = ${blogId}`;
  for (let after = sql`true`; ; ) {
    const rows = await db<Row>`select ${names(...columns)} from ${names(table)}
      where ${ofBlog} and ${after} and (${where}) order by ${names(...key)} limit ${size}`;
    if (rows.length > 0) yield rows;
    if (rows.length < size) return;
    const last = new Map(Object.entries(rows.at(-1) ?? {}));
    after = sql`(${names(...key)}) > (${join(key.map((name) => last.get(name)))})`;
  }
}
