import {
  type BlogCampaigns,
  type Campaign,
  type CampaignState,
  codeUnitOrder,
  type Delivery,
  dayOf,
  hourOf,
  type Plan,
  periodOf,
  planOf,
  TRAFFIC_HOURS,
  weeklyTraffic,
} from '@broadsheet/core';
import { bulk, type Sql } from 'sql-template-tag';
import { chunks, type Db } from '../sql.ts';
import type { Tables } from '../tables.ts';
import { type EventTransaction, ROWS, setColumn } from './dialect.ts';

/** A delivery to be counted. */
export interface BlogDelivery {
  readonly blogId: string;
  readonly delivery: Delivery;
  readonly at: number;
}

/** The ids of a campaign and its blog. */
type CampaignKey = readonly [blogId: string, id: string];

/**
 * Locks the campaigns of deliveries until the transaction ends, and reads their progress by blog. A campaign whose bounds
 * were edited begins a new plan.
 *
 * @param sold deliveries with campaigns
 */
export async function openCampaigns(
  { db, dialect: { lock } }: EventTransaction,
  sold: readonly BlogDelivery[],
): Promise<ReadonlyMap<string, BlogCampaigns>> {
  const earliest = Math.min(...sold.map(({ at }) => at));
  const first = sold.map(({ delivery, at }) => dayOf(at, delivery.timeZone)).sort()[0] ?? '';
  const open = new Map<string, Map<string, CampaignState>>();
  const newPlans: [...CampaignKey, string | null][] = [];
  for (const some of chunks(keysOf(sold), ROWS)) {
    const keys = bulk(some);
    const campaigns = await db<Tables['campaigns']>`select * from campaigns
      where (blog_id, id) in (values ${keys}) order by blog_id, id ${lock}`;
    const counted = await readProgress(db, keys, first);
    for (const { blog_id, id, json, plan } of campaigns) {
      const campaign: Campaign = JSON.parse(json);
      const progress = counted.get(JSON.stringify([blog_id, id])) ?? { impressions: 0, clicks: 0, days: new Map() };
      const known: Plan | undefined = plan === null ? undefined : JSON.parse(plan);
      const current = planOf(campaign, known, progress, earliest);
      if (current !== known) newPlans.push([blog_id, id, current ? JSON.stringify(current) : null]);
      const ofBlog = open.get(blog_id) ?? new Map();
      open.set(
        blog_id,
        ofBlog.set(id, { campaign: { ...campaign, ...periodOf(campaign) }, ...progress, plan: current }),
      );
    }
  }
  await setColumn(db, 'campaigns', 'plan', newPlans);
  const blogs = new Map<string, BlogCampaigns>();
  for (const [blogId, campaigns] of open) {
    const isPlanned = [...campaigns.values()].some(({ campaign: { goal, startsAt, endsAt }, plan }) =>
      Boolean(plan ?? (goal && startsAt && endsAt)),
    );
    const hours = isPlanned ? await readHours(db, blogId, earliest) : [];
    blogs.set(blogId, { campaigns, traffic: weeklyTraffic(hours, earliest) });
  }
  return blogs;
}

/** The campaigns of deliveries, each once, in the order in which every process locks them to avoid deadlocks. */
function keysOf(items: readonly BlogDelivery[]): CampaignKey[] {
  const keys = new Map<string, CampaignKey>();
  for (const { blogId, delivery } of items) {
    for (const id of delivery.campaigns?.values() ?? []) keys.set(JSON.stringify([blogId, id]), [blogId, id]);
  }
  return [...keys.values()].sort(([a, one], [b, other]) => codeUnitOrder(a, b) || codeUnitOrder(one, other));
}

type Progress = Pick<CampaignState, 'impressions' | 'days'> & { clicks: number };

/** The deliveries of campaigns: on each day from the first one on, and in total. */
async function readProgress(db: Db, keys: Sql, first: string): Promise<ReadonlyMap<string, Progress>> {
  const found = new Map<string, Progress>();
  const rows = await db<Tables['campaign_counts']>`
    select blog_id, campaign_id, recent as day, cast(sum(impressions) as bigint) as impressions,
      cast(sum(clicks) as bigint) as clicks
    from (select *, case when day < ${first} then '' else day end as recent from campaign_counts
      where (blog_id, campaign_id) in (values ${keys})) as counted
    group by blog_id, campaign_id, recent`;
  for (const { blog_id, campaign_id, day, impressions, clicks } of rows) {
    const key = JSON.stringify([blog_id, campaign_id]);
    const progress = found.get(key) ?? { impressions: 0, clicks: 0, days: new Map() };
    found.set(key, progress);
    progress.impressions += impressions;
    progress.clicks += clicks;
    progress.days.set(day, impressions);
  }
  return found;
}

/** The deliveries to readers of a blog in the hours of the last two weeks that had any; see `hourOf`. */
export async function readHours(
  db: Db,
  blogId: string,
  at: number,
): Promise<(readonly [hour: number, deliveries: number])[]> {
  const rows = await db<Tables['hour_counts']>`select hour, deliveries from hour_counts
    where blog_id = ${blogId} and hour >= ${hourOf(at) - TRAFFIC_HOURS}`;
  return rows.map(({ hour, deliveries }) => [hour, deliveries] as const);
}
