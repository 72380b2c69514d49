import { openDatabase, type StoreOptions } from './open-database.ts';
import { createSqlStore, type SqlStore } from './sql-store.ts';

/**
 * Opens a store and brings its schema up to date; several processes may do so at once.
 *
 * @param databaseUrl `sqlite:PATH`, `sqlite::memory:` or `postgres://…`
 * @throws NotOurs when the database has no tables of Broadsheet and `create` is `false`
 * @throws DatabaseTooNew when a newer Broadsheet wrote the database
 * @throws UnknownSchema when the database has the version of this schema, or an older one, but other tables
 * @throws StoreUnavailable when the database cannot be reached
 *
 * @example
 * ```ts
 * const store = await openStore('sqlite:./broadsheet.db');
 * ```
 */
export async function openStore(databaseUrl: string, options: StoreOptions = {}): Promise<SqlStore> {
  const database = await openDatabase(databaseUrl, options);
  const store = createSqlStore(database, options.report, options.secret);
  const { statementTimeout } = options;
  return databaseUrl === 'sqlite::memory:' ? store : { ...store, databaseUrl, statementTimeout };
}
