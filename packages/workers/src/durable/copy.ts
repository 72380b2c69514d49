import { fromBase64, toBase64 } from '@broadsheet/management';
import {
  type CopyTable,
  createSqlTarget,
  type Database,
  PLAIN_TABLES,
  type PlainTable,
  type PostRow,
  primaryKey,
  type Row,
  type Tables,
} from '@broadsheet/store';
import { type Kysely, sql } from 'kysely';

/** The part of a copy in one object. Each step is a separate request, so that no request is large. */
export interface DurableCopy {
  /** Retains a snapshot of all rows, and counts the posts. */
  begin(): Promise<number>;
  /** Retained rows after a position, and the position of the next. */
  read(table: CopyTable, from: number): Promise<{ readonly rows: readonly Row[]; readonly next?: number }>;
  /** Drops the retained rows. */
  end(): Promise<void>;
  /** Deletes every row. */
  clear(): Promise<void>;
  write(table: CopyTable, rows: readonly Row[]): Promise<void>;
}

const TABLES = [...PLAIN_TABLES, 'posts'] as const;
const POSTS_IN_ORDER = ['sort_key', 'id'];
/** The maximum number of rows and posts in one response. */
const ROWS = 1000;
const POSTS = 25;
const IMAGES = 4;

export function createDurableCopy(
  database: Pick<Database, 'transact' | 'search' | 'rowsPerInsert' | 'duringBulk'>,
): DurableCopy {
  const { transact } = database;
  const end = (db: Kysely<Tables>) => each(TABLES, (table) => sql`drop table if exists ${retained(table)}`.execute(db));
  return {
    begin: () =>
      transact(async (db) => {
        await end(db);
        await each(TABLES, (table) => {
          const order = (table === 'posts' ? POSTS_IN_ORDER : primaryKey(table)).map((column) => sql.ref(column));
          return sql`create table ${retained(table)} as select * from ${sql.table(table)} order by ${sql.join(order)}`.execute(
            db,
          );
        });
        const { rows } = await sql<{ posts: number }>`select count(*) as posts from ${retained('posts')}`.execute(db);
        return rows[0]?.posts ?? 0;
      }),
    read: (table, from) =>
      transact(async (db) => {
        const limit = table === 'posts' ? POSTS : table === 'images' ? IMAGES : ROWS;
        const page = sql<Row & { copy_rowid: number }>`select rowid as copy_rowid, * from ${retained(known(table))}
          where rowid > ${from} order by rowid limit ${limit}`;
        const { rows } = await page.execute(db);
        const last = rows.length < limit ? undefined : rows.at(-1);
        return { rows: rows.map(({ copy_rowid: _, ...row }) => withText(row)), ...(last && { next: last.copy_rowid }) };
      }),
    end: () => transact(async (db) => void (await end(db))),
    clear: () =>
      transact(async (db) => {
        await each([...TABLES, 'post_texts'], (table) => sql`delete from ${sql.table(table)}`.execute(db));
      }),
    write: (table, rows) =>
      transact(async (db) => {
        const target = createSqlTarget(db, database);
        // Rows come from another end of a copy, whose tables are the same.
        if (table === 'posts') await target.writePosts(rows as unknown as readonly PostRow[]);
        else await target.write(known(table) as PlainTable, rows.map(withBytes));
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

function known(table: CopyTable): CopyTable {
  if (TABLES.includes(table)) return table;
  throw new Error(`There is no table ${table} in a copy.`);
}

async function each<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  for (const item of items) await work(item);
}
