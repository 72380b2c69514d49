import type { Report } from '../database.ts';
import type { ServerStore } from '../server-store.ts';
import { createSqlStore } from '../sql-store.ts';
import { openDurable } from './database.ts';
import type { DurableStorage } from './driver.ts';

/**
 * Opens the store inside of a Durable Object and brings its schema up to date.
 *
 * @example
 * ```ts
 * const store = await openDurableStore(this.ctx.storage);
 * ```
 */
export async function openDurableStore(storage: DurableStorage, report?: Report): Promise<ServerStore> {
  return createSqlStore(await openDurable(storage), report);
}
