import { dayOf, type ViewableImpression } from '@broadsheet/core';
import { type Kysely, sql } from 'kysely';
import { chunks } from '../chunks.ts';
import { primaryKey, type Tables } from '../tables.ts';
import { inCampaignOrder } from './campaigns.ts';
import { inCountOrder } from './impressions.ts';
import type { DayPlacement, Placements } from './placements.ts';

/** A viewable impression to be counted. */
export interface BlogImpression {
  readonly blogId: string;
  readonly impression: ViewableImpression;
}

/** The number of rows in one statement: SQLite limits the number of parameters. */
const ROWS = 1000;

/** The placements of some impressions, on the days of their deliveries. */
export const placementsOf = (items: readonly BlogImpression[]): DayPlacement[] =>
  items.flatMap(({ blogId: blog_id, impression: { placement, deliveredAt, timeZone } }) =>
    placement === undefined ? [] : [{ blog_id, day: dayOf(deliveredAt, timeZone), placement }],
  );

/**
 * Counts impressions as viewable, each token once, in a transaction; `placements` must have admitted
 * those of {@link placementsOf}. Every process locks its rows in the same order (tokens, campaigns, ads, placements),
 * to avoid deadlocks.
 */
export async function writeViewable(
  db: Kysely<Tables>,
  items: readonly BlogImpression[],
  placements: Placements,
): Promise<void> {
  const keys = (await markViewed(db, items)).map(({ blogId: blog_id, impression }) => ({
    blog_id,
    day: dayOf(impression.deliveredAt, impression.timeZone),
    ad_id: impression.adId,
    placement: impression.placement,
  }));
  const campaigns = await readCampaignsOf(db, keys);
  const ofCampaigns = keys.flatMap(({ blog_id, day, ad_id }) => {
    const campaign_id = campaigns.get(JSON.stringify([blog_id, ad_id]));
    return campaign_id === undefined ? [] : [{ blog_id, campaign_id, day, impressions: 0, clicks: 0 }];
  });
  const ofAds = keys.map(({ blog_id, day, ad_id }) => ({ blog_id, day, ad_id, impressions: 0, clicks: 0 }));
  const ofPlacements = keys.flatMap(({ placement, ...key }) =>
    placement === undefined
      ? []
      : [{ ...key, placement: placements.nameOf({ ...key, placement }), slots: 0, clicks: 0 }],
  );
  await add(db, 'campaign_counts', counted(ofCampaigns).sort(inCampaignOrder));
  await add(db, 'ad_counts', counted(ofAds).sort(inCountOrder));
  await add(db, 'placement_counts', counted(ofPlacements).sort(inCountOrder));
}

/** Stores the tokens of impressions, and returns the impressions whose tokens were not stored before. */
async function markViewed(db: Kysely<Tables>, items: readonly BlogImpression[]): Promise<readonly BlogImpression[]> {
  const keyOf = (blogId: string, tokenId: string) => JSON.stringify([blogId, tokenId]);
  const all = new Map(items.map((item) => [keyOf(item.blogId, item.impression.tokenId), item]));
  const fresh: BlogImpression[] = [];
  for (const some of chunks([...all.values()], ROWS)) {
    const rows = some.map(
      ({ blogId, impression }) => sql`(${blogId}, ${impression.tokenId}, ${impression.tokenExpiresAt})`,
    );
    const stored = await sql<{ blog_id: string; token_id: string }>`
      insert into viewed_tokens (blog_id, token_id, expires_at)
      select column1, column2, cast(column3 as bigint) from (values ${sql.join(rows)}) as viewed
      where exists (select 1 from blogs where blogs.blog_id = column1) order by column1, column2
      on conflict do nothing returning blog_id, token_id`.execute(db);
    fresh.push(...stored.rows.flatMap(({ blog_id, token_id }) => all.get(keyOf(blog_id, token_id)) ?? []));
  }
  return fresh;
}

/** The campaigns of ads, by the JSON of blog and ad. */
async function readCampaignsOf(
  db: Kysely<Tables>,
  ads: readonly Pick<Tables['ad_counts'], 'blog_id' | 'ad_id'>[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const some of chunks(ads, ROWS)) {
    const { rows } = await sql<{ blog_id: string; id: string; campaign_id: string }>`
      select blog_id, id, campaign_id from ads where campaign_id is not null
      and (blog_id, id) in (values ${sql.join(some.map(({ blog_id, ad_id }) => sql`(${blog_id}, ${ad_id})`))})`.execute(
      db,
    );
    for (const { blog_id, id, campaign_id } of rows) found.set(JSON.stringify([blog_id, id]), campaign_id);
  }
  return found;
}

/** The distinct keys, each with the number of its occurrences. */
function counted<Key extends object>(keys: readonly Key[]): (Key & { viewable: number })[] {
  const groups = Map.groupBy(keys, (key) => JSON.stringify(key));
  return [...groups.values()].flatMap((group) => group.slice(0, 1).map((key) => ({ ...key, viewable: group.length })));
}

/** Adds viewable impressions to rows, which usually exist because the deliveries wrote them. */
async function add(
  db: Kysely<Tables>,
  table: 'ad_counts' | 'campaign_counts' | 'placement_counts',
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  const names = (list: readonly string[]) => sql.join(list.map((name) => sql.ref(name)));
  for (const some of chunks(rows, ROWS)) {
    const values = some.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`);
    await sql`insert into ${sql.table(table)} (${names(columns)}) values ${sql.join(values)}
      on conflict (${names(primaryKey(table))})
      do update set viewable = ${sql.ref(`${table}.viewable`)} + excluded.viewable`.execute(db);
  }
}
