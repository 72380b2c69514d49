import { LIMITS } from '@broadsheet/contract';
import type { Store } from '@broadsheet/core';
import type { Database, Pruning } from '../database.ts';
import { createPlacements, type EventWriter } from './counts.ts';
import { writeDeliveries } from './deliveries.ts';
import { createGroupCommit, type GroupCommit } from './group-commit.ts';
import { writeClicks, writeViewable } from './tokens.ts';

/** Records what readers do. Events of a blog that does not exist are dropped. */
export function createEventLog(
  { transact, changes, eventDialect: dialect, groupsCommits }: Database,
  pruning: Pruning,
) {
  const placements = createPlacements(changes);
  const committed = { commits: 0, events: 0 };

  function queueOf<Item extends { readonly blogId: string }, Result>(
    write: (writer: EventWriter, items: readonly Item[]) => Promise<readonly Result[]>,
  ): GroupCommit<Item, Result> {
    const commit = (purpose: 'together' | 'apart') => async (items: readonly Item[]) => {
      const results = await transact((db) => write({ db, dialect, placements }, items), { for: purpose });
      committed.commits += 1;
      committed.events += items.length;
      return results;
    };
    if (groupsCommits) return commitEach(commit('together'));
    return createGroupCommit(commit('together'), ({ blogId }) => blogId, commit('apart'));
  }

  const deliveries = queueOf(writeDeliveries);
  const clicks = queueOf(writeClicks);
  const beacons = queueOf(writeViewable);
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
