import { setTimeout as sleep } from 'node:timers/promises';
import { OutcomeUnknown, StoreUnavailable } from '@broadsheet/core';
import type { Db } from '../sql.ts';

/** Identifies a transaction, for as long as its outcome may be asked for. */
export interface TransactionId {
  /** The name of its connection, which no other connection ever has. */
  readonly connection: string;
  /** Its number on this connection, from 1. */
  readonly number: number;
  /** The process of PostgreSQL that runs it, and the id that it has there. */
  readonly pid: number;
  readonly xid: string;
}

/**
 * The last transaction of each connection that was committed. A transaction writes its own number, because nothing else
 * shows what became of it: after a crash, and on a standby that takes over, its id may belong to another transaction.
 */
export const OUTCOME_SCHEMA = `create table last_commits (connection text collate "C" not null primary key,
  number bigint not null, at timestamptz not null) with (fillfactor = 50)`;

/**
 * The statements that make the outcome of a transaction known. They are sent with its beginning, so they need no round
 * trip of their own. The last one returns the `pid` and the `xid` of a {@link TransactionId}.
 *
 * @param connection contains only letters, digits and `-`
 */
export function announce(connection: string, number: number): string {
  const write = `insert into last_commits (connection, number, at) values ('${connection}', ${number}, now())
    on conflict (connection) do update set number = excluded.number, at = excluded.at
    returning pg_backend_pid() as pid, pg_current_xact_id()::text as xid`;
  return number === 1 ? `${REMOVE_OLD}; ${write}` : write;
}

/** Removes rows of closed connections. The longest import takes less than a day. */
const REMOVE_OLD = `delete from last_commits where connection in (
  select connection from last_commits where at < now() - interval '1 day' limit 100 for update skip locked)`;

/** Milliseconds between two questions about a transaction. */
const PAUSE = 50;

/** What became of a transaction whose commit got no response. */
type Outcome = 'committed' | 'aborted';

/**
 * Finds out what became of a transaction whose commit got no response, and resolves if it was committed. If the server
 * is still waiting for its client, its session is ended: otherwise, the locks of the transaction would remain.
 *
 * @param db runs the statement on another connection each time
 * @param patience milliseconds after which the outcome counts as unknown
 * @throws StoreUnavailable when the transaction was rolled back
 * @throws OutcomeUnknown when there is no answer in time
 */
export async function requireCommitted(
  db: Db,
  transaction: TransactionId | undefined,
  { patience, cause, result }: { readonly patience: number; readonly cause: unknown; readonly result: unknown },
): Promise<void> {
  const late = performance.now() + patience;
  while (transaction && performance.now() < late) {
    const outcome = await ask(db, transaction).catch(() => undefined);
    if (outcome === 'committed') return;
    if (outcome === 'aborted') {
      throw new StoreUnavailable('The connection to the database was lost, and the transaction was rolled back', {
        cause,
      });
    }
    await sleep(PAUSE);
  }
  const message = 'The connection to the database was lost, and it is not known whether the transaction was committed';
  throw new OutcomeUnknown(message, { cause, result });
}

/** `undefined` while the transaction is in progress, and on a standby, which may not have received it. */
async function ask(db: Db, { connection, number, pid, xid }: TransactionId): Promise<Outcome | undefined> {
  // Its session is asked for first: a transaction that has ended is visible to the statement after this one.
  const running = await db`select pg_terminate_backend(pid) from pg_stat_activity
    where pid = ${pid} and backend_xid = ${xid}::xid8::xid`;
  if (running.length > 0) return undefined;
  const [found] = await db<{ isStandby: boolean; isCommitted: boolean }>`select pg_is_in_recovery() as "isStandby",
    exists (select from last_commits where connection = ${connection} and number = ${number}) as "isCommitted"`;
  if (!found || found.isStandby) return undefined;
  return found.isCommitted ? 'committed' : 'aborted';
}
