import { openDatabase, type StoreOptions } from '../src/open-database.ts';
import type { SqlStore } from '../src/server-store.ts';
import { createSqlStore } from '../src/sql-store.ts';
import { reportUnavailable } from '../src/unavailable.ts';

/** The store over the database of a URL. */
export async function openStore(url: string, options: StoreOptions = {}): Promise<SqlStore> {
  const { database, isUnavailable } = await openDatabase(url, options);
  return reportUnavailable(createSqlStore(database, options.report), isUnavailable);
}
