import { type Click, type ClickOutcome, type Delivered, dayOf, isExcluded } from '@broadsheet/core';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Changes, EventLog } from '../database.ts';
import { ADD_COUNTS, type BlogDelivery, type EventDialect, type EventTable } from '../events/counts.ts';
import { ADD_HOURS, addUp, asCounted, decide } from '../events/deliveries.ts';
import { createGroupCommit } from '../events/group-commit.ts';
import { createPlacements, type Placements } from '../events/placements.ts';
import { type BlogImpression, placementsOf, writeViewable } from '../events/viewable.ts';
import { type Column, EVENT_TABLES, primaryKey, TABLES, type Tables } from '../tables.ts';

/** Milliseconds that the commit of one blog waits for locked rows, after one that it shared; see `LOCK_TIMEOUT`. */
const WAIT_APART = 200;

/**
 * Records events by single statements, each in its own commit: concurrent deliveries share a statement. Only deliveries
 * with an idempotency key or a campaign need a transaction.
 */
export function createPostgresEvents(db: Kysely<Tables>, changes: Changes): EventLog {
  const committed = { commits: 0, events: 0 };
  const placements = createPlacements(changes);
  const measure = (events: number) => {
    committed.commits += 1;
    committed.events += events;
  };
  const deliver = async (items: readonly BlogDelivery[], isApart: boolean): Promise<readonly Delivered[]> => {
    let results: readonly Delivered[] = items.map(asCounted);
    const counts = addUp(items, results);
    await placements.admit(db, counts.tally.rows);
    const needsDecision = items.some(({ delivery }) => delivery.idempotency || delivery.campaigns);
    if (needsDecision || isApart) {
      await transact(db, isApart, async (transaction) => {
        results = await decide(transaction, items, DIALECT);
        await writeCounts(transaction, addUp(items, results), placements);
      });
    } else await writeCounts(db, counts, placements);
    measure(items.length);
    return results;
  };
  const view = async (beacons: readonly (readonly BlogImpression[])[], isApart: boolean) => {
    const items = beacons.flat();
    await placements.admit(db, placementsOf(items));
    await transact(db, isApart, (transaction) => writeViewable(transaction, items, placements, DIALECT));
    measure(items.length);
    return beacons.map(() => undefined);
  };
  const deliveries = createGroupCommit<BlogDelivery, Delivered>(
    (items) => deliver(items, false),
    ({ blogId }) => blogId,
    (items) => deliver(items, true),
  );
  const viewable = createGroupCommit<readonly BlogImpression[], void>(
    (beacons) => view(beacons, false),
    ([impression]) => impression?.blogId ?? '',
    (beacons) => view(beacons, true),
  );
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
    forget: placements.forget,
    committed,
    async settled() {
      await deliveries.settled();
      await viewable.settled();
    },
  };
}

/** Runs work in a transaction; that of one blog, which is apart from others, waits longer for locked rows. */
const transact = (db: Kysely<Tables>, isApart: boolean, work: (transaction: Kysely<Tables>) => Promise<void>) =>
  db.transaction().execute(async (transaction) => {
    if (isApart) await sql`set local lock_timeout = ${sql.lit(WAIT_APART)}`.execute(transaction);
    await work(transaction);
  });

const DIALECT: EventDialect = {
  lock: sql`for update`,
  async insert(db, table, rows, onConflict) {
    if (rows.length === 0) return [];
    return (await insertion(table, rows, onConflict).execute(db)).rows;
  },
};

/** The statement of `EventDialect.insert`; `after` is a condition that waits for another statement. */
function insertion<Table extends EventTable>(
  table: Table,
  rows: readonly Tables[Table][],
  onConflict: string,
  after: RawBuilder<unknown> = sql``,
): RawBuilder<Partial<Tables[Table]>> {
  const definition: Readonly<Record<string, Column>> = TABLES[table];
  const names = Object.keys(definition);
  const columns = sql.join(names.map((name) => sql.ref(name)));
  const values = names.map((name) => {
    const column = rows.map((row) => row[name as keyof Tables[Table]]);
    return sql`${column}::${sql.raw(definition[name]?.type ?? '')}[]`;
  });
  // The parameters have the collation of the database, which other statements do not have.
  const order = primaryKey(table).map((name) =>
    definition[name]?.type === 'text' ? sql`${sql.ref(name)} collate "C"` : sql.ref(name),
  );
  return sql`insert into ${sql.table(table)} (${columns}) select ${columns}
    from unnest(${sql.join(values)}) as fresh (${columns})
    where exists (select from blogs where blogs.blog_id = fresh.blog_id) ${after}
    order by ${sql.join(order)} on conflict ${sql.raw(onConflict)}`;
}

/**
 * Counts deliveries in the same order in every process (ads, then hours), to avoid deadlocks: the second part of the
 * statement reads the first one, and therefore waits for it.
 */
async function writeCounts(
  db: Kysely<Tables>,
  counts: ReturnType<typeof addUp>,
  placements: Placements,
): Promise<void> {
  const { tally, hours } = counts;
  if (tally.rows.length === 0) return;
  await sql`with counted as (${insertion('counts', tally.named(placements), ADD_COUNTS)} returning 1)
    ${insertion('hour_counts', hours, ADD_HOURS, sql`and (select count(*) from counted) >= 0`)}`.execute(db);
}

/**
 * Marks a token as used and counts its click unless it is a repeat: one statement, so one round trip and one commit.
 * Every process locks its rows in the same order (token, visitor, campaign, count), to avoid deadlocks.
 */
async function writeClick(
  db: Kysely<Tables>,
  blogId: string,
  click: Click,
  placements: Placements,
): Promise<ClickOutcome> {
  const { adId, campaignId = '', traffic = 'valid', visitor = null } = click;
  const day = dayOf(click.at, click.timeZone);
  const wanted = { blog_id: blogId, day, placement: click.placement ?? '' };
  await placements.admit(db, [wanted]);
  const { rows } = await sql<{ used: number; counted: number }>`
    with used as (
      insert into used_tokens (blog_id, token_id, expires_at)
      select blog_id, ${click.tokenId}, ${click.tokenExpiresAt}::bigint from blogs where blog_id = ${blogId}
      on conflict do nothing returning token_id
    ), fresh as (
      insert into counted_clicks as before (blog_id, ad_id, visitor, at)
      select ${blogId}, ${adId}, ${visitor}, ${click.at}::bigint from used where ${visitor}::text is not null
      on conflict (blog_id, ad_id, visitor) do update set at = excluded.at where before.at < ${click.repeatSince}
      returning at
    ), first as (
      select 1 from used where ${visitor}::text is null or exists (select from fresh)
    ), campaign as (
      insert into campaign_counts as before (blog_id, campaign_id, day, clicks)
      select ${blogId}, ${campaignId}, ${day}, 1 from first where ${campaignId !== '' && !isExcluded(click)}
      on conflict (blog_id, campaign_id, day) do update set clicks = before.clicks + 1
      returning 1
    ), counted as (
      insert into counts (blog_id, day, ad_id, campaign_id, placement, traffic, clicks)
      select ${blogId}, ${day}, ${adId}, ${campaignId}, ${placements.nameOf(wanted)}, ${traffic}, 1 from first
      where (select count(*) from campaign) >= 0
      on conflict ${sql.raw(ADD_COUNTS)}
      returning 1
    )
    select (select count(*) from used) as used, (select count(*) from counted) as counted`.execute(db);
  const [row] = rows;
  if (!row?.used) return 'used';
  return row.counted ? 'counted' : 'repeated';
}
