import { createServerStore, type ServerStore } from '@broadsheet/management';
import {
  createEventLog,
  type createGroupCommit,
  createSqliteSearch,
  type Database,
  migrate,
  pruneEvents,
  SQLITE_EVENTS,
  SQLITE_SCHEMA,
} from '@broadsheet/store';
import { createDurableCopy, type DurableCopy } from './copy.ts';
import { createTransact, type DurableStorage, dbOn } from './driver.ts';

/** The store of an object, with the methods that only an object needs. */
export interface DurableStore extends ServerStore {
  readonly copy: DurableCopy;
  /** Removes events that are too old to matter. */
  prune(now: number): Promise<void>;
}

/**
 * Opens the store inside a Durable Object and brings its schema up to date.
 *
 * @param onEvent called when a click or an idempotency key was recorded; {@link DurableStore.prune} removes it later
 *
 * @example
 * ```ts
 * const store = await openDurableStore(this.ctx.storage);
 * ```
 */
export async function openDurableStore(storage: DurableStorage, onEvent: () => void = () => {}): Promise<DurableStore> {
  const database = await openDatabase(storage, onEvent);
  return {
    ...createServerStore(database),
    copy: createDurableCopy(database),
    prune: (now) => pruneEvents(database.transact, '', now),
  };
}

async function openDatabase(storage: DurableStorage, onEvent: () => void): Promise<Database> {
  const db = dbOn(storage);
  const transact = createTransact(storage);
  await transact((transaction) => migrate(transaction, SQLITE_SCHEMA));
  // There is no other writer, and own writes invalidate the caches directly.
  const changes: Database['changes'] = { epoch: () => 0, delay: 0, listen: () => {} };
  return {
    reader: db,
    transact,
    // There is no other writer, so a transaction is a snapshot.
    snapshot: transact,
    asBytes: (text) => text,
    pageCacheBytes: 8 * 1024 * 1024,
    search: createSqliteSearch(db),
    events: createEventLog(
      { reader: db, transact: (work) => transact(work), changes, dialect: SQLITE_EVENTS },
      commitEach,
    ),
    pruning: { at: onEvent, stop: async () => {} },
    changes,
    canHold: () => true,
    // Few, because each parameter is bound separately and one post may be as large as the largest row.
    rowsPerInsert: 5,
    close: async () => {},
  };
}

/**
 * Records each event separately, because a Durable Object commits the writes of an event together, and holds its
 * responses until they are durable.
 */
const commitEach: typeof createGroupCommit = <Item, Result>(
  commit: (items: readonly Item[]) => Promise<readonly Result[]>,
) => {
  // A commit gives one result for each item.
  const add = async (item: Item) => (await commit([item]))[0] as Result;
  return Object.assign(add, { settled: async () => undefined });
};
