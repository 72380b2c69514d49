import { type Click, type ClickOutcome, type Delivered, dayOf, isExcluded } from '@broadsheet/core';
import { CompiledQuery, type Kysely, sql } from 'kysely';
import { chunks } from '../chunks.ts';
import type { Changes, EventLog, Transact } from '../database.ts';
import { ADD_COUNTS, type BlogDelivery, type EventDialect, Tally } from '../events/counts.ts';
import { ADD_HOURS, addUp, decide } from '../events/deliveries.ts';
import { createGroupCommit } from '../events/group-commit.ts';
import { createPlacements, type Placements } from '../events/placements.ts';
import { type BlogImpression, placementsOf, writeViewable } from '../events/viewable.ts';
import type { Tables } from '../tables.ts';

/** The number of rows in one statement: SQLite limits the number of parameters. */
const ROWS = 1000;

/**
 * Records events in transactions.
 *
 * @param together groups items into commits; by default, concurrent items share a commit
 */
export function createSqliteEvents(
  transact: Transact,
  changes: Changes,
  together: typeof createGroupCommit = createGroupCommit,
): EventLog {
  const committed = { commits: 0, events: 0 };
  const placements = createPlacements(changes);
  const counting = clearing(transact, placements);
  const measure = (items: readonly unknown[]) => {
    committed.commits += 1;
    committed.events += items.length;
  };
  const deliveries = together<BlogDelivery, Delivered>(async (items) => {
    const results = await counting(async (transaction) => {
      const decided = await decide(transaction, items, DIALECT);
      const { tally, hours } = addUp(items, decided);
      await writeCounts(transaction, tally, placements);
      await DIALECT.insert(transaction, 'hour_counts', hours, ADD_HOURS);
      return decided;
    });
    measure(items);
    return results;
  }, blogOf);
  const clicks = together<{ blogId: string; click: Click }, ClickOutcome>(
    (items) =>
      counting(async (transaction) => {
        const outcomes: ClickOutcome[] = [];
        for (const { blogId, click } of items) outcomes.push(await writeClick(transaction, blogId, click, placements));
        measure(items);
        return outcomes;
      }),
    blogOf,
  );
  const viewable = together<readonly BlogImpression[], void>(
    (beacons) =>
      counting(async (transaction) => {
        const items = beacons.flat();
        await placements.admit(transaction, placementsOf(items));
        await writeViewable(transaction, items, placements, DIALECT);
        measure(items);
        return beacons.map(() => undefined);
      }),
    ([impression]) => impression?.blogId ?? '',
  );
  return {
    deliver: (blogId, delivery, at) => deliveries({ blogId, delivery, at }),
    recordClick: (blogId, click) => clicks({ blogId, click }),
    recordViewable: (blogId, impressions) => viewable(impressions.map((impression) => ({ blogId, impression }))),
    // SQLite has only one write transaction at a time.
    lock: async () => {},
    skipLocked: sql``,
    forget: placements.forget,
    committed,
    async settled() {
      await deliveries.settled();
      await clicks.settled();
      await viewable.settled();
    },
  };
}

/** A rollback also removes the placements that the transaction added, so the cache is cleared. */
const clearing =
  (transact: Transact, placements: Placements): Transact =>
  async (work) => {
    try {
      return await transact(work);
    } catch (error) {
      placements.clear();
      throw error;
    }
  };

const blogOf = ({ blogId }: { readonly blogId: string }): string => blogId;

const DIALECT: EventDialect = {
  // SQLite has only one write transaction at a time, so there is nothing to lock.
  lock: sql``,
  // Without Kysely's query builder, which takes longer than running the query.
  async insert<Row extends object>(db: Kysely<Tables>, table: string, rows: readonly Row[], onConflict: string) {
    const returned: Row[] = [];
    for (const some of chunks(rows, ROWS)) {
      const columns = Object.keys(some[0] ?? {});
      const tuple = `(${columns.map(() => '?')})`;
      const fresh = `with fresh (${columns}) as (values ${some.map(() => tuple)})`;
      const existing = 'select * from fresh where blog_id in (select blog_id from blogs)';
      const text = `${fresh} insert into ${table} (${columns}) ${existing} on conflict ${onConflict}`;
      const values = some.flatMap((row) => Object.values(row));
      returned.push(...(await db.executeQuery<Row>(CompiledQuery.raw(text, values))).rows);
    }
    return returned;
  },
};

async function writeCounts(db: Kysely<Tables>, tally: Tally, placements: Placements): Promise<void> {
  await placements.admit(db, tally.rows);
  await DIALECT.insert(db, 'counts', tally.named(placements), ADD_COUNTS);
}

/**
 * Marks a token as used and counts its click unless it is a repeat, in a transaction. Each step is a conditional write
 * whose result shows the earlier state, so that no check is separate from its write.
 */
async function writeClick(
  db: Kysely<Tables>,
  blogId: string,
  click: Click,
  placements: Placements,
): Promise<ClickOutcome> {
  const used = await sql`insert into used_tokens (blog_id, token_id, expires_at)
    select blog_id, ${click.tokenId}, ${click.tokenExpiresAt} from blogs where blog_id = ${blogId}
    on conflict do nothing returning token_id`.execute(db);
  if (used.rows.length === 0) return 'used';
  if (click.visitor !== undefined) {
    const counted = await sql`insert into counted_clicks (blog_id, ad_id, visitor, at)
      values (${blogId}, ${click.adId}, ${click.visitor}, ${click.at})
      on conflict (blog_id, ad_id, visitor) do update set at = excluded.at where counted_clicks.at < ${click.repeatSince}
      returning at`.execute(db);
    if (counted.rows.length === 0) return 'repeated';
  }
  const day = dayOf(click.at, click.timeZone);
  if (click.campaignId !== undefined && !isExcluded(click)) {
    await sql`insert into campaign_counts (blog_id, campaign_id, day, clicks)
      values (${blogId}, ${click.campaignId}, ${day}, 1)
      on conflict (blog_id, campaign_id, day) do update set clicks = campaign_counts.clicks + 1`.execute(db);
  }
  const tally = new Tally();
  tally.rowOf(blogId, day, click).clicks += 1;
  await writeCounts(db, tally, placements);
  return 'counted';
}
