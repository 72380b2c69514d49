import { setTimeout as sleep } from 'node:timers/promises';
import { OutcomeUnknown, StoreUnavailable } from '@broadsheet/core';
import sql from 'sql-template-tag';
import type { Db } from '../sql.ts';

/**
 * Identifies a transaction. A standby that takes over may have lost the transaction, and may give its id to another one,
 * but it begins a new timeline.
 */
export interface TransactionId {
  readonly id: string;
  readonly timeline: string;
}

/** The timeline of the server, which is the beginning of the name of its current WAL file. */
const TIMELINE = sql`left(pg_walfile_name(pg_current_wal_lsn()), 8)`;

/**
 * A statement that returns a {@link TransactionId}. It is sent with the beginning of a transaction, so it needs no
 * round trip of its own.
 */
export const IDENTIFY = `select pg_current_xact_id()::text as id, ${TIMELINE.sql} as timeline`;

/** Milliseconds between two questions about a transaction. */
const PAUSE = 50;

/** What became of a transaction whose commit got no response. */
type Outcome = 'committed' | 'aborted';

/**
 * Finds out what became of a transaction whose commit got no response, and resolves if it was committed. If the server
 * is still waiting for its client, its session is ended: without it, the locks of the transaction would remain.
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

/** `undefined` while the transaction is in progress, or when another server has taken over. */
async function ask(db: Db, { id, timeline }: TransactionId): Promise<Outcome | undefined> {
  const [found] = await db<{ status: string | null; isSame: boolean }>`
    select pg_xact_status(${id}::xid8) as status, ${TIMELINE} = ${timeline} as "isSame"`;
  if (found?.status === 'in progress') await endSession(db, id);
  const { status, isSame } = found ?? {};
  return isSame && (status === 'committed' || status === 'aborted') ? status : undefined;
}

/** Ends the session of a transaction. A server that is committing it finishes that first. */
const endSession = (db: Db, id: string): Promise<unknown> =>
  db`select pg_terminate_backend(pid) from pg_stat_activity where backend_xid = ${id}::xid8::xid`;
