import { openDatabase, type StoreOptions } from './open-database.ts';
import type { ServerStore } from './server-store.ts';
import { createSqlStore } from './sql-store.ts';
import { reportUnavailable } from './unavailable.ts';

/**
 * Opens a store and brings its schema up to date; several processes may do so at once.
 *
 * @param databaseUrl `sqlite:PATH`, `sqlite::memory:` or `postgres://…`
 * @throws NotOurs when it has no tables of Broadsheet, and `create` is `false`
 * @throws DatabaseTooNew when a newer Broadsheet wrote the database
 * @throws StoreUnavailable when the database cannot be reached
 *
 * @example
 * ```ts
 * const store = await openStore('sqlite:./broadsheet.db');
 * ```
 */
export async function openStore(databaseUrl: string, options: StoreOptions = {}): Promise<ServerStore> {
  const { database, isUnavailable } = await openDatabase(databaseUrl, options);
  const store = reportUnavailable(createSqlStore(database, options.report), isUnavailable);
  return databaseUrl === 'sqlite::memory:' ? store : { ...store, databaseUrl };
}
