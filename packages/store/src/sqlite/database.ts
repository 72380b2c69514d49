import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { StoreUnavailable } from '@broadsheet/core';
import sql from 'sql-template-tag';
import type { Changes, Database, Transact } from '../database.ts';
import { migrate, requireOurs, requireReadable } from '../migrations.ts';
import { RUNTIME, type Runtime } from '../runtime.ts';
import type { Db } from '../sql.ts';
import { SQLITE_EVENTS, SQLITE_SCHEMA } from './dialect.ts';
import { BEGIN, type Connection, createWriter, openConnection, openToRead } from './driver.ts';
import { createSqliteSearch } from './search.ts';
import { stageImports } from './staged-import.ts';

/** The number of milliseconds for which a write that can be retried later waits for other writes. */
const SOON = 500;
const ROWS_PER_INSERT = 200;

/** How a SQLite file is used. */
interface SqliteOptions {
  readonly create: boolean;
  /** Whether an older schema is updated. */
  readonly migrate: boolean;
  /** Milliseconds that a transaction may wait for others. */
  readonly wait: number;
  readonly runtime?: Runtime | undefined;
}

/**
 * Opens a SQLite file and brings its schema up to date; `:memory:` is a private database of this store.
 */
export async function openSqlite(path: string, options: SqliteOptions): Promise<Database> {
  const { create, wait, runtime = RUNTIME } = options;
  const memory = path === ':memory:';
  if (!memory && create) makePrivate(path);
  const isUpToDate = memory ? false : await requireTables(path, create);
  // SQLite's own wait would block the event loop, so transactions wait for the write lock in JavaScript.
  const writeConnection = openConnection(path, 0, runtime);
  const requireFile = memory ? undefined : watchFile(path);
  const write = createWriter(writeConnection, requireFile, runtime);
  const transact: Transact = (work, options) => write(work, options?.for === 'soon' ? Math.min(wait, SOON) : wait);
  try {
    // `begin immediate` is the lock: a second process finds the schema up to date. Commands that only read need no
    // lock.
    if (!isUpToDate && (memory || options.migrate)) {
      const search = createSqliteSearch(writeConnection.db);
      await transact((db) => migrate(db, { dialect: SQLITE_SCHEMA, search, rowsPerInsert: ROWS_PER_INSERT }));
    }
  } catch (error) {
    writeConnection.close();
    throw error;
  }
  // A second connection reads committed data while the first is in a transaction.
  const readConnection = memory ? writeConnection : openConnection(path, undefined, runtime);
  const changes = watchDataVersion(writeConnection, runtime);
  // With one connection, a read waits for the end of a transaction.
  const reader: Db = memory ? (...query) => transact((db) => db(...query)) : readConnection.db;
  return {
    reader,
    transact,
    runtime,
    stageImport: requireFile && stageImports({ path, wait, requireFile }),
    snapshot: memory ? transact : (work) => readSnapshot(path, work),
    asBytes: (text) => `cast(${text} as blob)`,
    search: createSqliteSearch(reader),
    eventDialect: SQLITE_EVENTS,
    changes,
    canHold: () => true,
    rowsPerInsert: ROWS_PER_INSERT,
    schema: SQLITE_SCHEMA,
    async close() {
      // An open connection would leave the WAL file behind.
      for (const connection of new Set([readConnection, writeConnection])) connection.close();
    },
  };
}

/** Reads on a separate connection, which sees the state at the time of its first read. */
function readSnapshot<T>(path: string, work: (db: Db) => Promise<T>): Promise<T> {
  const connection = openConnection(path);
  return connection.transact(BEGIN, work).finally(connection.close);
}

/**
 * Creates a new file for its user only, because it contains the secret of click tokens; the files that SQLite adds get
 * the same mode. An existing file keeps its mode.
 */
function makePrivate(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
}

/**
 * Returns a function that throws once the opened file has been replaced or deleted: anything written to it would be lost
 * when this process ends.
 */
function watchFile(path: string): () => void {
  const identity = () => {
    const found = statSync(path, { throwIfNoEntry: false });
    return found && `${found.dev} ${found.ino}`;
  };
  const opened = identity();
  return () => {
    const found = identity();
    if (found === opened) return;
    const what = found === undefined ? 'was deleted' : 'was replaced';
    throw new StoreUnavailable(`The file ${path} ${what} while it was in use: restart to use what is there now`);
  };
}

/**
 * Whether the file has the current schema. Writes nothing, because the file may belong to another program, or to a newer
 * version.
 *
 * @throws NotOurs
 * @throws DatabaseTooNew
 * @throws UnknownSchema
 */
async function requireTables(path: string, create: boolean): Promise<boolean> {
  const connection = openToRead(path);
  try {
    const rows = connection.run(
      sql`select name from sqlite_master where type = 'table' and substr(name, 1, 7) <> 'sqlite_'`,
    ) as { name: string }[];
    const tables = rows.map(({ name }) => name);
    requireOurs(tables, create);
    return tables.length > 0 && (await requireReadable(connection.db, SQLITE_SCHEMA));
  } finally {
    connection.close();
  }
}

const VERSION = sql`pragma data_version`;

/** SQLite changes this number on a connection whenever another one, here or in another process, has committed. */
function watchDataVersion(connection: Connection, runtime: Runtime): Changes {
  let known: number | undefined;
  const forget = () => {
    known = undefined;
  };
  return {
    epoch() {
      if (known === undefined) {
        known = (connection.run(VERSION) as { data_version: number }[])[0]?.data_version ?? 0;
        // Requests that arrive in the same turn of the event loop share one check.
        runtime.turn(forget);
      }
      return known;
    },
    delay: 0,
    // SQLite does not report which blog was written.
    listen: () => {},
  };
}
