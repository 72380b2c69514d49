import type { Database } from './database.ts';
import { isPostgresUnavailable, openPostgres } from './postgres/database.ts';
import type { ServerStore } from './server-store.ts';
import { createSqlStore } from './sql-store.ts';
import { isSqliteUnavailable, openSqlite } from './sqlite/database.ts';
import { tellUnavailable, throwUnavailable } from './unavailable.ts';

/** How a store uses its database. The first two do not concern SQLite, which has neither connections nor a network. */
export interface StoreOptions {
  /** Connections to PostgreSQL that serve requests; 10 by default. */
  readonly poolSize?: number;
  /** Milliseconds a statement may take before its request is answered with 503; 10,000 by default, 0 is no limit. */
  readonly statementTimeout?: number;
  /** Whether a database without Broadsheet's tables is given them, a file made if there is none; `true` by default. */
  readonly create?: boolean;
}

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
  const { open, isUnavailable } = kindOf(databaseUrl, options);
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

function kindOf(url: string, { poolSize = 10, statementTimeout = 10_000, create = true }: StoreOptions): DatabaseKind {
  if (url.startsWith('sqlite:') && url.length > 'sqlite:'.length) {
    return { open: () => openSqlite(url.slice('sqlite:'.length), { create }), isUnavailable: isSqliteUnavailable };
  }
  if (/^postgres(ql)?:\/\//.test(url)) {
    const open = () => openPostgres(url, { size: poolSize, statementTimeout, create });
    return { open, isUnavailable: isPostgresUnavailable };
  }
  // Not the whole of what was given: there may be a password in it.
  const scheme = /^\w+:/.exec(url)?.[0] ?? '';
  throw new TypeError(
    `Cannot open a database by this URL (${scheme}…): give sqlite:PATH, such as sqlite:./broadsheet.db, or postgres://USER:PASSWORD@HOST/DATABASE.`,
  );
}
