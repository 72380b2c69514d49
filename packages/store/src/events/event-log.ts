import { LIMITS } from '@broadsheet/contract';
import { dayOf, type Impression, isExcluded, type Store } from '@broadsheet/core';
import type { Database, Pruning } from '../database.ts';
import { createPlacements, type DayPlacements, type EventWriter } from './counts.ts';
import { writeDeliveries } from './deliveries.ts';
import { createGroupCommit, type GroupCommit } from './group-commit.ts';
import { writeClicks, writeViewable } from './tokens.ts';
import { createTrafficCache, forgetTraffic } from './traffic.ts';

/** Records what readers do. Events of a blog that does not exist are dropped. */
export function createEventLog(database: Database, pruning: Pruning) {
  const { transact, eventDialect: dialect, groupsCommits, runtime } = database;
  const placements = createPlacements(database);
  const traffic = createTrafficCache();
  const committed = { commits: 0, events: 0 };

  function queueOf<Item extends { readonly blogId: string }, Result>(
    write: (writer: EventWriter, items: readonly Item[]) => Promise<readonly Result[]>,
    placementsOf: (item: Item) => DayPlacements[],
  ): GroupCommit<Item, Result> {
    const commit = (purpose: 'together' | 'apart') => async (items: readonly Item[]) => {
      await placements.admit(items.flatMap(placementsOf));
      const results = await transact((db) => write({ db, dialect, placements, traffic }, items), { for: purpose });
      committed.commits += 1;
      committed.events += items.length;
      return results;
    };
    if (groupsCommits) return commitEach(commit('together'));
    return createGroupCommit(commit('together'), ({ blogId }) => blogId, commit('apart'), runtime);
  }

  const deliveries = queueOf(writeDeliveries, ({ blogId, delivery, at }) =>
    named(delivery, { blogId, day: dayOf(at, delivery.timeZone), names: delivery.slots.map((slot) => slot.placement) }),
  );
  const clicks = queueOf(writeClicks, (click) =>
    named(click, { blogId: click.blogId, day: dayOf(click.at, click.timeZone), names: [click.placement] }),
  );
  const beacons = queueOf(writeViewable, ({ blogId, impressions }) =>
    impressions.flatMap((one) => named(one, { blogId, day: one.day, names: [one.placement] })),
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
    forget(blogId?: string): void {
      placements.forget(blogId);
      forgetTraffic(traffic, blogId);
    },
    /** The number of commits so far, and of the events in them. */
    committed,
    /** Resolves when all recorded events are durable. */
    async settled() {
      for (const queue of [deliveries, clicks, beacons]) await queue.settled();
    },
  };
}

/** The placements of an event that may take a number: strangers must not decide which placements a blog has. */
const named = (event: Pick<Impression, 'traffic'>, placements: DayPlacements): DayPlacements[] =>
  isExcluded(event) ? [] : [placements];

/** Commits each item separately. */
function commitEach<Item, Result>(commit: (items: readonly Item[]) => Promise<readonly Result[]>) {
  // A commit gives one result for each item.
  const add = async (item: Item) => (await commit([item]))[0] as Result;
  return Object.assign(add, { settled: async () => undefined });
}
