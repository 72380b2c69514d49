import type { Click, ClickOutcome } from '@broadsheet/core';
import { type Kysely, sql } from 'kysely';
import { chunks } from '../chunks.ts';
import type { Transact } from '../database.ts';
import type { EventLog } from '../events/event-log.ts';
import { createGroupCommit } from '../events/group-commit.ts';
import { addUp, dayOf, type Impressions } from '../events/impressions.ts';
import type { Tables } from '../tables.ts';

/** Rows of one statement: SQLite bounds the number of parameters. */
const ROWS = 1000;

/** Records events such that those that come together share a commit. */
export function createSqliteEvents(transact: Transact): EventLog {
  const committed = { commits: 0, events: 0 };
  const measure = (items: readonly unknown[]) => {
    committed.commits += 1;
    committed.events += items.length;
  };
  const impressions = createGroupCommit<Impressions, undefined>(async (items) => {
    await transact((transaction) => writeImpressions(transaction, items));
    measure(items);
    return items.map(() => undefined);
  });
  const clicks = createGroupCommit<{ blogId: string; click: Click }, ClickOutcome>((items) =>
    transact(async (transaction) => {
      const outcomes: ClickOutcome[] = [];
      for (const { blogId, click } of items) outcomes.push(await writeClick(transaction, blogId, click));
      measure(items);
      return outcomes;
    }),
  );
  return {
    recordImpressions: (blogId, adIds, at) => impressions({ blogId, adIds, at }),
    recordClick: (blogId, click) => clicks({ blogId, click }),
    // A transaction that writes is the only one.
    lock: async () => {},
    skipLocked: sql``,
    committed,
    async settled() {
      await impressions.settled();
      await clicks.settled();
    },
  };
}

/** Adds up impressions and counts them, in a transaction. */
export async function writeImpressions(db: Kysely<Tables>, items: readonly Impressions[]): Promise<void> {
  const counts = addUp(items);
  const blogs = await readExisting(db, [...new Set(counts.map(({ blog_id }) => blog_id))]);
  for (const rows of chunks(
    counts.filter(({ blog_id }) => blogs.has(blog_id)),
    ROWS,
  )) {
    await db
      .insertInto('ad_counts')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['blog_id', 'day', 'ad_id']).doUpdateSet({
          impressions: sql`ad_counts.impressions + excluded.impressions`,
        }),
      )
      .execute();
  }
}

async function readExisting(db: Kysely<Tables>, blogIds: readonly string[]): Promise<ReadonlySet<string>> {
  const existing = new Set<string>();
  for (const some of chunks(blogIds, ROWS)) {
    const rows = await db.selectFrom('blogs').select('blog_id').where('blog_id', 'in', some).execute();
    for (const { blog_id } of rows) existing.add(blog_id);
  }
  return existing;
}

/**
 * Uses a token up and counts its click unless it repeats one, in a transaction. Each step is a conditional write
 * whose effect tells what was there, so that no moment lies between looking and writing.
 */
export async function writeClick(db: Kysely<Tables>, blogId: string, click: Click): Promise<ClickOutcome> {
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
  await db
    .insertInto('ad_counts')
    .values({ blog_id: blogId, day: dayOf(click.at), ad_id: click.adId, impressions: 0, clicks: 1 })
    .onConflict((conflict) =>
      conflict.columns(['blog_id', 'day', 'ad_id']).doUpdateSet({ clicks: sql`ad_counts.clicks + 1` }),
    )
    .execute();
  return 'counted';
}
