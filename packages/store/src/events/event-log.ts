import { dayOf } from '@broadsheet/core';
import type { Kysely } from 'kysely';
import type { Changes, EventLog } from '../database.ts';
import type { Tables } from '../tables.ts';
import type { BlogDelivery } from './campaigns.ts';
import { needsDecision, writeDeliveries } from './deliveries.ts';
import type { EventDialect, EventWriter } from './dialect.ts';
import { createGroupCommit } from './group-commit.ts';
import { createPlacements, type DayPlacements } from './placements.ts';
import { type BlogBeacon, type BlogClick, writeClicks, writeViewable } from './tokens.ts';

/**
 * How events are committed: those of several blogs are `shared`; those of one blog are `apart` after such a commit failed,
 * and may wait longer for locked rows; `single` is one statement, which needs no transaction where it is one itself.
 */
export type CommitKind = 'shared' | 'apart' | 'single';

/** What an event log needs of a database. */
export interface EventDatabase {
  readonly reader: Kysely<Tables>;
  transact<T>(work: (db: Kysely<Tables>) => Promise<T>, kind: CommitKind): Promise<T>;
  readonly changes: Pick<Changes, 'epoch' | 'listen'>;
  readonly dialect: EventDialect;
}

/** Writes events of one kind in a transaction, and returns a result for each. */
interface EventKind<Item, Result> {
  write(writer: EventWriter, items: readonly Item[]): Promise<readonly Result[]>;
  placementsOf(item: Item): DayPlacements[];
  /** Whether events can be written in a single statement. */
  isSingle?(items: readonly Item[]): boolean;
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
  const placements = createPlacements(reader, (work) => transact(work, 'single'), changes);

  function queueOf<Item extends { readonly blogId: string }, Result>({
    write,
    placementsOf,
    isSingle,
  }: EventKind<Item, Result>) {
    const commit = (shared: CommitKind) => async (items: readonly Item[]) => {
      await placements.admit(items.flatMap(placementsOf));
      const kind = shared === 'shared' && isSingle?.(items) ? 'single' : shared;
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
    isSingle: (items) => !items.some(needsDecision),
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
      await dialect.lockEvents?.execute(db);
    },
    skipLocked: dialect.skipLocked,
    forget: placements.forget,
    committed,
    async settled() {
      for (const queue of [deliveries, clicks, beacons]) await queue.settled();
    },
  };
}
