import { OperationError } from '@broadsheet/management';
import {
  COPIED_TABLES,
  type CopyTable,
  createSqlTarget,
  type Database,
  type Db,
  fromBase64,
  names,
  primaryKey,
  type Row,
  toBase64,
} from '@broadsheet/store';

/** The maximum number of rows and posts in one response. */
const ROWS = 1000;
const POSTS = 25;
const IMAGES = 4;

/** The steps of a copy, on the rows of an object: those of a blog, or of the deployment itself. */
export interface DurableCopy {
  /** Takes a snapshot of all rows, and counts the posts. */
  begin(): Promise<number>;
  /** Rows of the snapshot from a position on, and the position of the next rows. */
  read(table: CopyTable, from: number): Promise<{ readonly rows: readonly Row[]; readonly next?: number }>;
  end(): Promise<void>;
  /** Removes every row, so that others can be written. */
  clear(): Promise<void>;
  write(table: CopyTable, rows: readonly Row[]): Promise<void>;
}

/** The part of a copy in one object. Each step is a separate request, so that no request is large. */
export function createDurableCopy(
  database: Pick<Database, 'transact' | 'search' | 'rowsPerInsert' | 'duringBulk'>,
): DurableCopy {
  /** If rows do not fit, or a step comes too early, the error contains the message of the engine. */
  const step = <T>(work: (db: Db) => Promise<T>): Promise<T> =>
    database.transact(work).catch((error: unknown) => {
      throw new OperationError(`This step of the copy failed: ${error instanceof Error ? error.message : error}`);
    });
  const end = (db: Db) => each(COPIED_TABLES, (table) => db`drop table if exists ${retained(table)}`);
  return {
    begin: () =>
      step(async (db) => {
        await end(db);
        await each(COPIED_TABLES, (table) => {
          const order = names(...primaryKey(table));
          return db`create table ${retained(table)} as select * from ${names(table)} order by ${order}`;
        });
        const rows = await db<{ posts: number }>`select count(*) as posts from ${retained('posts')}`;
        return rows[0]?.posts ?? 0;
      }),
    read: (table, from) =>
      step(async (db) => {
        const limit = table === 'posts' ? POSTS : table === 'images' ? IMAGES : ROWS;
        const rows = await db<Row & { copy_rowid: number }>`select rowid as copy_rowid, * from ${retained(table)}
          where rowid > ${from} order by rowid limit ${limit}`;
        const last = rows.length < limit ? undefined : rows.at(-1);
        return { rows: rows.map(({ copy_rowid: _, ...row }) => withText(row)), ...(last && { next: last.copy_rowid }) };
      }),
    end: () => step(end),
    clear: () => step((db) => each([...COPIED_TABLES, 'post_texts'], (table) => db`delete from ${names(table)}`)),
    write: (table, rows) =>
      step(async (db) => {
        const target = createSqlTarget(db, database);
        await target.write(table, rows.map(withBytes));
        await target.finish();
      }),
  };
}

/** A row as JSON can hold it: the bytes of an image as base64. The engine returns them as an `ArrayBuffer`. */
export const withText = (row: Row): Row =>
  row['bytes'] === undefined ? row : { ...row, bytes: toBase64(new Uint8Array(row['bytes'] as ArrayBuffer)) };

/** Reverses {@link withText}. */
export const withBytes = (row: Row): Row =>
  row['bytes'] === undefined ? row : { ...row, bytes: fromBase64(String(row['bytes'])) };

const retained = (table: CopyTable) => names(`copy_of_${table}`);

async function each<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  for (const item of items) await work(item);
}
