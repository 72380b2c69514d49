import {
  type createGroupCommit,
  createSqliteEvents,
  createSqliteSearch,
  type Database,
  migrate,
  type Ready,
  SQLITE_SCHEMA,
} from '@broadsheet/store';
import { sql } from 'kysely';
import { createTransact, type DurableStorage, kyselyOver, runStatement } from './driver.ts';

/**
 * Opens the database inside of a Durable Object and brings its schema up to date.
 *
 * @param onEvent called when a click or an idempotency key was recorded, which is to be removed later
 */
export async function openDurable(storage: DurableStorage, onEvent: () => void = () => {}): Promise<Database> {
  const db = kyselyOver(storage);
  const transact = createTransact(storage, db);
  await transact((transaction) => migrate(transaction, SQLITE_SCHEMA));
  const ready: Ready =
    <Row>({ sql: text }: { readonly sql: string }) =>
    (parameters: readonly unknown[]) =>
      runStatement<Row>(storage, text, parameters);
  return {
    reader: db,
    transact,
    transactBulk: transact,
    transactImport: (work) => transact((transaction) => work(transaction, async () => {})),
    transactSoon: transact,
    // Nobody else writes, so the whole of a transaction is one moment.
    snapshot: transact,
    ready,
    asBytes: (text) => text,
    pageCacheBytes: 8 * 1024 * 1024,
    search: createSqliteSearch(db),
    events: createSqliteEvents(transact, commitEach),
    async check() {
      await transact((transaction) => sql`update schema_version set version = version`.execute(transaction));
    },
    // What this object writes clears what it remembers, and nobody else writes.
    pruning: { at: onEvent, stop: async () => {} },
    changes: { epoch: () => 0, listen: () => {} },
    canHold: () => true,
    // So few that each parameter is bound by itself: a post may be as large as a row may be.
    rowsPerInsert: 5,
    duringBulk: async () => {},
    afterBulk: async () => {},
    close: () => db.destroy(),
  };
}

/**
 * Records each event alone: a Durable Object commits together what was written together, and holds its responses back
 * until that is durable.
 */
const commitEach: typeof createGroupCommit = <Item, Result>(
  commit: (items: readonly Item[]) => Promise<readonly Result[]>,
) => {
  // A commit gives one result for each item.
  const add = async (item: Item) => (await commit([item]))[0] as Result;
  return Object.assign(add, { settled: async () => undefined });
};
