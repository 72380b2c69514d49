import type { Database, Report } from '../database.ts';
import { requireReadable } from '../migrations.ts';
import { openDatabase } from '../open-database.ts';
import { readOlderRows } from '../schema/older-rows.ts';
import { type Layout, readLayout } from '../schema/schema.ts';
import { cleanUp } from '../session.ts';
import { type Db, names, readInBatches } from '../sql.ts';
import { TABLES } from '../tables.ts';
import {
  type CopyEnd,
  type CopySource,
  type CopyTable,
  type CopyTarget,
  createSqlTarget,
  DatabaseNotEmpty,
} from './copy.ts';

/** The number of rows in a batch; the rows of some tables are large. */
const ROWS = 500;
const FEW_ROWS: Partial<Record<CopyTable, number>> = { posts: 100, images: 20 };

/**
 * A SQLite file or a PostgreSQL database as an end of a copy, by its URL as `openDatabase` takes it. A file that does
 * not exist yet appears when the copy is complete.
 */
export function sqlCopyEnd(url: string, report: Report = () => {}): CopyEnd {
  return {
    async read(work) {
      const database = await openDatabase(url, { create: false, migrate: false });
      const { schema } = database;
      const read = async (from: Db) =>
        work(
          (await requireReadable(from, schema))
            ? createSource(from)
            : createSource(from, await readLayout(from, schema)),
        );
      return database.snapshot(read).finally(database.close);
    },
    async write(work) {
      const writeTo = async (target: string) => writeCopy(await openDatabase(target), work, report);
      if (!url.startsWith('sqlite:')) return writeTo(url);
      const { writeFile } = await import('../sqlite/files.ts');
      return writeFile(url.slice('sqlite:'.length), (path) => writeTo(`sqlite:${path}`));
    },
  };
}

/** Writes a copy to a database, completely or not at all, and closes the database. */
export async function writeCopy<T>(
  database: Database,
  work: (target: CopyTarget) => Promise<T>,
  report: Report,
): Promise<T> {
  try {
    const write = async (to: Db) => {
      await clearEmpty(to);
      return work(createSqlTarget(to, database));
    };
    const result = await database.transact(write, { for: 'long' });
    await cleanUp(database, report);
    return result;
  } finally {
    await database.close();
  }
}

/**
 * Removes what an earlier server left in a database without blogs, such as its secret.
 *
 * @throws DatabaseNotEmpty
 */
async function clearEmpty(db: Db): Promise<void> {
  const blogs = await db<{ blog_id: string }>`select blog_id from blogs order by blog_id`;
  const ids = blogs.map(({ blog_id }) => blog_id);
  if (ids.length > 0) throw new DatabaseNotEmpty('The database to copy into', ids);
  for (const table of Object.keys(TABLES)) await db`delete from ${names(table)}`;
}

/** Reads a copy from a snapshot of a database; an older one has another layout. */
function createSource(db: Db, layout?: Layout): CopySource {
  return {
    async countPosts() {
      const rows = await db<{ total: number }>`select count(*) as total from posts`;
      return rows[0]?.total ?? 0;
    },
    rows(table) {
      const size = FEW_ROWS[table] ?? ROWS;
      return layout ? readOlderRows(db, table, { layout, size }) : readInBatches(db, table, size);
    },
  };
}
