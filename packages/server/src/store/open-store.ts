import type { Database } from './database.ts';
import { isPostgresUnavailable, openPostgres } from './postgres-database.ts';
import type { ServerStore } from './server-store.ts';
import { createSqlStore } from './sql-store.ts';
import { isSqliteUnavailable, openSqlite } from './sqlite-database.ts';
import { tellUnavailable, throwUnavailable } from './unavailable.ts';

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
  const { open, isUnavailable } = kindOf(databaseUrl);
  try {
    return tellUnavailable(createSqlStore(await open()), isUnavailable);
  } catch (error) {
    return throwUnavailable(error, isUnavailable);
  }
}

interface DatabaseKind {
  open(): Promise<Database>;
  isUnavailable(error: unknown): boolean;
}

function kindOf(url: string): DatabaseKind {
  if (url.startsWith('sqlite:') && url.length > 'sqlite:'.length) {
    return { open: () => openSqlite(url.slice('sqlite:'.length)), isUnavailable: isSqliteUnavailable };
  }
  if (/^postgres(ql)?:\/\//.test(url)) return { open: () => openPostgres(url), isUnavailable: isPostgresUnavailable };
  throw new TypeError(
    `Cannot open the database ${JSON.stringify(url)}: give sqlite:PATH, such as sqlite:./broadsheet.db, or postgres://USER:PASSWORD@HOST/DATABASE.`,
  );
}
