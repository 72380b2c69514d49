import { type Click, type ClickOutcome, type Delivered, dayOf } from '@broadsheet/core';
import { type Kysely, sql } from 'kysely';
import type { EventLog } from '../database.ts';
import { asCounted, type DecisionDialect, decide, KEEP_IN_USE } from '../events/deliveries.ts';
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
import { EVENT_TABLES, type Tables, TRAFFIC_COLUMNS } from '../tables.ts';

/**
 * Records events by single statements, each in its own commit: concurrent deliveries share a statement. Only deliveries
 * with an idempotency key or a campaign need a transaction.
 */
export function createPostgresEvents(db: Kysely<Tables>): EventLog {
  const committed = { commits: 0, events: 0 };
  const placements = createPlacements();
  const measure = (events: number) => {
    committed.commits += 1;
    committed.events += events;
  };
  const deliveries = createGroupCommit<BlogDelivery, Delivered>(async (items) => {
    const all = items.map(asCounted);
    const counts = addUp(items, all);
    await placements.admit(db, counts.placements);
    const decideAndWrite = async (transaction: Kysely<Tables>) => {
      const decided = await decide(transaction, items, DIALECT);
      await writeCounts(transaction, addUp(items, decided), placements);
      return decided;
    };
    const needsDecision = items.some(({ delivery }) => delivery.idempotency || delivery.campaigns);
    const results = needsDecision ? await db.transaction().execute(decideAndWrite) : all;
    if (!needsDecision) await writeCounts(db, counts, placements);
    measure(items.length);
    return results;
  });
  const viewable = createGroupCommit<readonly BlogImpression[], void>(async (beacons) => {
    const items = beacons.flat();
    await placements.admit(db, placementsOf(items));
    await db.transaction().execute((transaction) => writeViewable(transaction, items, placements));
    measure(items.length);
    return beacons.map(() => undefined);
  });
  return {
    deliver: (blogId, delivery, at) => deliveries({ blogId, delivery, at }),
    async recordClick(blogId, click) {
      const outcome = await writeClick(db, blogId, click, placements);
      measure(1);
      return outcome;
    },
    recordViewable: (blogId, impressions) => viewable(impressions.map((impression) => ({ blogId, impression }))),
    async lock(transaction) {
      const tables = sql.join(EVENT_TABLES.map((name) => sql.table(name)));
      await sql`lock table ${tables} in share row exclusive mode`.execute(transaction);
    },
    skipLocked: sql`for update skip locked`,
    committed,
    async settled() {
      await deliveries.settled();
      await viewable.settled();
    },
  };
}

const column = <R, K extends keyof R>(rows: readonly R[], name: K) => rows.map((row) => row[name]);

const DIALECT: DecisionDialect = {
  lock: sql`for update`,
  async insertKeys(db, keys) {
    const { rows } = await sql<(typeof keys)[number]>`
      insert into deliveries (blog_id, key_hash, request_hash, delivery_id, ads, excluded, at)
      select * from unnest(${column(keys, 'blog_id')}::text[], ${column(keys, 'key_hash')}::text[],
        ${column(keys, 'request_hash')}::text[], ${column(keys, 'delivery_id')}::text[],
        ${column(keys, 'ads')}::text[], ${column(keys, 'excluded')}::bigint[], ${column(keys, 'at')}::bigint[])
        as fresh (blog_id, key_hash)
      where exists (select from blogs where blogs.blog_id = fresh.blog_id)
      order by blog_id, key_hash
      on conflict ${sql.raw(KEEP_IN_USE)}`.execute(db);
    return rows;
  },
};

/**
 * Counts slots in the same order in every process (ads, hours, then placements), to avoid deadlocks: each part of the
 * statement reads the previous one, and therefore waits for it.
 */
