import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  SqliteDialect,
  SqliteDriver,
  type SqliteStatement,
} from 'kysely';
import type { Transact } from '../database.ts';
import type { Tables } from '../tables.ts';

/** How long SQLite itself may wait for a lock, which stops the whole process: long only while it starts. */
const OPENING_WAIT = 10_000;
const BLOCKING_WAIT = 20;
const MAX_STATEMENTS = 200;

/** Opens one connection to a SQLite file, in WAL mode with every commit flushed to the disk. */
export function openConnection(path: string): DatabaseSync {
  const connection = new DatabaseSync(path, { timeout: OPENING_WAIT });
  connection.exec('pragma journal_mode = wal');
  connection.exec('pragma synchronous = full');
  connection.exec('pragma cache_size = -65536');
  connection.exec('pragma mmap_size = 1073741824');
  connection.exec('pragma temp_store = memory');
  connection.exec(`pragma busy_timeout = ${BLOCKING_WAIT}`);
  return connection;
}

/** Opens a SQLite file to look into it: nothing is written, whoever it belongs to. */
export function openToRead(path: string): DatabaseSync {
  return new DatabaseSync(path, { readOnly: true, timeout: OPENING_WAIT });
}

/** Whether a transaction takes the lock of writers when it begins. */
type Mode = 'immediate' | 'deferred';

/** Kysely over a connection of `node:sqlite`; statements are prepared once and reused. */
export function kyselyOver(connection: DatabaseSync, mode: Mode, deadline: () => number = () => 0): Kysely<Tables> {
  const statements = new Map<string, SqliteStatement>();
  const prepare = (sql: string): SqliteStatement => {
    const known = statements.get(sql);
    if (known) return known;
    const statement = toStatement(connection.prepare(sql));
    statements.set(sql, statement);
    if (statements.size > MAX_STATEMENTS) statements.delete(statements.keys().next().value ?? '');
    return statement;
  };
  return new Kysely<Tables>({
    dialect: new NodeSqliteDialect({ prepare, close: () => connection.close() }, mode, deadline),
  });
}

/**
 * Runs transactions that write, one after the other. Each waits so many milliseconds for its turn, here and among
 * processes together: whoever is before it may have waited as long.
 *
 * @param requireFile throws when what is written would be lost
 */
export function createTransact(
  connection: DatabaseSync,
  wait: number,
  requireFile: () => void,
): { db: Kysely<Tables>; transact: Transact } {
  let deadline = 0;
  const db = kyselyOver(connection, 'immediate', () => deadline);
  let last: Promise<void> = Promise.resolve();
  return {
    db,
    async transact(work) {
      const end = performance.now() + wait;
      const before = last;
      let done = (): void => {};
      last = new Promise((resolve) => {
        done = resolve;
      });
      try {
        if (!(await comes(before, wait))) throw new DatabaseUnusable('the transaction before takes too long');
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
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, wait, false);
  });
  try {
    return await Promise.race([event.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

function toStatement(statement: StatementSync): SqliteStatement {
  // Kysely's values are what the tables declare: text, numbers and null, all of which SQLite takes.
  const values = (parameters: readonly unknown[]) => parameters as SQLInputValue[];
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...values(parameters)),
    run: (parameters) => statement.run(...values(parameters)),
    iterate: (parameters) => statement.iterate(...values(parameters)),
  };
}

type Prepares = { prepare(sql: string): SqliteStatement; close(): void };

class NodeSqliteDialect extends SqliteDialect {
  readonly #database: Prepares;
  readonly #mode: Mode;
  readonly #deadline: () => number;
  constructor(database: Prepares, mode: Mode, deadline: () => number) {
    super({ database });
    this.#database = database;
    this.#mode = mode;
    this.#deadline = deadline;
  }
  override createDriver(): Driver {
    return new WaitingDriver(this.#database, this.#mode, this.#deadline);
  }
}

/** Waits for the lock of writers without blocking the event loop. */
class WaitingDriver extends SqliteDriver {
  readonly #mode: Mode;
  readonly #deadline: () => number;
  constructor(database: Prepares, mode: Mode, deadline: () => number) {
    super({ database });
    this.#mode = mode;
    this.#deadline = deadline;
  }
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    const begin = CompiledQuery.raw(`begin ${this.#mode}`);
    for (let pause = 1; ; pause = Math.min(pause * 2, 50)) {
      try {
        await connection.executeQuery(begin);
        return;
      } catch (error) {
        if (!isBusy(error) || performance.now() > this.#deadline()) throw error;
      }
      await sleep(pause);
    }
  }
  /** A full disk and other errors end the transaction by themselves; they, not that, are what the caller must learn. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.rollbackTransaction(connection);
    } catch (error) {
      if (!(error instanceof Error && error.message.includes('no transaction is active'))) throw error;
    }
  }
}

/** Thrown when a transaction cannot begin for now. */
export class DatabaseUnusable extends Error {
  override readonly name = 'DatabaseUnusable';
  /** SQLite's own for a database that cannot be opened. */
  readonly errcode = 14;
}

/** Whether another connection holds the lock. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === 5;
}
