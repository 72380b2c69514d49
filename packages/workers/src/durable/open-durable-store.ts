import {
  createSqliteSearch,
  createSqlStore,
  type Database,
  migrate,
  pruneEvents,
  SQLITE_EVENTS,
  SQLITE_SCHEMA,
  type SqlStore,
} from '@broadsheet/store';
import { createDurableCopy, type DurableCopy } from './copy.ts';
import { createTransact, type DurableStorage, dbOn } from './driver.ts';

/** The store of an object, with the methods that only an object needs. */
export interface DurableStore extends SqlStore {
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
    ...createSqlStore(database),
    copy: createDurableCopy(database),
    prune: (now) => pruneEvents(database, now),
  };
}

/** Few, because each parameter is bound separately and one post may be as large as the largest row. */
const ROWS_PER_INSERT = 5;

async function openDatabase(storage: DurableStorage, onEvent: () => void): Promise<Database> {
  const db = dbOn(storage);
  const transact = createTransact(storage);
  const search = createSqliteSearch(db);
  await transact((transaction) =>
    migrate(transaction, { dialect: SQLITE_SCHEMA, search, rowsPerInsert: ROWS_PER_INSERT }),
  );
  return {
    reader: db,
    transact,
    // There is no other writer, so a transaction is a snapshot.
    snapshot: transact,
    asBytes: (text) => text,
    pageCacheBytes: 8 * 1024 * 1024,
    search,
    schema: SQLITE_SCHEMA,
    eventDialect: SQLITE_EVENTS,
    // A Durable Object commits the writes of an event together, and holds its responses until they are durable.
    groupsCommits: true,
    pruning: { at: onEvent, stop: async () => {} },
    // There is no other writer, and own writes invalidate the caches directly.
    changes: { epoch: () => 0, delay: 0, listen: () => {} },
    canHold: () => true,
    rowsPerInsert: ROWS_PER_INSERT,
    close: async () => {},
  };
}
