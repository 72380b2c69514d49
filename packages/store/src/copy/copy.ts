import type { Database } from '../database.ts';
import { toSearched } from '../posts/post-writes.ts';
import { chunks, type Db, insert } from '../sql.ts';
import { TABLES, type TableName, type Tables } from '../tables.ts';

/** Uploads and leases are not copied, and posts are indexed for search again. */
const NOT_COPIED = ['post_texts', 'uploads', 'leases'] as const;

/** A table whose rows are copied. */
export type CopyTable = Exclude<TableName, (typeof NOT_COPIED)[number]>;

export const COPIED_TABLES = (Object.keys(TABLES) as TableName[]).filter(
  (table): table is CopyTable => !(NOT_COPIED as readonly string[]).includes(table),
);

/** The maximum number of blogs that an error names. */
const NAMED = 10;

/** Thrown when the target database of a copy contains blogs. */
export class DatabaseNotEmpty extends Error {
  override readonly name = 'DatabaseNotEmpty';

  /** @param what the database, as the subject of a sentence */
  constructor(what: string, blogs: readonly string[]) {
    const more = blogs.length > NAMED ? ` and ${blogs.length - NAMED} more` : '';
    const named = `${blogs.length === 1 ? 'the blog' : 'the blogs'} ${blogs.slice(0, NAMED).join(', ')}${more}`;
    super(`${what} is not empty: it has ${named}. Choose one without blogs.`);
  }
}

/** A row that one end of a copy passes to the other. */
export type Row = Readonly<Record<string, unknown>>;

/** The source of a copy, in its state at one moment. */
export interface CopySource {
  countPosts(): Promise<number>;
  /** The rows of a table in the order of its primary key, in batches. */
  rows(table: CopyTable): AsyncIterable<readonly Row[]>;
}

/** A database that a copy reads from or writes to. */
export interface CopyEnd {
  /** Opens a consistent snapshot of the database for reading, and closes it when the work is done. */
  read<T>(work: (source: CopySource) => Promise<T>): Promise<T>;
  /** Opens the empty database for writing, and rolls back if the work rejects. @throws DatabaseNotEmpty */
  write<T>(work: (target: CopyTarget) => Promise<T>): Promise<T>;
}

/** The target of a copy: nothing is visible before `finish`. */
export interface CopyTarget {
  write(table: CopyTable, rows: readonly Row[]): Promise<void>;
  finish(): Promise<void>;
}

/** Rows copied, by table. */
export type Copied = Readonly<Record<CopyTable, number>>;

/** Receives the number of posts written so far and in total. */
export type CopyProgress = (written: number, total: number) => void;

/**
 * Copies everything in a database to an empty one: content, keys, counts, used tokens, people and the secret of click
 * tokens. The copy is a consistent snapshot, even while the source is in use, and it is atomic: the target gets
 * everything or nothing.
 *
 * @throws DatabaseNotEmpty
 * @throws NotOurs when the source has no tables of Broadsheet
 */
export function copyDatabase(from: CopyEnd, to: CopyEnd, onProgress?: CopyProgress): Promise<Copied> {
  return from.read((source) => to.write((target) => copyAll(source, target, onProgress)));
}

async function copyAll(source: CopySource, target: CopyTarget, onProgress?: CopyProgress): Promise<Copied> {
  const copied: Record<string, number> = {};
  const posts = await source.countPosts();
  for (const table of COPIED_TABLES) {
    copied[table] = 0;
    for await (const rows of source.rows(table)) {
      await target.write(table, rows);
      // An image may have several rows.
      copied[table] += table === 'images' ? rows.filter(({ part }) => part === 0).length : rows.length;
      if (table === 'posts') onProgress?.(copied[table], posts);
    }
  }
  await target.finish();
  return copied as Copied;
}

/** Writes a copy to an empty database in a transaction, and indexes its posts for search. */
export function createSqlTarget(
  db: Db,
  { search, rowsPerInsert, duringBulk }: Pick<Database, 'search' | 'rowsPerInsert' | 'duringBulk'>,
): CopyTarget {
  let posts = 0;

  return {
    async write(table, rows) {
      // An older source may have columns that are no longer used.
      const columns = Object.keys(rows[0] ?? {}).filter((column) => column in TABLES[table]);
      // The source may still be in use, so its pending messages must not be sent a second time by the copy.
      const changed = table === 'webhook_messages' ? { next_at: null } : {};
      const written = rows.map((row) => ({
        ...Object.fromEntries(columns.map((column) => [column, row[column]])),
        ...changed,
      }));
      if (table !== 'posts') return void (await insert(db, table, written));
      // The rows of posts have the columns that the tables declare.
      for (const some of chunks(written as unknown as Tables['posts'][], rowsPerInsert)) {
        await insert(db, table, some);
        for (const [blogId, own] of Map.groupBy(some, ({ blog_id }) => blog_id)) {
          await search.write(db, blogId, own.map(toSearched));
        }
      }
      posts += rows.length;
    },
    async finish() {
      if (posts > 0) await duringBulk?.(db);
    },
  };
}
