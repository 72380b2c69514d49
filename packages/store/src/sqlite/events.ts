import { type Click, type ClickOutcome, type Delivered, dayOf } from '@broadsheet/core';
import { CompiledQuery, type Kysely, sql } from 'kysely';
import { chunks } from '../chunks.ts';
import type { EventLog, Transact } from '../database.ts';
import { type DecisionDialect, decide, KEEP_IN_USE } from '../events/deliveries.ts';
import { createGroupCommit } from '../events/group-commit.ts';
import {
  ADD_HOURS,
  ADD_IMPRESSIONS,
  ADD_SLOTS,
  addUp,
  type BlogDelivery,
  type Counts,
  named,
} from '../events/impressions.ts';
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
  together: typeof createGroupCommit = createGroupCommit,
): EventLog {
  const committed = { commits: 0, events: 0 };
  const placements = createPlacements();
  /** A rollback also removes the placements that the transaction added, so the cache is cleared. */
  const counting: Transact = async (work) => {
    try {
      return await transact(work);
    } catch (error) {
      placements.clear();
      throw error;
    }
  };
  const measure = (items: readonly unknown[]) => {
    committed.commits += 1;
    committed.events += items.length;
  };
  const deliveries = together<BlogDelivery, Delivered>(async (items) => {
    const results = await counting(async (transaction) => {
      const decided = await decide(transaction, items, DIALECT);
      await writeImpressions(transaction, addUp(items, decided), placements);
      return decided;
    });
    measure(items);
    return results;
  });
  const clicks = together<{ blogId: string; click: Click }, ClickOutcome>((items) =>
    counting(async (transaction) => {
      const outcomes: ClickOutcome[] = [];
      for (const { blogId, click } of items) outcomes.push(await writeClick(transaction, blogId, click, placements));
      measure(items);
      return outcomes;
    }),
  );
  const viewable = together<readonly BlogImpression[], void>((beacons) =>
    counting(async (transaction) => {
      const items = beacons.flat();
      await placements.admit(transaction, placementsOf(items));
      await writeViewable(transaction, items, placements);
      measure(items);
      return beacons.map(() => undefined);
    }),
  );
  return {
    deliver: (blogId, delivery, at) => deliveries({ blogId, delivery, at }),
    recordClick: (blogId, click) => clicks({ blogId, click }),
    recordViewable: (blogId, impressions) => viewable(impressions.map((impression) => ({ blogId, impression }))),
    // SQLite has only one write transaction at a time.
    lock: async () => {},
    skipLocked: sql``,
    committed,
    async settled() {
      await deliveries.settled();
      await clicks.settled();
      await viewable.settled();
    },
  };
}

/** Counts impressions, in a transaction. */
async function writeImpressions(db: Kysely<Tables>, counts: Counts, placements: Placements): Promise<void> {
  await insert(db, 'ad_counts', counts.ads, ADD_IMPRESSIONS);
  await insert(db, 'hour_counts', counts.hours, ADD_HOURS);
  await placements.admit(db, counts.placements);
  await insert(db, 'placement_counts', named(counts.placements, placements.nameOf), ADD_SLOTS);
}

const DIALECT: DecisionDialect = {
  // SQLite has only one write transaction at a time, so there is nothing to lock.
  lock: sql``,
  insertKeys: (db, rows) => insert(db, 'deliveries', rows, KEEP_IN_USE),
};

/** Inserts the rows of existing blogs. Without Kysely's query builder, which takes longer than running the query. */
async function insert<Row extends { readonly blog_id: string }>(
  db: Kysely<Tables>,
  table: 'ad_counts' | 'placement_counts' | 'hour_counts' | 'deliveries',
  rows: readonly Row[],
  onConflict: string,
): Promise<readonly Row[]> {
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
  await sql`insert into ad_counts (blog_id, day, ad_id, impressions, clicks)
    values (${blogId}, ${day}, ${click.adId}, 0, 1)
    on conflict (blog_id, day, ad_id) do update set clicks = ad_counts.clicks + 1`.execute(db);
  await sql`insert into campaign_counts (blog_id, campaign_id, day, impressions, clicks)
    select blog_id, campaign_id, ${day}, 0, 1 from ads
    where blog_id = ${blogId} and id = ${click.adId} and campaign_id is not null
    on conflict (blog_id, campaign_id, day) do update set clicks = campaign_counts.clicks + 1`.execute(db);
  if (click.placement === undefined) return 'counted';
  const wanted = { blog_id: blogId, day, placement: click.placement };
  await placements.admit(db, [wanted]);
  await sql`insert into placement_counts (blog_id, day, placement, ad_id, slots, clicks)
    values (${blogId}, ${day}, ${placements.nameOf(wanted)}, ${click.adId}, 0, 1)
    on conflict (blog_id, day, placement, ad_id) do update set clicks = placement_counts.clicks + 1`.execute(db);
  return 'counted';
}
