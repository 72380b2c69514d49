import { fromBase64, OperationError, toBase64 } from '@broadsheet/management';
import {
  type CopyTable,
  createSqlTarget,
  type Database,
  PLAIN_TABLES,
  type PostRow,
  primaryKey,
  type Row,
  type Tables,
} from '@broadsheet/store';
import { type Kysely, sql } from 'kysely';

const COPIED = [...PLAIN_TABLES, 'posts'] as const;
const POSTS_IN_ORDER = ['sort_key', 'id'];
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
  /** Rows that do not fit, or a step that comes before the first one, get the reason of the engine. */
  const step = <T>(work: (db: Kysely<Tables>) => Promise<T>): Promise<T> =>
    database.transact(work).catch((error: unknown) => {
      throw new OperationError(`This step of the copy failed: ${error instanceof Error ? error.message : error}`);
    });
  const end = (db: Kysely<Tables>) => each(COPIED, (table) => sql`drop table if exists ${retained(table)}`.execute(db));
  return {
    begin: () =>
      step(async (db) => {
        await end(db);
        await each(COPIED, (table) => {
          const order = (table === 'posts' ? POSTS_IN_ORDER : primaryKey(table)).map((column) => sql.ref(column));
          return sql`create table ${retained(table)} as select * from ${sql.table(table)} order by ${sql.join(order)}`.execute(
            db,
          );
        });
        const { rows } = await sql<{ posts: number }>`select count(*) as posts from ${retained('posts')}`.execute(db);
        return rows[0]?.posts ?? 0;
      }),
    read: (table, from) =>
      step(async (db) => {
        const limit = table === 'posts' ? POSTS : table === 'images' ? IMAGES : ROWS;
        const page = sql<Row & { copy_rowid: number }>`select rowid as copy_rowid, * from ${retained(table)}
          where rowid > ${from} order by rowid limit ${limit}`;
        const { rows } = await page.execute(db);
        const last = rows.length < limit ? undefined : rows.at(-1);
        return { rows: rows.map(({ copy_rowid: _, ...row }) => withText(row)), ...(last && { next: last.copy_rowid }) };
      }),
    end: () => step(end),
    clear: () =>
      step((db) => each([...COPIED, 'post_texts'], (table) => sql`delete from ${sql.table(table)}`.execute(db))),
    write: (table, rows) =>
      step(async (db) => {
        const target = createSqlTarget(db, database);
        // Rows come from another end of a copy, whose tables are the same.
        if (table === 'posts') await target.writePosts(rows as unknown as readonly PostRow[]);
        else await target.write(table, rows.map(withBytes));
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

const retained = (table: CopyTable) => sql.table(`copy_of_${table}`);

async function each<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  for (const item of items) await work(item);
}
