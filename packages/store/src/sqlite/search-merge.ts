import { type Kysely, sql } from 'kysely';
import type { Transact } from '../database.ts';
import type { Tables } from '../tables.ts';

/** Pages that one step of a merge writes: so long do other writers wait. */
const MERGE_PAGES = 200;

/**
 * Merges the parts into which FTS5 puts what is written to it: each of them is searched for every word. Steps have their
 * own transactions.
 */
export async function mergeIndexes(transact: Transact): Promise<void> {
  for (const table of ['post_search', 'word_search']) {
    const name = sql.id(table);
    // A negative number starts to merge all there is, positive ones go on until a step changes nothing but itself.
    for (let pages = -MERGE_PAGES; ; pages = MERGE_PAGES) {
      const changes = await transact(async (transaction) => {
        const before = await totalChanges(transaction);
        await sql`insert into ${name}(${name}, rank) values ('merge', ${pages})`.execute(transaction);
        return (await totalChanges(transaction)) - before;
      });
      if (changes < 2) break;
    }
  }
}

async function totalChanges(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ changes: number }>`select total_changes() as changes`.execute(db);
  return rows[0]?.changes ?? 0;
}
