import { DatabaseSync } from 'node:sqlite';
import { openDatabase } from '../src/open-database.ts';
import { createSqlStore, type SqlStore } from '../src/sql-store.ts';
import { stageImports } from '../src/sqlite/staged-import.ts';

/**
 * A store over a SQLite file.
 *
 * @param onTransaction called before each transaction in which an import writes to the file
 */
export async function openStagedStore(path: string, onTransaction: () => void): Promise<SqlStore> {
  const database = await openDatabase(`sqlite:${path}`);
  return createSqlStore({
    ...database,
    stageImport: stageImports({ path, wait: 10_000, requireFile: onTransaction }),
  });
}

/** The number of entries in the search index of a file. */
export function countEntries(path: string): number {
  const file = new DatabaseSync(path, { readOnly: true });
  try {
    return Number(file.prepare('select count(*) as entries from post_search').get()?.['entries']);
  } finally {
    file.close();
  }
}

/** A blog whose posts have a word and their number in their titles. */
export const blogWith = (word: string, count: number, id = 'b') => ({
  id,
  name: id,
  posts: Array.from({ length: count }, (_, index) => ({
    id: `p${index}`,
    slug: `p${index}`,
    title: `${word} ${index}`,
  })),
});
