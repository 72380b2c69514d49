import { LIMITS } from '@broadsheet/contract';
import { BIN_LIFE } from '../blogs/recycle-bin.ts';
import type { Database, Pruning, Report } from '../database.ts';
import { RUNTIME } from '../runtime.ts';
import { type Db, names } from '../sql.ts';
import { primaryKey, type TableName } from '../tables.ts';
import { doStep } from '../turns.ts';

const HOUR = 60 * 60 * 1000;
/** The time for which a token is stored after its expiry, because the clocks of processes differ. */
const TOKENS_REMEMBERED = HOUR;
/** The time for which an idempotency key is stored: twice as long as it is in use. */
const KEYS_REMEMBERED = 2 * LIMITS.idempotencyWindow;
/** The time for which the last counted click of a visitor is stored: longer than the window for repeated clicks. */
const CLICKS_REMEMBERED = 24 * HOUR;
/** The time for which webhook messages are stored: longer than they are retried. */
const MESSAGES_REMEMBERED = 14 * 24 * HOUR;
/** Milliseconds between two rounds. */
const PAUSE = 5 * 60 * 1000;
/** The number of rows that are removed before other writes have their turn. */
const SLICE = 500;

type PrunedDatabase = Pick<Database, 'transact' | 'eventDialect' | 'runtime'>;

/**
 * Removes old events by the time that has certainly passed. Otherwise, while a clock is wrongly set to the future, it
 * would remove tokens that are valid again once the clock is corrected. Time is measured by the monotonic clock, from
 * the latest event in the database at the first round of this process.
 */
export function createPruning(database: PrunedDatabase, report: Report): Pruning {
  const { monotonic } = database.runtime ?? RUNTIME;
  let base: { readonly timestamp: number; readonly passed: number } | undefined;
  let last = Number.NEGATIVE_INFINITY;
  let round: Promise<void> | undefined;
  let stopped = false;

  async function certainly(now: number): Promise<number> {
    base ??= { timestamp: await database.transact((db) => latestEvent(db, now)), passed: monotonic() };
    return Math.floor(Math.min(now, base.timestamp + monotonic() - base.passed));
  }

  async function prune(now: number): Promise<void> {
    await pruneEvents(database, await certainly(now), () => stopped);
  }

  return {
    at(now) {
      if (stopped || round || monotonic() - last < PAUSE) return;
      last = monotonic();
      round = prune(now)
        .catch((error: unknown) =>
          report('Old click tokens and idempotency keys could not be removed; the next round tries again', error),
        )
        .finally(() => {
          round = undefined;
        });
    },
    async stop() {
      stopped = true;
      await round;
    },
  };
}

/**
 * Removes events that are too old to matter.
 *
 * @param sure a time that has certainly passed
 * @param stopped whether the round should end early
 */
export async function pruneEvents(
  { transact, eventDialect: { skipLocked }, runtime }: PrunedDatabase,
  sure: number,
  stopped: () => boolean = () => false,
): Promise<void> {
  const old: readonly (readonly [table: TableName, column: string, before: number | string])[] = [
    ['used_tokens', 'expires_at', sure - TOKENS_REMEMBERED],
    ['viewed_tokens', 'expires_at', sure - TOKENS_REMEMBERED],
    ['deliveries', 'at', sure - KEYS_REMEMBERED],
    ['counted_clicks', 'at', sure - CLICKS_REMEMBERED],
    ['recycle_bin', 'deleted_at', sure - BIN_LIFE],
    ['webhook_messages', 'created_at', new Date(sure - MESSAGES_REMEMBERED).toISOString()],
    ['uploads', 'expires_at', sure],
  ];
  for (const [name, column, before] of old) {
    const [table, age, key] = [names(name), names(column), names(...primaryKey(name))];
    const removeSome = (db: Db) => db`delete from ${table} where (${key}) in (select ${key} from ${table}
      where ${age} < ${before} order by ${age} limit ${SLICE} ${skipLocked}) returning 1`;
    for (let removed = SLICE; removed >= SLICE && !stopped(); ) {
      removed = (await doStep(() => transact(removeSome), runtime)).length;
    }
  }
}

/** The latest past timestamp of an event, or `now` when there are no events. */
async function latestEvent(db: Db, now: number): Promise<number> {
  const rows = await db<{ at: number | null }>`
    select max(at) as at from (
      select max(expires_at) as at from used_tokens where expires_at <= ${now}
      union all select max(expires_at) as at from viewed_tokens where expires_at <= ${now}
      union all select max(at) as at from deliveries where at <= ${now}
    ) as latest`;
  return rows[0]?.at ?? now;
}
