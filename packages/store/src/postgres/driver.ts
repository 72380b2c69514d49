import { randomUUID } from 'node:crypto';
import { Socket } from 'node:net';
import { StoreUnavailable } from '@broadsheet/core';
import pg from 'pg';
import { LockTimeout } from '../database.ts';
import { createDb, type Db } from '../sql.ts';
import { announce, requireCommitted, type TransactionId } from './outcome.ts';

/** How a process uses PostgreSQL. */
export interface PoolOptions {
  /** The maximum number of connections. */
  readonly size: number;
  /** Milliseconds that a statement may take, including the wait for its locks; 0 for no limit. */
  readonly statementTimeout: number;
  /** Milliseconds to wait for a connection, 1,500 by default; 0 for no limit. */
  readonly connectWait?: number;
}

const CONNECT_WAIT = 1500;
/** Milliseconds after which an unused connection is closed. */
const IDLE = 10_000;
/** Milliseconds for which the outcome of a lost commit is asked for: of a request, and of long work. */
const PATIENCE = 2000;
const LONG_PATIENCE = 30_000;
/** Milliseconds after its time-out within which the response to a statement may still arrive. */
const GRACE = 1000;

/** A pool of connections to PostgreSQL, which are opened when they are needed. */
function createPool(url: string, options: PoolOptions): pg.Pool {
  const { size, statementTimeout, connectWait = CONNECT_WAIT } = options;
  const { builtins, getTypeParser } = pg.types;
  const silence = statementTimeout > 0 ? statementTimeout + GRACE : 0;
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    connectionTimeoutMillis: connectWait,
    idleTimeoutMillis: Math.min(IDLE, silence || IDLE),
    keepAlive: true,
    // Statements that do not wait for each other are sent together.
    pipeline: true,
    application_name: 'broadsheet',
    ...(statementTimeout > 0 && {
      statement_timeout: statementTimeout,
      // A client that hangs in a transaction, such as a suspended process, must not block others for longer.
      idle_in_transaction_session_timeout: statementTimeout,
    }),
    // Counts and milliseconds are far below 2^53.
    types: { getTypeParser: (id, format) => (id === builtins.INT8 ? Number : getTypeParser(id, format)) },
  });
  // The next query replaces a broken connection; without listeners, its error would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    client.on('error', () => {});
    if (silence > 0) breakWhenSilent(client, silence);
  });
  return pool;
}

/**
 * The error codes of PostgreSQL for rows that were locked for longer than `lock_timeout`, and for a statement that took
 * longer than `statement_timeout`: they concern the blogs of a transaction, and not the database.
 */
const SLOW = ['55P03', '57014'];
/** The error code of PostgreSQL for a write to a standby. */
const READ_ONLY = '25006';
/**
 * Connection exceptions, insufficient resources, operator intervention, errors of the system, lost races and time-outs:
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const PASSING = /^(08|53|57P|57014|58|40001|40P01|55P03|25006|25P03)/;

/**
 * An error that the server did not send is an error of the connection, unless it is a mistake of the caller. A server
 * that refuses a connection, because its database was dropped or the login is not valid, has read no statement that
 * could be wrong: an operator can fix each of these causes.
 */
function asUnavailable(error: unknown, isRefused = false): unknown {
  const isPassing = ({ code = '' }: pg.DatabaseError) => isRefused || PASSING.test(code);
  const passes = error instanceof pg.DatabaseError ? isPassing(error) : !(error instanceof TypeError);
  if (!passes || !(error instanceof Error)) return error;
  if (error instanceof pg.DatabaseError && SLOW.includes(error.code ?? '')) {
    return new LockTimeout(`The rows are locked for too long, or there are too many: ${error.message}`, {
      cause: error,
    });
  }
  return new StoreUnavailable(`The database cannot be used for now: ${error.message}`, { cause: error });
}

/** Runs statements on the connections of a pool. */
export interface Postgres {
  /** Runs single statements, each on any connection. */
  readonly db: Db;
  /**
   * Runs work in a transaction. When its commit gets no response, the outcome is found out.
   *
   * @param settings statements such as `set local`, which are run first
   * @throws StoreUnavailable when the transaction was certainly rolled back
   * @throws OutcomeUnknown when it may have been committed; it has the result of the work
   */
  write<T>(work: (db: Db) => Promise<T>, settings?: string): Promise<T>;
  /**
   * Runs work in a transaction that writes nothing, or that can be repeated.
   *
   * @param begin the statement that begins it
   * @throws StoreUnavailable when the transaction was certainly rolled back
   * @throws OutcomeUnknown when it may have been committed
   */
  transact<T>(begin: string, work: (db: Db) => Promise<T>): Promise<T>;
  /** The metrics of the pool for `/metrics`. */
  measures(): Readonly<Record<string, { readonly help: string; readonly value: number }>>;
  close(): Promise<void>;
}

/** The end of a transaction whose commit got no response. */
interface LostCommit<T> {
  readonly result: T;
  readonly transaction: TransactionId | undefined;
  readonly cause: unknown;
}

/** The severity of errors after which a session goes on; after the others, it ends, and a commit may have happened. */
const REFUSED = 'ERROR';

