import { dayOf } from '@broadsheet/core';
import type { Changes, EventLog } from '../database.ts';
import type { Db } from '../sql.ts';
import type { BlogDelivery } from './campaigns.ts';
import { writeDeliveries } from './deliveries.ts';
import type { EventDialect, EventWriter } from './dialect.ts';
import { createGroupCommit } from './group-commit.ts';
import { createPlacements, type DayPlacements } from './placements.ts';
import { type BlogBeacon, type BlogClick, writeClicks, writeViewable } from './tokens.ts';

/**
 * How events are committed. A `shared` commit has events of several blogs. After it has failed, each blog gets commits
 * of its own (`apart`), which may wait longer for locked rows.
 */
export type CommitKind = 'shared' | 'apart';

/** The functions that an event log needs from a database. */
export interface EventDatabase {
  readonly reader: Db;
  transact<T>(work: (db: Db) => Promise<T>, kind: CommitKind): Promise<T>;
  readonly changes: Pick<Changes, 'epoch' | 'listen'>;
  readonly dialect: EventDialect;
}

/** Writes events of one kind in a transaction, and returns a result for each. */
interface EventKind<Item, Result> {
  write(writer: EventWriter, items: readonly Item[]): Promise<readonly Result[]>;
  placementsOf(item: Item): DayPlacements[];
}

/**
 * Records events of readers.
 *
 * @param together groups items into commits; by default, concurrent items share a commit
 */
export function createEventLog(
  { reader, transact, changes, dialect }: EventDatabase,
  together: typeof createGroupCommit = createGroupCommit,
): EventLog {
  const committed = { commits: 0, events: 0 };
  const placements = createPlacements(reader, (work) => transact(work, 'shared'), changes);

  function queueOf<Item extends { readonly blogId: string }, Result>({ write, placementsOf }: EventKind<Item, Result>) {
    const commit = (kind: CommitKind) => async (items: readonly Item[]) => {
      await placements.admit(items.flatMap(placementsOf));
      const results = await transact((db) => write({ db, dialect, placements }, items), kind);
      committed.commits += 1;
      committed.events += items.length;
      return results;
    };
    return together<Item, Result>(commit('shared'), ({ blogId }) => blogId, commit('apart'));
  }

  const deliveries = queueOf({
    write: writeDeliveries,
    placementsOf: ({ blogId, delivery: { slots, timeZone }, at }: BlogDelivery) => [
      { blogId, day: dayOf(at, timeZone), names: slots.map(({ placement }) => placement) },
    ],
  });
  const clicks = queueOf({
    write: writeClicks,
    placementsOf: ({ blogId, at, timeZone, placement }: BlogClick) => [
      { blogId, day: dayOf(at, timeZone), names: [placement] },
    ],
  });
  const beacons = queueOf({
    write: writeViewable,
    placementsOf: ({ blogId, impressions }: BlogBeacon) =>
      impressions.map(({ day, placement }) => ({ blogId, day, names: [placement] })),
  });
  return {
    deliver: (blogId, delivery, at) => deliveries({ blogId, delivery, at }),
    recordClick: (blogId, click) => clicks({ blogId, ...click }),
    recordViewable: (blogId, impressions) => beacons({ blogId, impressions }),
    async lock(db) {
      if (dialect.lockEvents) await db`${dialect.lockEvents}`;
    },
    skipLocked: dialect.skipLocked,
    forget: placements.forget,
    committed,
    async settled() {
      for (const queue of [deliveries, clicks, beacons]) await queue.settled();
    },
  };
}