async function writeCounts(db: Kysely<Tables>, counts: Counts, placements: Placements): Promise<void> {
  const slots = named(counts.placements, placements.nameOf);
  const names = ['impressions', ...TRAFFIC_COLUMNS] as const;
  const columns = sql.join(names.map((name) => sql.ref(name)));
  const amounts = sql.join(names.map((name) => sql`${column(counts.ads, name)}::bigint[]`));
  await sql`
    with counted as (
      insert into ad_counts (blog_id, day, ad_id, clicks, ${columns})
      select blog_id, day, ad_id, 0, ${columns}
      from unnest(${column(counts.ads, 'blog_id')}::text[], ${column(counts.ads, 'day')}::text[],
        ${column(counts.ads, 'ad_id')}::text[], ${amounts}) as fresh (blog_id, day, ad_id, ${columns})
      where exists (select from blogs where blogs.blog_id = fresh.blog_id)
      order by blog_id, day, ad_id
      on conflict ${sql.raw(ADD_IMPRESSIONS)}
      returning 1
    ), hourly as (
      insert into hour_counts (blog_id, place, hour, deliveries)
      select blog_id, place, hour, deliveries
      from unnest(${column(counts.hours, 'blog_id')}::text[], ${column(counts.hours, 'place')}::bigint[],
        ${column(counts.hours, 'hour')}::bigint[], ${column(counts.hours, 'deliveries')}::bigint[])
        as fresh (blog_id, place, hour, deliveries)
      where (select count(*) from counted) >= 0 and exists (select from blogs where blogs.blog_id = fresh.blog_id)
      order by blog_id, place
      on conflict ${sql.raw(ADD_HOURS)}
      returning 1
    )
    insert into placement_counts (blog_id, day, placement, ad_id, slots, excluded, clicks)
    select blog_id, day, placement, ad_id, slots, excluded, 0
    from unnest(${column(slots, 'blog_id')}::text[], ${column(slots, 'day')}::text[],
      ${column(slots, 'placement')}::text[], ${column(slots, 'ad_id')}::text[], ${column(slots, 'slots')}::bigint[],
      ${column(slots, 'excluded')}::bigint[]) as fresh (blog_id, day, placement, ad_id, slots, excluded)
    where (select count(*) from hourly) >= 0 and exists (select from blogs where blogs.blog_id = fresh.blog_id)
    order by blog_id, day, placement, ad_id
    on conflict ${sql.raw(ADD_SLOTS)}`.execute(db);
}

/**
 * Marks a token as used and counts its click unless it is a repeat: one statement, so one round trip and one commit.
 * Every process locks its rows in the same order (token, visitor, campaign, ad, placement), to avoid deadlocks.
 */
async function writeClick(
  db: Kysely<Tables>,
  blogId: string,
  click: Click,
  placements: Placements,
): Promise<ClickOutcome> {
  const visitor = click.visitor ?? null;
  const day = dayOf(click.at, click.timeZone);
  const wanted = click.placement === undefined ? undefined : { blog_id: blogId, day, placement: click.placement };
  if (wanted) await placements.admit(db, [wanted]);
  const placement = wanted ? placements.nameOf(wanted) : null;
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
    ), campaign as (
      insert into campaign_counts as before (blog_id, campaign_id, day, impressions, clicks)
      select ads.blog_id, ads.campaign_id, ${day}, 0, 1 from used, ads
      where ads.blog_id = ${blogId} and ads.id = ${click.adId} and ads.campaign_id is not null
        and (${visitor}::text is null or exists (select from fresh))
      on conflict (blog_id, campaign_id, day) do update set clicks = before.clicks + 1
      returning 1
    ), counted as (
      insert into ad_counts as before (blog_id, day, ad_id, impressions, clicks)
      select ${blogId}, ${day}, ${click.adId}, 0, 1 from used
      where (${visitor}::text is null or exists (select from fresh)) and (select count(*) from campaign) >= 0
      on conflict (blog_id, day, ad_id) do update set clicks = before.clicks + 1
      returning ad_id
    ), placed as (
      insert into placement_counts as before (blog_id, day, placement, ad_id, slots, clicks)
      select ${blogId}, ${day}, ${placement}, ${click.adId}, 0, 1 from counted where ${placement}::text is not null
      on conflict (blog_id, day, placement, ad_id) do update set clicks = before.clicks + 1
    )
    select (select count(*) from used) as used, (select count(*) from counted) as counted`.execute(db);
  const [row] = rows;
  if (!row?.used) return 'used';
  return row.counted ? 'counted' : 'repeated';
}
