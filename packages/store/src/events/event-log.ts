import { LIMITS } from '@broadsheet/contract';
import { dayOf, type Store } from '@broadsheet/core';
import type { Database, Pruning } from '../database.ts';
import { createPlacements, type DayPlacements, type EventWriter } from './counts.ts';
import { writeDeliveries } from './deliveries.ts';
import { createGroupCommit, type GroupCommit } from './group-commit.ts';
import { writeClicks, writeViewable } from './tokens.ts';

/** Records what readers do. Events of a blog that does not exist are dropped. */
export function createEventLog(database: Database, pruning: Pruning) {
  const { transact, eventDialect: dialect, groupsCommits, runtime } = database;
  const placements = createPlacements(database);
  const committed = { commits: 0, events: 0 };

  function queueOf<Item extends { readonly blogId: string }, Result>(
    write: (writer: EventWriter, items: readonly Item[]) => Promise<readonly Result[]>,
    placementsOf: (item: Item) => DayPlacements[],
  ): GroupCommit<Item, Result> {
    const commit = (purpose: 'together' | 'apart') => async (items: readonly Item[]) => {
      await placements.admit(items.flatMap(placementsOf));
      const results = await transact((db) => write({ db, dialect, placements }, items), { for: purpose });
      committed.commits += 1;
      committed.events += items.length;
      return results;
    };
    if (groupsCommits) return commitEach(commit('together'));
    return createGroupCommit(commit('together'), ({ blogId }) => blogId, commit('apart'), runtime);
  }

  const deliveries = queueOf(writeDeliveries, ({ blogId, delivery: { slots, timeZone }, at }) => [
    { blogId, day: dayOf(at, timeZone), names: slots.map(({ placement }) => placement) },
  ]);
  const clicks = queueOf(writeClicks, ({ blogId, at, timeZone, placement }) => [
    { blogId, day: dayOf(at, timeZone), names: [placement] },
  ]);
  const beacons = queueOf(writeViewable, ({ blogId, impressions }) =>
    impressions.map(({ day, placement }) => ({ blogId, day, names: [placement] })),
  );
  const recorded = {
    async deliver(blogId, delivery, at) {
      const delivered = await deliveries({ blogId, delivery, at });
      if (delivery.idempotency) pruning.at(at);
      return delivered;
    },
    async recordClick(blogId, click) {
      const outcome = await clicks({ blogId, ...click });
      pruning.at(click.at);
      return outcome;
    },
    async recordViewable(blogId, impressions) {
      await beacons({ blogId, impressions });
      for (const { tokenExpiresAt } of impressions) pruning.at(tokenExpiresAt - LIMITS.clickTokenTtl * 1000);
    },
  } satisfies Partial<Store>;
  return {
    recorded,
    /** Removes a blog, or all blogs, from the caches. */
    forget: placements.forget,
    /** The number of commits so far, and of the events in them. */
    committed,
    /** Resolves when all recorded events are durable. */
    async settled() {
      for (const queue of [deliveries, clicks, beacons]) await queue.settled();
    },
  };
}

/** Commits each item separately. */
function commitEach<Item, Result>(commit: (items: readonly Item[]) => Promise<readonly Result[]>) {
  // A commit gives one result for each item.
  const add = async (item: Item) => (await commit([item]))[0] as Result;
  return Object.assign(add, { settled: async () => undefined });
}
