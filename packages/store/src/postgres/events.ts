import { type Kysely, sql } from 'kysely';
import type { Changes, EventLog } from '../database.ts';
import type { EventDialect } from '../events/dialect.ts';
import { createEventLog } from '../events/event-log.ts';
import { type Column, EVENT_TABLES, TABLES, type Tables } from '../tables.ts';

/** Milliseconds that the commit of one blog waits for locked rows, after one that it shared; see `LOCK_TIMEOUT`. */
const WAIT_APART = 200;

const DIALECT: EventDialect = {
  lock: sql`for update`,
  skipLocked: sql`for update skip locked`,
  lockEvents: sql`lock table ${sql.join(EVENT_TABLES.map((name) => sql.table(name)))} in share row exclusive mode`,
  rows: Number.POSITIVE_INFINITY,
  byBytes: ' collate "C"',
  canChain: true,
  valuesOf(table, rows, first) {
    const columns = Object.entries<Column>(TABLES[table]);
    const arrays = columns.map(([, { type }], index) => `$${first + index}::${type}[]`);
    return {
      text: `select * from unnest(${arrays})`,
      parameters: columns.map(([name]) => rows.map((row) => row[name as keyof typeof row])),
    };
  },
};

/** Records events. A single statement commits without a transaction, which saves two round trips. */
export const createPostgresEvents = (db: Kysely<Tables>, changes: Changes): EventLog =>
  createEventLog({
    ...{ reader: db, changes, dialect: DIALECT },
    async transact(work, kind) {
      if (kind === 'single') return work(db);
      return db.transaction().execute(async (transaction) => {
        if (kind === 'apart') await sql`set local lock_timeout = ${sql.lit(WAIT_APART)}`.execute(transaction);
        return work(transaction);
      });
    },
  });
