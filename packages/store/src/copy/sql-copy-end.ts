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
          await requireEmpty(to);
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

/** @throws DatabaseNotEmpty */
async function requireEmpty(db: Kysely<Tables>): Promise<void> {
  for (const table of [...PLAIN_TABLES, 'posts'] as const) {
    const row = await db
      .selectFrom(table)
      .select(({ lit }) => lit(1).as('one'))
      .limit(1)
      .executeTakeFirst();
    if (row) {
      throw new DatabaseNotEmpty(
        `The database to copy into is not empty: there are rows in ${table}. Give one that is new.`,
      );
    }
  }
}
