import { openDatabase, type StoreOptions } from '@broadsheet/store/node';
import { createServerStore, type ServerStore } from './server-store.ts';

export type { StoreOptions };

/**
 * Opens a store and brings its schema up to date; several processes may do so at once.
 *
 * @param databaseUrl `sqlite:PATH`, `sqlite::memory:` or `postgres://…`
 * @throws NotOurs when the database has no tables of Broadsheet and `create` is `false`
 * @throws DatabaseTooNew when a newer Broadsheet wrote the database
 * @throws StoreUnavailable when the database cannot be reached
 *
 * @example
 * ```ts
 * const store = await openStore('sqlite:./broadsheet.db');
 * ```
 */
export async function openStore(databaseUrl: string, options: StoreOptions = {}): Promise<ServerStore> {
  const database = await openDatabase(databaseUrl, options);
  const store = createServerStore(database, options.report, options.secret);
  const { statementTimeout } = options;
  return databaseUrl === 'sqlite::memory:' ? store : { ...store, databaseUrl, statementTimeout };
}
