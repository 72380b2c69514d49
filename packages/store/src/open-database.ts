import type { Database, Report } from './database.ts';
import type { Runtime } from './runtime.ts';

/** How a store uses its database. */
export interface StoreOptions {
  /** Connections to PostgreSQL that serve requests; 10 by default. SQLite needs none. */
  readonly poolSize?: number;
  /**
   * Milliseconds that a statement of PostgreSQL may take, or that a transaction of SQLite may wait for others, before
   * the request gets a 503; 10,000 by default, 0 for no limit.
   */
  readonly statementTimeout?: number;
  /** Whether to create missing tables, or a missing file; `true` by default. */
  readonly create?: boolean;
  /** Whether an older schema is updated; `true` by default. Without it, an older database can only be copied. */
  readonly migrate?: boolean;
  /** Receives errors in the background, which no caller sees. */
  readonly report?: Report;
  /** Signs tokens instead of the secret that is stored in the database; the server must use the same one. */
  readonly secret?: string | undefined;
  /** The clocks and timers of a store on SQLite, for a simulation; those of this process by default. */
  readonly runtime?: Runtime | undefined;
}

/**
 * Opens the database of a URL; see `openStore`. Only the engine that is used is loaded.
 *
 * @throws StoreUnavailable while the database cannot be reached, as do all of its methods
 */
export async function openDatabase(
  url: string,
  { poolSize = 10, statementTimeout = 10_000, create = true, migrate = true, runtime, report }: StoreOptions = {},
): Promise<Database> {
  if (url.startsWith('sqlite:') && url.length > 'sqlite:'.length) {
    const { openSqlite } = await import('./sqlite/database.ts');
    return openSqlite(url.slice('sqlite:'.length), {
      ...{ create, migrate, wait: statementTimeout || Number.POSITIVE_INFINITY, runtime },
    });
  }
  if (/^postgres(ql)?:\/\//.test(url)) {
    const { openPostgres } = await import('./postgres/database.ts');
    return openPostgres(url, { size: poolSize, statementTimeout, create, migrate, report });
  }
  // The error names only the scheme, because the URL may contain a password.
  const scheme = /^\w+:/.exec(url)?.[0] ?? '';
  throw new TypeError(
    `Cannot open a database with this URL (${scheme}…): use sqlite:PATH, such as sqlite:./broadsheet.db, or postgres://USER:PASSWORD@HOST/DATABASE.`,
  );
}
