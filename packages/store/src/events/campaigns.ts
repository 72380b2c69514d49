import {
  admits,
  type Campaign,
  codeUnitOrder,
  dayOf,
  hourOf,
  isExcluded,
  type Period,
  periodOf,
  TRAFFIC_HOURS,
  type WeeklyTraffic,
  weeklyTraffic,
} from '@broadsheet/core';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../tables.ts';
import type { BlogDelivery } from './impressions.ts';

/** The campaigns of the deliveries in one transaction, with their progress so far. */
export interface OpenCampaigns {
  /** Whether a campaign admits one more impression; if so, it is counted, separately if its traffic is excluded. */
  admit(delivery: BlogDelivery, campaignId: string): boolean;
  /** Stores the new counts. */
  write(): Promise<void>;
}

interface OpenCampaign {
  readonly campaign: Campaign & Period;
  impressions: number;
  clicks: number;
  /** Impressions by day; `added` and `excluded` are not stored yet. */
  readonly days: Map<string, { total: number; added: number; excluded: number }>;
}

/** The campaigns of a blog by id, and the traffic that their pace follows. */
interface OpenBlog {
  readonly campaigns: Map<string, OpenCampaign | undefined>;
  traffic?: WeeklyTraffic | undefined;
}

type OpenBlogs = ReadonlyMap<string, OpenBlog>;

/**
 * Opens the campaigns of deliveries, in a transaction.
 *
 * @param lock the clause at the end of a query that locks its rows until the transaction ends
 */
export async function openCampaigns(
  db: Kysely<Tables>,
  items: readonly BlogDelivery[],
  lock: RawBuilder<unknown>,
): Promise<OpenCampaigns> {
  const blogs = await readCampaigns(db, items, lock);
  return {
    admit({ blogId, delivery, at }, campaignId) {
      const blog = blogs.get(blogId);
      const one = blog?.campaigns.get(campaignId);
      if (!one) return false;
      const day = dayOf(at, delivery.timeZone);
      const today = one.days.get(day) ?? { total: 0, added: 0, excluded: 0 };
      const progress = { impressions: one.impressions, clicks: one.clicks, today: today.total };
      if (!admits(one.campaign, progress, at, blog?.traffic)) return false;
      one.days.set(day, today);
      if (isExcluded(delivery)) {
        today.excluded += 1;
        return true;
      }
      one.impressions += 1;
      today.total += 1;
      today.added += 1;
      return true;
    },
    write: () => writeAdded(db, blogs),
  };
}

type CampaignDay = Pick<Tables['campaign_counts'], 'blog_id' | 'campaign_id' | 'day'>;

/** The order in which all processes lock the counts of campaigns, to avoid deadlocks. */
export const inCampaignOrder = (a: CampaignDay, b: CampaignDay): number =>
  codeUnitOrder(a.blog_id, b.blog_id) || codeUnitOrder(a.campaign_id, b.campaign_id) || codeUnitOrder(a.day, b.day);

async function writeAdded(db: Kysely<Tables>, blogs: OpenBlogs): Promise<void> {
  const rows = [...blogs].flatMap(([blog_id, { campaigns }]) =>
    [...campaigns].flatMap(([campaign_id, one]) =>
      [...(one?.days ?? [])].map(([day, { added, excluded }]) => {
        return { blog_id, campaign_id, day, impressions: added, excluded, viewable: 0, clicks: 0 };
      }),
    ),
  );
  const added = rows.filter(({ impressions, excluded }) => impressions > 0 || excluded > 0).sort(inCampaignOrder);
  if (added.length === 0) return;
  await db
    .insertInto('campaign_counts')
    .values(added)
    .onConflict((conflict) =>
      conflict.columns(['blog_id', 'campaign_id', 'day']).doUpdateSet({
        impressions: sql`campaign_counts.impressions + excluded.impressions`,
        excluded: sql`campaign_counts.excluded + excluded.excluded`,
      }),
    )
    .execute();
}

async function readCampaigns(
  db: Kysely<Tables>,
  items: readonly BlogDelivery[],
  lock: RawBuilder<unknown>,
): Promise<OpenBlogs> {
  const blogs = new Map<string, OpenBlog>();
  let earliest = Number.POSITIVE_INFINITY;
  let first = '~';
  for (const { blogId, delivery, at } of items) {
    if (!delivery.campaigns) continue;
    const blog = blogs.get(blogId) ?? { campaigns: new Map() };
    blogs.set(blogId, blog);
    for (const id of delivery.campaigns.values()) if (!blog.campaigns.has(id)) blog.campaigns.set(id, undefined);
    earliest = Math.min(earliest, at);
    const day = dayOf(at, delivery.timeZone);
    if (day < first) first = day;
  }
  if (blogs.size === 0) return blogs;
  const keys = [...blogs].flatMap(([blogId, { campaigns }]) =>
    [...campaigns.keys()].map((id) => sql`(${blogId}, ${id})`),
  );
  const wanted = sql.join(keys);
  // All processes lock their rows in this order, before any other, to avoid deadlocks.
  const campaigns = await sql<Tables['campaigns']>`select * from campaigns
    where (blog_id, id) in (values ${wanted}) order by blog_id, id ${lock}`.execute(db);
  for (const { blog_id, id, json } of campaigns.rows) {
    const campaign: Campaign = JSON.parse(json);
    const opened = { ...campaign, ...periodOf(campaign) };
    blogs.get(blog_id)?.campaigns.set(id, { campaign: opened, impressions: 0, clicks: 0, days: new Map() });
  }
  const counts = await sql<Tables['campaign_counts']>`
    select blog_id, campaign_id, recent as day, cast(sum(impressions) as bigint) as impressions,
      cast(sum(clicks) as bigint) as clicks
    from (select *, case when day < ${first} then '' else day end as recent from campaign_counts
      where (blog_id, campaign_id) in (values ${wanted})) as counted
    group by blog_id, campaign_id, recent`.execute(db);
  for (const { blog_id, campaign_id, day, impressions, clicks } of counts.rows) {
    const one = blogs.get(blog_id)?.campaigns.get(campaign_id);
    if (!one) continue;
    one.impressions += impressions;
    one.clicks += clicks;
    one.days.set(day, { total: impressions, added: 0, excluded: 0 });
  }
  for (const [blogId, blog] of blogs) {
    const isPaced = [...blog.campaigns.values()].some((one) => one?.campaign.pace === 'even' && one.campaign.endsAt);
    if (isPaced) blog.traffic = await readTraffic(db, blogId, earliest);
  }
  return blogs;
}

async function readTraffic(db: Kysely<Tables>, blogId: string, at: number): Promise<WeeklyTraffic | undefined> {
  const { rows } = await sql<Pick<Tables['hour_counts'], 'hour' | 'deliveries'>>`select hour, deliveries
    from hour_counts where blog_id = ${blogId} and hour >= ${hourOf(at) - TRAFFIC_HOURS}`.execute(db);
  return weeklyTraffic(
    rows.map(({ hour, deliveries }) => [hour, deliveries] as const),
    at,
  );
}
