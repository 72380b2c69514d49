import { sql } from 'kysely';
import { PRIMARY_KEYS } from '../copy/copy-ends.ts';
import type { Database } from '../database.ts';
import { EVENT_TABLES } from '../tables.ts';

const ROWS = 5000;

/**
 * Removes the events of a blog in batches, each in a transaction of its own: events of other blogs are written in
 * between. Those that arrive meanwhile may be left.
 */
export async function removeEvents({ reader, transact }: Database, blogId: string): Promise<void> {
  for (const table of EVENT_TABLES) {
    const names = PRIMARY_KEYS[table].filter((name) => name !== 'blog_id');
    const columns = sql.join(names.map((name) => sql.ref(name)));
    // Batches go from key to key: what was removed stays in an index of PostgreSQL for a while, and is passed once.
    let above = sql`true`;
    for (;;) {
      const edge = await sql<Record<string, unknown>>`select ${columns} from ${sql.table(table)}
        where blog_id = ${blogId} and ${above} order by ${columns} limit 1 offset ${sql.lit(ROWS)}`.execute(reader);
      const [last] = edge.rows;
      if (!last) break;
      const key = sql`(${sql.join(names.map((name) => sql.val(last[name])))})`;
      await transact((transaction) =>
        sql`delete from ${sql.table(table)}
          where blog_id = ${blogId} and ${above} and (${columns}) <= ${key}`.execute(transaction),
      );
      above = sql`(${columns}) > ${key}`;
    }
  }
}
