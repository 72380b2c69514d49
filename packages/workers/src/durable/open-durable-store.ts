import { createPeopleStore, type ServerStore } from '@broadsheet/management';
import { createSqlStore, pruneEvents } from '@broadsheet/store';
import { sql } from 'kysely';
import { createDurableCopy, type DurableCopy } from './copy.ts';
import { openDurable } from './database.ts';
import type { DurableStorage } from './driver.ts';

/** The store of an object, and what only an object has. */
export interface DurableStore extends ServerStore {
  readonly copy: DurableCopy;
  /** Removes events that are too old to matter. */
  prune(now: number): Promise<void>;
}

/**
 * Opens the store inside of a Durable Object and brings its schema up to date.
 *
 * @param onClick called when a click was recorded; {@link DurableStore.prune} forgets it when it is too old to matter
 *
 * @example
 * ```ts
 * const store = await openDurableStore(this.ctx.storage);
 * ```
 */
export async function openDurableStore(storage: DurableStorage, onClick?: () => void): Promise<DurableStore> {
  const database = await openDurable(storage, onClick);
  return {
    ...createSqlStore(database),
    ...createPeopleStore(database),
    copy: createDurableCopy(database),
    prune: (now) => pruneEvents(database.transact, sql``, now),
  };
}
