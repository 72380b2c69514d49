import type { Transact } from './database.ts';
import { type Db, insert } from './sql.ts';
import { type Column, TABLES, type TableName } from './tables.ts';

/** Ends a transaction whose rows are not needed. */
class RollBack extends Error {}

/**
 * Whether the database accepts a row of every table. The rows are rolled back; the last write is committed, because only
 * a commit distinguishes a standby from a primary, and a full disk from one with room.
 *
 * @throws the error of the first write that fails
 */
export async function checkWrites(transact: Transact): Promise<void> {
  await transact(async (db) => {
    await writeEveryTable(db);
    throw new RollBack();
  }).catch((error: unknown) => {
    if (!(error instanceof RollBack)) throw error;
  });
  await transact(async (db) => void (await db`update schema_version set version = version`));
}

/** No row of another process has the same key, so nobody waits for this transaction. */
async function writeEveryTable(db: Db): Promise<void> {
  const text = crypto.randomUUID();
  const values = { text, bigint: 0, blob: new Uint8Array() };
  // PostgreSQL gets all statements at once.
  await Promise.all(
    (Object.keys(TABLES) as TableName[]).map((name) => {
      const columns = Object.entries<Column>(TABLES[name]).filter(([column]) => !isRowId(name, column));
      return insert(db, name, [Object.fromEntries(columns.map(([column, { type }]) => [column, values[type]]))]);
    }),
  );
}

/** The database chooses the row id in the search index, if it has one. */
const isRowId = (name: TableName, column: string): boolean => name === 'post_texts' && column === 'row';
