import { type createGroupCommit, createSqliteEvents, type EventLog, type Transact } from '@broadsheet/store';

/**
 * Records each event by itself: a Durable Object commits together what was written together, and holds its answers back
 * until that is durable.
 */
export function createDurableEvents(transact: Transact): EventLog {
  return createSqliteEvents(transact, commitEach);
}

const commitEach: typeof createGroupCommit = <Item, Result>(
  commit: (items: readonly Item[]) => Promise<readonly Result[]>,
) => {
  // A commit gives one result for each item.
  const add = async (item: Item) => (await commit([item]))[0] as Result;
  return Object.assign(add, { settled: async () => undefined });
};
