import type { Database, Report } from './database.ts';
import { throwUnavailable } from './unavailable.ts';

/** How a store uses its database. */
export interface StoreOptions {
  /** Connections to PostgreSQL that serve requests; 10 by default. SQLite needs none. */
  readonly poolSize?: number;
  /**
   * Milliseconds a statement of PostgreSQL may take, or a transaction of SQLite wait for others, before its request is
   * answered with 503; 10,000 by default, 0 is no limit.
   */
  readonly statementTimeout?: number;
  /** Whether a database without Broadsheet's tables is given them, a file made if there is none; `true` by default. */
  readonly create?: boolean;
  /** Takes what fails in the background, with the error; no caller learns of it. */
  readonly report?: Report;
}

/** A database that is open and up to date, and how to recognise that it is away. */
export interface OpenDatabase {
  readonly database: Database;
  isUnavailable(error: unknown): boolean;
}

/** What opens one kind of database. */
interface Engine {
  open(): Promise<Database>;
  isUnavailable(error: unknown): boolean;
}

/** Opens the database of a URL; see `openStore`. */
export async function openDatabase(url: string, options: StoreOptions = {}): Promise<OpenDatabase> {
  const { open, isUnavailable } = await engineOf(url, options);
  try {
    return { database: await open(), isUnavailable };
  } catch (error) {
    return throwUnavailable(error, isUnavailable);
  }
}

/** Only the engine that is used is loaded. */
async function engineOf(
  url: string,
  { poolSize = 10, statementTimeout = 10_000, create = true }: StoreOptions,
): Promise<Engine> {
  if (url.startsWith('sqlite:') && url.length > 'sqlite:'.length) {
    const { isSqliteUnavailable, openSqlite } = await import('./sqlite/database.ts');
    const options = { create, wait: statementTimeout || Number.POSITIVE_INFINITY };
    return { open: () => openSqlite(url.slice('sqlite:'.length), options), isUnavailable: isSqliteUnavailable };
  }
  if (/^postgres(ql)?:\/\//.test(url)) {
    const { isPostgresUnavailable, openPostgres } = await import('./postgres/database.ts');
    const options = { size: poolSize, statementTimeout, create };
    return { open: () => openPostgres(url, options), isUnavailable: isPostgresUnavailable };
  }
  // Not all that was given: there may be a password in it.
  const scheme = /^\w+:/.exec(url)?.[0] ?? '';
  throw new TypeError(
    `Cannot open a database by this URL (${scheme}…): give sqlite:PATH, such as sqlite:./broadsheet.db, or postgres://USER:PASSWORD@HOST/DATABASE.`,
  );
}
