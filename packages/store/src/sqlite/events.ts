import type { Click, ClickOutcome, Delivered } from '@broadsheet/core';
import { CompiledQuery, type Kysely, sql } from 'kysely';
import { chunks } from '../chunks.ts';
import type { Transact } from '../database.ts';
import { type BlogDelivery, decide } from '../events/deliveries.ts';
import type { EventLog } from '../events/event-log.ts';
import { createGroupCommit } from '../events/group-commit.ts';
import { addUp, dayOf, named } from '../events/impressions.ts';
import { createPlacements, type Placements } from '../events/placements.ts';
import type { Tables } from '../tables.ts';

/** Rows of one statement: SQLite bounds the number of parameters. */
const ROWS = 1000;

/**
 * Records events in transactions.
 *
 * @param together makes of a commit of many items one of each; by default those that come together share one
 */
export function createSqliteEvents(
  transact: Transact,
  together: typeof createGroupCommit = createGroupCommit,
): EventLog {
  const committed = { commits: 0, events: 0 };
  const placements = createPlacements();
  /** A transaction that is taken back takes back the placements it added. */
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
      const decided = await decide(transaction, items);
      const counted = items.filter((_, index) => decided[index]?.outcome === 'counted');
      await writeImpressions(transaction, counted, placements);
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
  return {
    deliver: (blogId, delivery, at) => deliveries({ blogId, delivery, at }),
    recordClick: (blogId, click) => clicks({ blogId, click }),
    // A transaction that writes is the only one.
    lock: async () => {},
    skipLocked: sql``,
    committed,
    async settled() {
      await deliveries.settled();
      await clicks.settled();
    },
  };
}

/** Adds up impressions and counts them, in a transaction. */
async function writeImpressions(
  db: Kysely<Tables>,
  items: readonly BlogDelivery[],
  placements: Placements,
): Promise<void> {
  const counts = addUp(items);
  const blogs = await readExisting(db, [...new Set(items.map(({ blogId }) => blogId))]);
  const ofExisting = <R extends { blog_id: string }>(rows: readonly R[]) =>
    chunks(
      rows.filter(({ blog_id }) => blogs.has(blog_id)),
      ROWS,
    );
  for (const rows of ofExisting(counts.ads)) {
    const add = '(blog_id, day, ad_id) do update set impressions = ad_counts.impressions + excluded.impressions';
    await insert(db, 'ad_counts', rows, add);
  }
  await placements.admit(
    db,
    counts.placements.map((row) => ({ ...row, blogId: row.blog_id })),
  );
  for (const rows of ofExisting(named(counts.placements, placements.nameOf))) {
    const add = '(blog_id, day, placement, ad_id) do update set slots = placement_counts.slots + excluded.slots';
    await insert(db, 'placement_counts', rows, add);
  }
}

async function readExisting(db: Kysely<Tables>, blogIds: readonly string[]): Promise<ReadonlySet<string>> {
  const existing = new Set<string>();
  for (const some of chunks(blogIds, ROWS)) {
    const text = `select blog_id from blogs where blog_id in (${some.map((_, index) => `?${index + 1}`)})`;
    const { rows } = await db.executeQuery<{ blog_id: string }>(CompiledQuery.raw(text, [...some]));
    for (const { blog_id } of rows) existing.add(blog_id);
  }
  return existing;
}

/** Impressions come thousands of times a second, and building a query of many rows takes longer than running it. */
async function insert(
  db: Kysely<Tables>,
  table: 'ad_counts' | 'placement_counts',
  rows: readonly object[],
  onConflict: string,
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  let number = 0;
  // A Durable Object needs the numbers.
  const tuple = () => `(${columns.map(() => `?${++number}`)})`;
  const text = `insert into ${table} (${columns}) values ${rows.map(tuple)} on conflict ${onConflict}`;
  await db.executeQuery(
    CompiledQuery.raw(
      text,
      rows.flatMap((row) => Object.values(row)),
    ),
  );
}

/**
 * Uses a token up and counts its click unless it repeats one, in a transaction. Each step is a conditional write
 * whose effect shows what was there, so that no moment lies between looking and writing.
 */
async function writeClick(
  db: Kysely<Tables>,
  blogId: string,
  click: Click,
  placements: Placements,
): Promise<ClickOutcome> {
  const used = await db
    .insertInto('used_tokens')
    .columns(['blog_id', 'token_id', 'expires_at'])
    .expression(
      db
        .selectFrom('blogs')
        .select(['blog_id', sql.val(click.tokenId).as('token_id'), sql.val(click.tokenExpiresAt).as('expires_at')])
        .where('blog_id', '=', blogId),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('token_id')
    .execute();
  if (used.length === 0) return 'used';
  if (click.visitor !== undefined) {
    const counted = await db
      .insertInto('counted_clicks')
      .values({ blog_id: blogId, ad_id: click.adId, visitor: click.visitor, at: click.at })
      .onConflict((conflict) =>
        conflict
          .columns(['blog_id', 'ad_id', 'visitor'])
          .doUpdateSet({ at: click.at })
          .where('counted_clicks.at', '<', click.repeatSince),
      )
      .returning('at')
      .execute();
    if (counted.length === 0) return 'repeated';
  }
  const day = dayOf(click.at);
  await db
    .insertInto('ad_counts')
    .values({ blog_id: blogId, day, ad_id: click.adId, impressions: 0, clicks: 1 })
    .onConflict((conflict) =>
      conflict.columns(['blog_id', 'day', 'ad_id']).doUpdateSet({ clicks: sql`ad_counts.clicks + 1` }),
    )
    .execute();
  if (click.placement === undefined) return 'counted';
  const wanted = { blogId, day, placement: click.placement };
  await placements.admit(db, [wanted]);
  await db
    .insertInto('placement_counts')
    .values({ blog_id: blogId, day, placement: placements.nameOf(wanted), ad_id: click.adId, slots: 0, clicks: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['blog_id', 'day', 'placement', 'ad_id'])
        .doUpdateSet({ clicks: sql`placement_counts.clicks + 1` }),
    )
    .execute();
  return 'counted';
}
