import { Socket } from 'node:net';
import pg from 'pg';

/** How one process uses its PostgreSQL. */
export interface PoolOptions {
  /** Connections at most. */
  readonly size: number;
  /** Milliseconds that a statement, the wait for its locks included, may take; 0 is no limit. */
  readonly statementTimeout: number;
}

/** How long to wait for a connection, in milliseconds. */
const CONNECT_WAIT = 3000;
/** After how many unused milliseconds a connection is closed. */
const IDLE = 10_000;
/** How long after its time a statement's answer may still be on its way, in milliseconds. */
const GRACE = 2000;

/** Connections to a PostgreSQL, made when they are needed. */
export function createPool(url: string, { size, statementTimeout }: PoolOptions): pg.Pool {
  const { builtins, getTypeParser } = pg.types;
  const silence = statementTimeout > 0 ? statementTimeout + GRACE : 0;
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    connectionTimeoutMillis: CONNECT_WAIT,
    idleTimeoutMillis: Math.min(IDLE, silence || IDLE),
    keepAlive: true,
    application_name: 'broadsheet',
    ...(statementTimeout > 0 && {
      statement_timeout: statementTimeout,
      // Whoever stands still in a transaction, a stopped process for one, must not hold up the others for longer.
      idle_in_transaction_session_timeout: statementTimeout,
    }),
    // Counts and milliseconds are far below 2^53.
    types: { getTypeParser: (id, format) => (id === builtins.INT8 ? Number : getTypeParser(id, format)) },
  });
  // A connection that breaks is replaced by the next query; without listeners it would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    client.on('error', () => {});
    if (silence > 0) breakWhenSilent(client, silence);
  });
  return pool;
}

/** A machine or a network that is gone says nothing, not even that it is: its connections are given up. */
function breakWhenSilent(client: pg.PoolClient, silence: number): void {
  const { stream } = client.connection;
  if (stream instanceof Socket) stream.setTimeout(silence, () => stream.destroy());
}

/** What a pool says of itself for `/metrics`. */
export function measurePool(pool: pg.Pool) {
  return {
    pool_limit: { help: 'Connections to the database that this process may open', value: pool.options.max },
    pool_connections: { help: 'Connections to the database that are open', value: pool.totalCount },
    pool_idle: { help: 'Connections of these that are not in use', value: pool.idleCount },
    pool_waiting: { help: 'Requests that wait for a connection', value: pool.waitingCount },
  };
}
