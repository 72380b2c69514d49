import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnavailable } from '@broadsheet/core';
import { LRUCache } from 'lru-cache';
import type { Transact } from '../database.ts';
import { createDb, type Db, untilFailure } from '../sql.ts';

/** How long SQLite itself may wait for a lock, which blocks the whole process. It is long only at startup. */
const OPENING_WAIT = 10_000;
const BLOCKING_WAIT = 20;
const MAX_STATEMENTS = 200;

/** A connection to a SQLite file. Temporary errors are thrown as `StoreUnavailable`. */
export interface Connection {
  /** Runs a statement, which is prepared once, and returns its rows. */
  run(text: string, values?: readonly unknown[]): unknown[];
  readonly isOpen: boolean;
  readonly isTransaction: boolean;
  close(): void;
}

/** Opens one connection to a SQLite file, in WAL mode with every commit flushed to the disk. */
export function openConnection(path: string, blockingWait = BLOCKING_WAIT): Connection {
  return attempt(() => {
    const database = new DatabaseSync(path, { timeout: OPENING_WAIT });
    database.exec('pragma journal_mode = wal');
    database.exec('pragma synchronous = full');
    database.exec('pragma cache_size = -65536');
    database.exec('pragma mmap_size = 1073741824');
    database.exec('pragma temp_store = memory');
    database.exec(`pragma busy_timeout = ${blockingWait}`);
    return toConnection(database);
  });
}

/** Opens a SQLite file in read-only mode. */
export function openToRead(path: string): Connection {
  return attempt(() => toConnection(new DatabaseSync(path, { readOnly: true, timeout: OPENING_WAIT })));
}

function toConnection(database: DatabaseSync): Connection {
  const statements = new LRUCache<string, StatementSync>({
    max: MAX_STATEMENTS,
    memoMethod: (text) => database.prepare(text),
  });
  return {
    // The declared tables have only strings, numbers, bytes and null, all of which SQLite accepts.
    run: (text, values = []) => attempt(() => statements.memo(text).all(...(values as SQLInputValue[]))),
    get isOpen() {
      return database.isOpen;
    },
    get isTransaction() {
      return database.isTransaction;
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

function attempt<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error) || !PASSING.has(resultCode(error))) throw error;
    throw new StoreUnavailable(`The database cannot be used for now: ${error.message}`, { cause: error });
  }
}

const resultCode = (error: unknown): number =>
  error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;

/** Runs single statements on a connection. */
export const dbOn = (connection: Connection): Db => createDb(({ sql, values }) => connection.run(sql, values));

/**
 * Runs work in a transaction of a connection that nothing else uses at the same time.
 *
 * @param begin how it begins: `begin immediate` takes the write lock
 * @param deadline until when to wait for the lock, by the monotonic clock
 */
export async function transactOn<T>(
  connection: Connection,
  begin: 'begin' | 'begin immediate',
  work: (db: Db) => Promise<T>,
  deadline = 0,
): Promise<T> {
  // Waits without blocking the event loop.
  for (let pause = 1; !tryBegin(connection, begin, deadline); pause = Math.min(pause * 2, 50)) await sleep(pause);
  try {
    const result = await work(createDb(untilFailure(({ sql, values }) => connection.run(sql, values))));
    connection.run('commit');
    return result;
  } finally {
    // Neither after a success nor after an error for which SQLite rolls back automatically, such as a full disk.
    if (connection.isOpen && connection.isTransaction) connection.run('rollback');
  }
}

/** Begins a transaction; `false` if another connection has the lock and there is time to wait for it. */
function tryBegin(connection: Connection, begin: string, deadline: number): boolean {
  try {
    connection.run(begin);
    return true;
  } catch (error) {
    const isBusy = error instanceof StoreUnavailable && resultCode(error.cause) === BUSY;
    if (!isBusy || performance.now() > deadline) throw error;
    return false;
  }
}

/**
 * Runs transactions that write, one after the other. Each waits at most `wait` milliseconds for its turn, in this
 * process and among processes combined.
 *
 * @param requireFile throws when a write would be lost
 */
export function createWriter(connection: Connection, requireFile: () => void): (wait: number) => Transact {
  let last: Promise<void> = Promise.resolve();
  return (wait) => async (work) => {
    const end = performance.now() + wait;
    const before = last;
    const { promise, resolve: done } = Promise.withResolvers<void>();
    last = promise;
    try {
      if (!(await comes(before, wait))) throw new StoreUnavailable('The transaction before this one takes too long');
      requireFile();
      return await transactOn(connection, 'begin immediate', work, end);
    } finally {
      before.then(done);
    }
  };
}

/** Whether something happens within these milliseconds. */
async function comes(event: Promise<void>, wait: number): Promise<boolean> {
  if (wait === Number.POSITIVE_INFINITY) return event.then(() => true);
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(late.resolve, wait, false);
  return Promise.race([event.then(() => true), late.promise]).finally(() => clearTimeout(timer));
}
