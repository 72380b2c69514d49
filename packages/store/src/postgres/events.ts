import type { Click, ClickOutcome } from '@broadsheet/core';
import { type Kysely, sql } from 'kysely';
import type { EventLog } from '../events/event-log.ts';
import { createGroupCommit } from '../events/group-commit.ts';
import { addUp, dayOf, type Impressions } from '../events/impressions.ts';
import { EVENT_TABLES, type Tables } from '../tables.ts';

/** Records events by single statements, each of which is a commit: impressions that come together share one. */
export function createPostgresEvents(db: Kysely<Tables>): EventLog {
  const committed = { commits: 0, events: 0 };
  const measure = (events: number) => {
    committed.commits += 1;
    committed.events += events;
  };
  const impressions = createGroupCommit<Impressions, undefined>(async (items) => {
    await writeImpressions(db, items);
    measure(items.length);
    return items.map(() => undefined);
  });
  return {
    recordImpressions: (blogId, adIds, at) => impressions({ blogId, adIds, at }),
    async recordClick(blogId, click) {
      const outcome = await writeClick(db, blogId, click);
      measure(1);
      return outcome;
    },
    async lock(transaction) {
      const tables = sql.join(EVENT_TABLES.map((name) => sql.table(name)));
      await sql`lock table ${tables} in share row exclusive mode`.execute(transaction);
    },
    skipLocked: sql`for update skip locked`,
    committed,
    settled: () => impressions.settled(),
  };
}

/** Counts impressions in one order for everybody, so that no two processes wait for each other in a circle. */
async function writeImpressions(db: Kysely<Tables>, items: readonly Impressions[]): Promise<void> {
  const counts = addUp(items);
  const column = (name: 'blog_id' | 'day' | 'ad_id' | 'impressions') => counts.map((count) => count[name]);
  await sql`
    insert into ad_counts (blog_id, day, ad_id, impressions, clicks)
    select blog_id, day, ad_id, impressions, 0
    from unnest(${column('blog_id')}::text[], ${column('day')}::text[], ${column('ad_id')}::text[],
      ${column('impressions')}::bigint[]) as fresh (blog_id, day, ad_id, impressions)
    where exists (select from blogs where blogs.blog_id = fresh.blog_id)
    order by blog_id, day, ad_id
    on conflict (blog_id, day, ad_id) do update set impressions = ad_counts.impressions + excluded.impressions`.execute(
    db,
  );
}

/**
 * Uses a token up and counts its click unless it repeats one: one statement, so one round trip and one commit. Every
 * process takes its rows in the same order (token, visitor, count), hence none ever waits in a circle.
 */
async function writeClick(db: Kysely<Tables>, blogId: string, click: Click): Promise<ClickOutcome> {
  const visitor = click.visitor ?? null;
  const { rows } = await sql<{ used: number; counted: number }>`
    with used as (
      insert into used_tokens (blog_id, token_id, expires_at)
      select blog_id, ${click.tokenId}, ${click.tokenExpiresAt}::bigint from blogs where blog_id = ${blogId}
      on conflict do nothing returning token_id
    ), fresh as (
      insert into counted_clicks as before (blog_id, ad_id, visitor, at)
      select ${blogId}, ${click.adId}, ${visitor}, ${click.at}::bigint from used where ${visitor}::text is not null
      on conflict (blog_id, ad_id, visitor) do update set at = excluded.at where before.at < ${click.repeatSince}
      returning at
    ), counted as (
      insert into ad_counts as before (blog_id, day, ad_id, impressions, clicks)
      select ${blogId}, ${dayOf(click.at)}, ${click.adId}, 0, 1 from used
      where ${visitor}::text is null or exists (select from fresh)
      on conflict (blog_id, day, ad_id) do update set clicks = before.clicks + 1
      returning ad_id
    )
    select (select count(*) from used) as used, (select count(*) from counted) as counted`.execute(db);
  const [row] = rows;
  if (!row?.used) return 'used';
  return row.counted ? 'counted' : 'repeated';
}
