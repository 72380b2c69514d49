import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { StoreUnavailable } from '@broadsheet/core';
import { LRUCache } from 'lru-cache';
import sql, { type Sql } from 'sql-template-tag';
import { RUNTIME, type Runtime, sleep } from '../runtime.ts';
import { createDb, createTransactionDb, type Db } from '../sql.ts';

/** How long SQLite itself may wait for a lock, which blocks the whole process. It is long only at startup. */
const OPENING_WAIT = 10_000;
const BLOCKING_WAIT = 20;
const MAX_STATEMENTS = 200;

/** A connection to a SQLite file. Temporary errors are thrown as `StoreUnavailable`. */
export interface Connection {
  /** Runs a statement, which is prepared once, and returns its rows. */
  run(statement: Sql): unknown[];
  /** Runs single statements. */
  readonly db: Db;
  /**
   * Runs work in a transaction. Nothing else may use the connection at the same time.
   *
   * @param begin how it begins: `begin immediate` takes the write lock
   * @param deadline until when to wait for the lock, by the monotonic clock
   */
  transact<T>(begin: Sql, work: (db: Db) => Promise<T>, deadline?: number): Promise<T>;
  close(): void;
}

/** Opens one connection to a SQLite file, in WAL mode with every commit flushed to the disk. */
export const openConnection = (path: string, blockingWait = BLOCKING_WAIT, runtime = RUNTIME): Connection =>
  open(path, runtime, [
    'journal_mode = wal',
    'synchronous = full',
    'cache_size = -65536',
    'mmap_size = 1073741824',
    'temp_store = memory',
    `busy_timeout = ${blockingWait}`,
  ]);

/** Opens a SQLite file in read-only mode. */
export const openToRead = (path: string): Connection => open(path, RUNTIME);

/** Opens a SQLite file that no program uses, such as a backup, in read-only mode. Nothing is created beside it. */
export function openUnused(path: string): Connection {
  const url = pathToFileURL(path);
  url.searchParams.set('immutable', '1');
  return open(url, RUNTIME);
}

/** @param pragmas the settings of a connection that writes; without them, it only reads */
function open(path: string | URL, runtime: Runtime, pragmas?: readonly string[]): Connection {
  try {
    const database = new DatabaseSync(path, { readOnly: !pragmas, timeout: OPENING_WAIT });
    for (const pragma of pragmas ?? []) database.exec(`pragma ${pragma}`);
    runtime.opened?.(database);
    return toConnection(database, runtime);
  } catch (error) {
    throw asUnavailable(error);
  }
}

export const BEGIN = sql`begin`;
const BEGIN_WRITE = sql`begin immediate`;
const COMMIT = sql`commit`;
const ROLLBACK = sql`rollback`;

function toConnection(database: DatabaseSync, runtime: Runtime): Connection {
  const statements = new LRUCache<string, StatementSync>({
    max: MAX_STATEMENTS,
    memoMethod: (text) => database.prepare(text),
  });
  function run(statement: Sql): unknown[] {
    try {
      // The declared tables have only strings, numbers, bytes and null, all of which SQLite accepts.
      return statements.memo(statement.sql).all(...(statement.values as SQLInputValue[]));
    } catch (error) {
      throw asUnavailable(error);
    }
  }
  const { statement: within } = runtime;
  const execute = within
    ? (statement: Sql) =>
        within(statement.sql, () => run(statement)).catch((error: unknown) => {
          throw asUnavailable(error);
        })
    : run;
  /** Begins a transaction; `false` if another connection has the lock and there is time to wait for it. */
  async function tryBegin(begin: Sql, deadline: number): Promise<boolean> {
    try {
      await execute(begin);
      return true;
    } catch (error) {
      const isBusy = error instanceof StoreUnavailable && resultCode(error.cause) === BUSY;
      if (!isBusy || runtime.monotonic() > deadline) throw error;
      return false;
    }
  }
  return {
    run,
    db: createDb(execute),
    async transact(begin, work, deadline = 0) {
      // Waits without blocking the event loop.
      for (let pause = 1; !(await tryBegin(begin, deadline)); pause = Math.min(pause * 2, 50))
        await sleep(runtime, pause);
      try {
        const result = await work(createTransactionDb(execute));
        await execute(COMMIT);
        return result;
      } catch (error) {
        // SQLite rolls back automatically after some errors, such as a full disk.
        if (database.isOpen && database.isTransaction) run(ROLLBACK);
        throw error;
      }
    },
    close: () => database.close(),
  };
}

/** Result codes of temporary conditions: https://sqlite.org/rescode.html */
const BUSY = 5;
const PASSING = new Set([
  BUSY,
  /* locked */ 6,
  /* nomem */ 7,
  /* readonly */ 8,
  /* ioerr */ 10,
  /* full */ 13,
  /* cantopen */ 14,
]);

function asUnavailable(error: unknown): unknown {
  if (!(error instanceof Error) || !PASSING.has(resultCode(error))) return error;
  return new StoreUnavailable(`The database cannot be used for now: ${error.message}`, { cause: error });
}

const resultCode = (error: unknown): number =>
  error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;

/**
 * Runs transactions that write, one after the other. Each waits at most `wait` milliseconds for its turn, in this
 * process and among processes combined.
 *
 * @param requireFile throws when a write would be lost
 */
export function createWriter(connection: Connection, requireFile?: () => void, runtime = RUNTIME) {
  let isBusy = false;
  const waiting = new Set<() => void>();
  return async <T>(work: (db: Db) => Promise<T>, wait: number): Promise<T> => {
    const end = runtime.monotonic() + wait;
    if (isBusy) await takeTurn(waiting, wait, runtime);
    isBusy = true;
    try {
      requireFile?.();
      return await connection.transact(BEGIN_WRITE, work, end);
    } finally {
      const [next] = waiting;
      if (next) next();
      else isBusy = false;
    }
  };
}

/** Waits until the function that it adds is called; rejects after `wait` milliseconds. */
function takeTurn(waiting: Set<() => void>, wait: number, runtime: Runtime): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const giveUp = () => {
    waiting.delete(enter);
    reject(new StoreUnavailable('The transaction before this one takes too long'));
  };
  const cancel = wait === Number.POSITIVE_INFINITY ? undefined : runtime.later(giveUp, wait);
  const enter = () => {
    waiting.delete(enter);
    cancel?.();
    resolve();
  };
  waiting.add(enter);
  return promise;
}
