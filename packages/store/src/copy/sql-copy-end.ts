import type { Kysely } from 'kysely';
import { openDatabase } from '../open-database.ts';
import { DatabaseNotEmpty } from '../server-store.ts';
import type { Tables } from '../tables.ts';
import { type CopyEnd, PLAIN_TABLES } from './copy-ends.ts';
import { createSqlSource } from './sql-source.ts';
import { createSqlTarget } from './sql-target.ts';

/** A SQLite file or a PostgreSQL database as an end of a copy, by its URL as `openDatabase` takes it. */
export function sqlCopyEnd(url: string): CopyEnd {
  return {
    async read(work) {
      const database = await openDatabase(url, { create: false });
      return database.snapshot((from) => work(createSqlSource(from))).finally(database.close);
    },
    async write(work) {
      const database = await openDatabase(url);
      try {
        const result = await database.transactBulk(async (to) => {
          await clearEmpty(to);
          return work(createSqlTarget(to, database));
        });
        await database.afterBulk();
        return result;
      } finally {
        await database.close();
      }
    },
  };
}

/**
 * Removes what a server that once ran leaves in a database without blogs, such as its secret.
 *
 * @throws DatabaseNotEmpty
 */
async function clearEmpty(db: Kysely<Tables>): Promise<void> {
  const blogs = await db.selectFrom('blogs').select('blog_id').orderBy('blog_id').execute();
  if (blogs.length > 0) {
    throw new DatabaseNotEmpty(
      'The database to copy into',
      blogs.map(({ blog_id }) => blog_id),
    );
  }
  for (const table of [...PLAIN_TABLES, 'posts', 'post_texts'] as const) await db.deleteFrom(table).execute();
}