/**
 * Opens a pool. When a write reaches a standby, every open session may lead to the old primary, so all sessions are
 * replaced before they are used again.
 *
 * @param asking asks for the outcome of a commit that got no response; by default, this pool does
 */
export function connect(url: string, options: PoolOptions, asking?: Db): Postgres {
  const pool = createPool(url, options);
  let usable = new WeakSet<pg.PoolClient>();
  /** The name of each connection, and the number of transactions that it has announced. */
  const connections = new WeakMap<pg.PoolClient, { readonly connection: string; readonly transactions: number }>();
  pool.on('connect', (client) => usable.add(client));

  async function take(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await pool.connect().catch((error: unknown) => {
        throw asUnavailable(error, true);
      });
      if (usable.has(client)) return client;
      client.release(true);
    }
  }
  function failureOf(client: pg.PoolClient, error: unknown): unknown {
    if (error instanceof pg.DatabaseError && error.code === READ_ONLY && usable.has(client)) usable = new WeakSet();
    return asUnavailable(error);
  }
  async function run(client: pg.PoolClient, text: string, values?: unknown[]): Promise<unknown[]> {
    try {
      return (await client.query(text, values)).rows;
    } catch (error) {
      throw failureOf(client, error);
    }
  }
  async function using<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await take();
    return work(client).finally(() => client.release(!usable.has(client)));
  }
  const db = createDb(({ text, values }) => using((client) => run(client, text, values)));

  async function transact<T>(
    work: (db: Db) => Promise<T>,
    beginning: (client: pg.PoolClient) => Beginning,
  ): Promise<T> {
    const ended = await using((client) => attempt({ client, run, failureOf }, beginning(client), work));
    if (!ended.lost) return ended.result;
    const { result, transaction, cause } = ended.lost;
    const patience = options.statementTimeout > 0 ? PATIENCE : LONG_PATIENCE;
    await requireCommitted(asking ?? db, transaction, { patience, cause, result });
    return result;
  }

  return {
    db,
    transact: (begin, work) => transact(work, () => ({ text: begin })),
    write: (work, settings = '') =>
      transact(work, (client) => {
        const { connection, transactions } = connections.get(client) ?? { connection: randomUUID(), transactions: 0 };
        const number = transactions + 1;
        connections.set(client, { connection, transactions: number });
        return { text: `begin; ${settings}${announce(connection, number)}`, announced: { connection, number } };
      }),
    measures: () => ({
      pool_limit: { help: 'Connections to the database that this process may open', value: pool.options.max },
      pool_connections: { help: 'Connections to the database that are open', value: pool.totalCount },
      pool_idle: { help: 'Open connections that are not in use', value: pool.idleCount },
      pool_waiting: { help: 'Requests that wait for a connection', value: pool.waitingCount },
    }),
    close: () => pool.end(),
  };
}

/** A connection, and how the errors of its pool are read. */
interface Session {
  readonly client: pg.PoolClient;
  run(client: pg.PoolClient, text: string, values?: unknown[]): Promise<unknown[]>;
  failureOf(client: pg.PoolClient, error: unknown): unknown;
}

/** How a transaction begins. */
interface Beginning {
  /** Its first statements. */
  readonly text: string;
  /** What they announce. */
  readonly announced?: Pick<TransactionId, 'connection' | 'number'>;
}

/** Runs work in a transaction; it is `lost` if its commit got no response. */
async function attempt<T>(
  { client, run, failureOf }: Session,
  { text, announced }: Beginning,
  work: (db: Db) => Promise<T>,
) {
  // It is sent together with the first statement, which fails if the connection does.
  const begun = client.query<Pick<TransactionId, 'pid' | 'xid'>>(text);
  begun.catch(() => undefined);
  let result: T;
  let transaction: TransactionId | undefined;
  try {
    result = await work(createDb(({ text, values }) => run(client, text, values)));
    const rows = rowsOf(await begun);
    transaction = announced && rows[0] && { ...announced, ...rows[0] };
  } catch (error) {
    // A connection that cannot roll back is broken, and the pool replaces it.
    await run(client, 'rollback').catch(() => undefined);
    // After a beginning that failed, PostgreSQL refuses every statement.
    throw await begun.then(
      () => error,
      (cause: unknown) => failureOf(client, cause),
    );
  }
  try {
    await client.query('commit');
  } catch (cause) {
    if (cause instanceof pg.DatabaseError && cause.severity === REFUSED) throw failureOf(client, cause);
    return { lost: { result, transaction, cause } satisfies LostCommit<T> };
  }
  return { result };
}

/** The rows of the last of several statements. */
const rowsOf = <R extends pg.QueryResultRow>(results: pg.QueryResult<R> | readonly pg.QueryResult<R>[]): R[] =>
  [results].flat().at(-1)?.rows ?? [];

/** A machine or network that fails does not close its connections, so silent connections are closed here. */
function breakWhenSilent(client: pg.PoolClient, silence: number): void {
  const { stream } = client.connection;
  if (stream instanceof Socket) stream.setTimeout(silence, () => stream.destroy());
}
