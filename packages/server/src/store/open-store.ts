import { openPostgres } from './postgres-database.ts';
import type { ServerStore } from './server-store.ts';
import { createSqlStore } from './sql-store.ts';
import { openSqlite } from './sqlite-database.ts';
import { tellUnavailable } from './unavailable.ts';

/**
 * Opens a store and brings its schema up to date; several processes may do so at once.
 *
 * @param databaseUrl `sqlite:PATH`, `sqlite::memory:` or `postgres://…`
 * @throws DatabaseTooNew when a newer Broadsheet wrote the database
 * @throws StoreUnavailable when the database cannot be reached
 *
 * @example
 * const store = await openStore('sqlite:./broadsheet.db');
 */
export async function openStore(databaseUrl: string): Promise<ServerStore> {
  const database = await openDatabase(databaseUrl);
  return tellUnavailable(createSqlStore(database), database.isUnavailable);
}

async function openDatabase(url: string) {
  if (url.startsWith('sqlite:') && url.length > 'sqlite:'.length) return openSqlite(url.slice('sqlite:'.length));
  if (/^postgres(ql)?:\/\//.test(url)) return openPostgres(url);
  throw new TypeError(
    `Cannot open the database ${JSON.stringify(url)}: give sqlite:PATH, such as sqlite:./broadsheet.db, or postgres://USER:PASSWORD@HOST/DATABASE.`,
  );
}
