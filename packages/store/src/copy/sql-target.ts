import type { Database } from '../database.ts';
import { toSearched } from '../posts/post-writes.ts';
import { chunks, type Db, insert } from '../sql.ts';
import { TABLES, type Tables } from '../tables.ts';
import type { CopyTarget } from './copy.ts';

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
      // The rows of posts are what the tables declare.
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
