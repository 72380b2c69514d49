import { sql } from 'kysely';
import { type EventDialect, ROWS } from '../events/dialect.ts';

/** How SQLite writes events: it has only one write transaction at a time, so there is nothing to lock. */
export const SQLITE_EVENTS: EventDialect = {
  lock: sql``,
  skipLocked: sql``,
  rows: ROWS,
  byBytes: '',
  canChain: false,
  valuesOf(_, rows) {
    const columns = Object.keys(rows[0] ?? {});
    // Parameters without numbers: `node:sqlite` looks up the name of every numbered one, which takes long.
    const row = `(${columns.map(() => '?')})`;
    return { text: `values ${rows.map(() => row)}`, parameters: rows.flatMap((values) => Object.values(values)) };
  },
};
