import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnavailable } from '@broadsheet/core';
import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  SqliteDialect,
  SqliteDriver,
  type SqliteStatement,
} from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Transact } from '../database.ts';
import type { Tables } from '../tables.ts';

/** How long SQLite itself may wait for a lock, which blocks the whole process: long only at startup. */
const OPENING_WAIT = 10_000;
const BLOCKING_WAIT = 20;
const MAX_STATEMENTS = 200;

/** The part of a connection that the store uses. Temporary errors are thrown as `StoreUnavailable`. */
export interface Connection {
  prepare(sql: string): SqliteStatement;
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
  return {
    prepare(sql) {
      const statement = attempt(() => database.prepare(sql));
      // The declared tables have only strings, numbers and null, all of which SQLite accepts.
      const values = (parameters: readonly unknown[]) => parameters as SQLInputValue[];
      return {
        reader: statement.columns().length > 0,
        all: (parameters) => attempt(() => statement.all(...values(parameters))),
        run: (parameters) => attempt(() => statement.run(...values(parameters))),
        iterate: (parameters) => attempt(() => statement.iterate(...values(parameters))),
      };
    },
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

/** Whether a transaction takes the write lock when it begins. */
type Mode = 'immediate' | 'deferred';

/** Kysely over a connection of `node:sqlite`; statements are prepared once and reused. */
export function kyselyOver(connection: Connection, mode: Mode, deadline: () => number = () => 0): Kysely<Tables> {
  const statements = new LRUCache<string, SqliteStatement>({ max: MAX_STATEMENTS, memoMethod: connection.prepare });
  const prepare = (sql: string): SqliteStatement => statements.memo(sql);
  const dialect = new SqliteDialect({ database: { prepare, close: () => connection.close() } });
  dialect.createDriver = () => new WaitingDriver({ prepare, connection, mode, deadline });
  return new Kysely<Tables>({ dialect });
}

/**
 * Runs transactions that write, one after the other. Each waits at most `wait` milliseconds for its turn, in this
 * process and among processes combined.
 *
 * @param requireFile throws when a write would be lost
 */
export function createWriter(
  connection: Connection,
  requireFile: () => void,
): { db: Kysely<Tables>; transactWithin(wait: number): Transact } {
  let deadline = 0;
  const db = kyselyOver(connection, 'immediate', () => deadline);
  let last: Promise<void> = Promise.resolve();
  return {
    db,
    transactWithin: (wait) => async (work) => {
      const end = performance.now() + wait;
      const before = last;
      const { promise, resolve: done } = Promise.withResolvers<void>();
      last = promise;
      try {
        if (!(await comes(before, wait))) throw new StoreUnavailable('The transaction before this one takes too long');
        requireFile();
        deadline = end;
        return await db.transaction().execute(work);
      } finally {
        before.then(done);
      }
    },
  };
}

/** Whether something happens within these milliseconds. */
async function comes(event: Promise<void>, wait: number): Promise<boolean> {
  if (wait === Number.POSITIVE_INFINITY) return event.then(() => true);
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(late.resolve, wait, false);
  return Promise.race([event.then(() => true), late.promise]).finally(() => clearTimeout(timer));
}

interface DriverOptions {
  readonly prepare: (sql: string) => SqliteStatement;
  readonly connection: Connection;
  readonly mode: Mode;
  readonly deadline: () => number;
}

/** Waits for the write lock without blocking the event loop. */
class WaitingDriver extends SqliteDriver {
  readonly #options: DriverOptions;
  constructor(options: DriverOptions) {
    super({ database: { prepare: options.prepare, close: () => options.connection.close() } });
    this.#options = options;
  }
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    const begin = CompiledQuery.raw(`begin ${this.#options.mode}`);
    for (let pause = 1; ; pause = Math.min(pause * 2, 50)) {
      try {
        await connection.executeQuery(begin);
        return;
      } catch (error) {
        if (!isBusy(error) || performance.now() > this.#options.deadline()) throw error;
      }
      await sleep(pause);
    }
  }
  /** SQLite rolls some transactions back automatically, such as when the disk is full. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#options.connection.isTransaction) await super.rollbackTransaction(connection);
  }
}

/** Whether another connection holds the lock. */
function isBusy(error: unknown): boolean {
  return error instanceof StoreUnavailable && resultCode(error.cause) === BUSY;
}
