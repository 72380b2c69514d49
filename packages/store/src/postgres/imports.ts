import { StoreUnavailable } from '@broadsheet/core';
import { type Database, IMPORT_ATTEMPTS, KEPT_CHANGING } from '../database.ts';
import type { Db } from '../sql.ts';
import type { Postgres } from './driver.ts';

/** An arbitrary number, the same in every Broadsheet: imports hold a lock with this number and the hash of their blog. */
const IMPORT_LOCK = 450_728_193;
/** Milliseconds that a write waits for an import. */
const PATIENCE = 250;

/**
 * Imports in long transactions, which lock the rows of their blogs. A leaked key and a post that was published by
 * mistake cannot wait for that long: a write that waits ends the connection of the import, which then starts again.
 *
 * @param bulk has no time limits
 */
export function createPostgresImports(db: Db, bulk: Postgres): Pick<Database, 'stageImport' | 'interruptImports'> {
  return {
    async stageImport(work) {
      for (let attempt = 1; ; attempt += 1) {
        let hasBegun = false;
        try {
          return await bulk.write((transaction) => {
            hasBegun = true;
            return work(transaction, async (blogId) => {
              await transaction`select pg_advisory_xact_lock(${IMPORT_LOCK}, hashtext(${blogId}))`;
            });
          });
        } catch (error) {
          // It was certainly rolled back: an import whose outcome is not known is never run again.
          if (!hasBegun || !(error instanceof StoreUnavailable)) throw error;
          if (attempt === IMPORT_ATTEMPTS) throw new StoreUnavailable(KEPT_CHANGING, { cause: error });
        }
      }
    },
    interruptImports(blogId) {
      // If this fails, the write waits up to the time limit of a statement.
      const timer = setInterval(() => endBlocking(db, blogId).catch(() => {}), PATIENCE);
      return () => clearInterval(timer);
    },
  };
}

/** Ends the connections of the imports of a blog that make others wait for locked rows. */
async function endBlocking(db: Db, blogId: string): Promise<void> {
  await db`select pg_terminate_backend(pid) from pg_locks as import
    where locktype = 'advisory' and granted and classid = ${IMPORT_LOCK}
      and objid = (hashtext(${blogId})::bigint & 4294967295)::oid
      and database = (select oid from pg_database where datname = current_database())
      and exists (select from pg_locks as waiting where not waiting.granted and waiting.locktype <> 'advisory'
        and import.pid = any(pg_blocking_pids(waiting.pid)))`;
}
