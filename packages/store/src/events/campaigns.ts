import {
  type BlogCampaigns,
  type Campaign,
  type CampaignState,
  codeUnitOrder,
  type Delivery,
  dayOf,
  type Plan,
  periodOf,
  planOf,
} from '@broadsheet/core';
import { bulk } from 'sql-template-tag';
import { chunks, type Db } from '../sql.ts';
import type { Tables } from '../tables.ts';
import { type EventTransaction, ROWS, setColumn, TOTAL } from './dialect.ts';
import { readTraffic, type TrafficCache } from './traffic.ts';

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
 * were edited begins a new plan. Every step is one statement for all blogs.
 *
 * @param sold deliveries with campaigns
 */
export async function openCampaigns(
  { db, dialect: { lock }, traffic }: CampaignReader,
  sold: readonly BlogDelivery[],
): Promise<ReadonlyMap<string, BlogCampaigns>> {
  const earliest = Math.min(...sold.map(({ at }) => at));
  const first = sold.map(({ delivery, at }) => dayOf(at, delivery.timeZone)).sort()[0] ?? '';
  const open = new Map<string, Map<string, CampaignState>>();
  const newPlans: [...CampaignKey, string | null][] = [];
  for (const some of chunks(keysOf(sold), ROWS)) {
    const campaigns = await db<Tables['campaigns']>`select * from campaigns
      where (blog_id, id) in (values ${bulk(some)}) order by blog_id, id ${lock}`;
    const counted = await readProgress(db, some, first);
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
  const planned = [...open]
    .filter(([, campaigns]) => [...campaigns.values()].some(isPlanned))
    .map(([blogId]) => blogId);
  const found = await readTraffic(db, traffic, planned, earliest);
  return new Map([...open].map(([blogId, campaigns]) => [blogId, { campaigns, traffic: found.get(blogId) }]));
}

/** A transaction, and the traffic that is known. */
interface CampaignReader extends EventTransaction {
  readonly traffic: TrafficCache;
}

const isPlanned = ({ campaign: { goal, startsAt, endsAt }, plan }: CampaignState): boolean =>
  Boolean(plan ?? (goal && startsAt && endsAt));

/** Marks the campaigns that have reached their goals, and returns their ids by blog. */
export async function endCampaigns(
  db: Db,
  blogs: ReadonlyMap<string, BlogCampaigns>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const ended = new Map<string, readonly string[]>();
  const keys: CampaignKey[] = [];
  for (const [blogId, { campaigns }] of blogs) {
    const ids = [...campaigns.values()].filter(isReached).map(({ campaign }) => campaign.id);
    if (ids.length > 0) ended.set(blogId, ids);
    keys.push(...ids.map((id): CampaignKey => [blogId, id]));
  }
  for (const some of chunks(keys, ROWS)) {
    await db`update campaigns set is_ended = 1 where (blog_id, id) in (values ${bulk(some)}) and is_ended = 0`;
  }
  return ended;
}

const isReached = ({ campaign: { goal }, ...progress }: CampaignState): boolean =>
  (['impressions', 'clicks'] as const).some((what) => progress[what] >= (goal?.[what] ?? Number.POSITIVE_INFINITY));

/** The campaigns of deliveries, each once, in the order in which every process locks them to avoid deadlocks. */
function keysOf(items: readonly BlogDelivery[]): CampaignKey[] {
  const keys = new Map<string, CampaignKey>();
  for (const { blogId, delivery } of items) {
    for (const id of delivery.campaigns?.values() ?? []) keys.set(JSON.stringify([blogId, id]), [blogId, id]);
  }
  return [...keys.values()].sort(([a, one], [b, other]) => codeUnitOrder(a, b) || codeUnitOrder(one, other));
}

type Progress = Pick<CampaignState, 'impressions' | 'days'> & { clicks: number };

/**
 * The deliveries of campaigns: on each day from the first one on, and in total. A campaign without a total gets it: the
 * sum of its days is read once.
 */
async function readProgress(
  db: Db,
  keys: readonly CampaignKey[],
  first: string,
): Promise<ReadonlyMap<string, Progress>> {
  const found = new Map<string, Progress>();
  const rows = await db<Tables['campaign_counts']>`
    select campaign_counts.* from (values ${bulk(keys)}) as key
    join campaign_counts on blog_id = column1 and campaign_id = column2 and (day = ${TOTAL} or day >= ${first})`;
  for (const row of rows.concat(await addTotals(db, missingTotals(keys, rows)))) {
    const key = JSON.stringify([row.blog_id, row.campaign_id]);
    const progress = found.get(key) ?? { impressions: 0, clicks: 0, days: new Map() };
    found.set(key, progress);
    if (row.day === TOTAL) Object.assign(progress, { impressions: row.impressions, clicks: row.clicks });
    else progress.days.set(row.day, row.impressions);
  }
  return found;
}

function missingTotals(keys: readonly CampaignKey[], rows: readonly Tables['campaign_counts'][]): CampaignKey[] {
  const known = new Set(
    rows.filter(({ day }) => day === TOTAL).map((row) => JSON.stringify([row.blog_id, row.campaign_id])),
  );
  return keys.filter((key) => !known.has(JSON.stringify(key)));
}

/** Adds the totals of campaigns, whose rows are locked, and returns them. */
async function addTotals(db: Db, keys: readonly CampaignKey[]): Promise<Tables['campaign_counts'][]> {
  if (keys.length === 0) return [];
  return db`insert into campaign_counts (blog_id, campaign_id, day, impressions, clicks)
    select column1, column2, ${TOTAL}, cast(coalesce(sum(impressions), 0) as bigint), cast(coalesce(sum(clicks), 0) as bigint)
    from (values ${bulk(keys)}) as key
    left join campaign_counts on blog_id = column1 and campaign_id = column2
    where exists (select 1 from campaigns where campaigns.blog_id = column1 and id = column2)
    group by column1, column2 returning *`;
}
