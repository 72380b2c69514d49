import {
  admits,
  type Campaign,
  hourOf,
  isExcluded,
  TRAFFIC_HOURS,
  type WeeklyTraffic,
  weeklyTraffic,
} from '@broadsheet/core';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../tables.ts';
import { type BlogDelivery, dayOf } from './impressions.ts';

/** Campaigns that deliveries of one transaction may use, with what they have brought so far. */
export interface OpenCampaigns {
  /** Whether a campaign admits one more impression, which counts from now on unless its traffic is excluded. */
  admit(delivery: BlogDelivery, campaignId: string): boolean;
  /** Stores what was counted. */
  write(): Promise<void>;
}

interface OpenCampaign {
  readonly campaign: Campaign;
  impressions: number;
  clicks: number;
  /** Impressions by day. */
  readonly days: Map<string, number>;
}

const keyOf = (blogId: string, campaignId: string) => JSON.stringify([blogId, campaignId]);

/**
 * Opens the campaigns of deliveries, in a transaction.
 *
 * @param lock what ends a query such that nobody else opens its rows before the transaction ends
 */
export async function openCampaigns(
  db: Kysely<Tables>,
  items: readonly BlogDelivery[],
  lock: RawBuilder<unknown>,
): Promise<OpenCampaigns> {
  const open = await readCampaigns(db, items, lock);
  const traffic = new Map<string, WeeklyTraffic | undefined>();
  for (const { blogId, delivery, at } of items) {
    if (!delivery.campaigns || traffic.has(blogId)) continue;
    const isPaced = [...delivery.campaigns.values()].some((id) => open.get(keyOf(blogId, id))?.campaign.endsAt);
    traffic.set(blogId, isPaced ? await readTraffic(db, blogId, at) : undefined);
  }
  const added = new Map<string, Tables['campaign_counts']>();
  return {
    admit({ blogId, delivery, at }, campaignId) {
      const one = open.get(keyOf(blogId, campaignId));
      const day = dayOf(at);
      const today = one?.days.get(day) ?? 0;
      if (!one || !admits(one.campaign, { ...one, today }, at, traffic.get(blogId))) return false;
      if (isExcluded(delivery)) return true;
      one.impressions += 1;
      one.days.set(day, today + 1);
      const key = day + keyOf(blogId, campaignId);
      const row = added.get(key) ?? { blog_id: blogId, campaign_id: campaignId, day, impressions: 0, clicks: 0 };
      row.impressions += 1;
      added.set(key, row);
      return true;
    },
    async write() {
      if (added.size === 0) return;
      await db
        .insertInto('campaign_counts')
        .values([...added.values()])
        .onConflict((conflict) =>
          conflict
            .columns(['blog_id', 'campaign_id', 'day'])
            .doUpdateSet({ impressions: sql`campaign_counts.impressions + excluded.impressions` }),
        )
        .execute();
    },
  };
}

async function readCampaigns(
  db: Kysely<Tables>,
  items: readonly BlogDelivery[],
  lock: RawBuilder<unknown>,
): Promise<ReadonlyMap<string, OpenCampaign>> {
  const keys = new Map<string, RawBuilder<unknown>>();
  let first = '';
  for (const { blogId, delivery, at } of items) {
    for (const id of delivery.campaigns?.values() ?? []) keys.set(keyOf(blogId, id), sql`(${blogId}, ${id})`);
    const day = dayOf(at);
    if (first === '' || day < first) first = day;
  }
  const open = new Map<string, OpenCampaign>();
  if (keys.size === 0) return open;
  const wanted = sql.join([...keys.values()]);
  // All processes lock their rows in this order, before any other, to avoid deadlocks.
  const campaigns = await sql<Tables['campaigns']>`select * from campaigns
    where (blog_id, id) in (values ${wanted}) order by blog_id, id ${lock}`.execute(db);
  for (const { blog_id, id, json } of campaigns.rows) {
    open.set(keyOf(blog_id, id), { campaign: JSON.parse(json), impressions: 0, clicks: 0, days: new Map() });
  }
  const counts = await sql<Tables['campaign_counts']>`
    select blog_id, campaign_id, recent as day, cast(sum(impressions) as bigint) as impressions,
      cast(sum(clicks) as bigint) as clicks
    from (select *, case when day < ${first} then '' else day end as recent from campaign_counts
      where (blog_id, campaign_id) in (values ${wanted})) as counted
    group by blog_id, campaign_id, recent`.execute(db);
  for (const { blog_id, campaign_id, day, impressions, clicks } of counts.rows) {
    const one = open.get(keyOf(blog_id, campaign_id));
    if (!one) continue;
    one.impressions += impressions;
    one.clicks += clicks;
    one.days.set(day, impressions);
  }
  return open;
}

async function readTraffic(db: Kysely<Tables>, blogId: string, at: number): Promise<WeeklyTraffic | undefined> {
  const { rows } = await sql<Pick<Tables['hour_counts'], 'hour' | 'deliveries'>>`select hour, deliveries
    from hour_counts where blog_id = ${blogId} and hour >= ${hourOf(at) - TRAFFIC_HOURS}`.execute(db);
  return weeklyTraffic(
    rows.map(({ hour, deliveries }) => [hour, deliveries] as const),
    at,
  );
}
