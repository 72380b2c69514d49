import {
  admits,
  behindPlan,
  type Campaign,
  codeUnitOrder,
  dayOf,
  hourOf,
  isExcluded,
  type Period,
  type Plan,
  periodOf,
  planOf,
  TRAFFIC_HOURS,
  type WeeklyTraffic,
  weeklyTraffic,
} from '@broadsheet/core';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { chunks } from '../chunks.ts';
import type { Tables } from '../tables.ts';
import type { BlogDelivery, EventDialect } from './counts.ts';

/** The campaigns of the deliveries in one transaction, with their progress so far. */
export interface OpenCampaigns {
  /** Whether a campaign admits one more impression; if so, it counts, unless its traffic is excluded. */
  admit(delivery: BlogDelivery, campaignId: string): boolean;
  /** How far a campaign is behind its plan. */
  behind(delivery: BlogDelivery, campaignId: string): number;
  /** Stores the new counts. */
  write(): Promise<void>;
}

interface OpenCampaign {
  readonly campaign: Campaign & Period;
  impressions: number;
  clicks: number;
  /** The stored plan at first, then the one that applies. */
  plan: Plan | undefined;
  hasNewPlan: boolean;
  /** Impressions by day; `added` are not stored yet. */
  readonly days: Map<string, { total: number; added: number }>;
}

/** The campaigns of a blog by id, and the traffic that their pace follows. */
interface OpenBlog {
  readonly campaigns: Map<string, OpenCampaign | undefined>;
  traffic?: WeeklyTraffic | undefined;
}

type OpenBlogs = ReadonlyMap<string, OpenBlog>;

/** The number of campaigns in one statement: SQLite limits the number of parameters. */
const ROWS = 1000;

/** Opens the campaigns of deliveries, in a transaction. */
export async function openCampaigns(
  db: Kysely<Tables>,
  items: readonly BlogDelivery[],
  dialect: EventDialect,
): Promise<OpenCampaigns> {
  const blogs = await readCampaigns(db, items, dialect);
  return {
    admit({ blogId, delivery, at }, campaignId) {
      const blog = blogs.get(blogId);
      const one = blog?.campaigns.get(campaignId);
      if (!one) return false;
      const day = dayOf(at, delivery.timeZone);
      const today = one.days.get(day) ?? { total: 0, added: 0 };
      if (!admits(one.campaign, { ...one, today: today.total }, at, blog?.traffic)) return false;
      if (isExcluded(delivery)) return true;
      one.days.set(day, today);
      one.impressions += 1;
      today.total += 1;
      today.added += 1;
      return true;
    },
    behind({ blogId, at }, campaignId) {
      const blog = blogs.get(blogId);
      const one = blog?.campaigns.get(campaignId);
      return one ? behindPlan(one.campaign, one, at, blog?.traffic) : 0;
    },
    async write() {
      await writePlans(db, blogs);
      await writeAdded(db, blogs, dialect);
    },
  };
}

async function writePlans(db: Kysely<Tables>, blogs: OpenBlogs): Promise<void> {
  const rows = [...blogs].flatMap(([blogId, { campaigns }]) =>
    [...campaigns].flatMap(([id, one]) =>
      one?.hasNewPlan ? [sql`(${blogId}, ${id}, ${one.plan ? JSON.stringify(one.plan) : null})`] : [],
    ),
  );
  for (const some of chunks(rows, ROWS)) {
    await sql`update campaigns set plan = fresh.column3 from (values ${sql.join(some)}) as fresh
      where blog_id = fresh.column1 and id = fresh.column2`.execute(db);
  }
}

async function writeAdded(db: Kysely<Tables>, blogs: OpenBlogs, { insert }: EventDialect): Promise<void> {
  const rows = [...blogs].flatMap(([blog_id, { campaigns }]) =>
    [...campaigns].flatMap(([campaign_id, one]) =>
      [...(one?.days ?? [])].map(([day, { added }]) => ({ blog_id, campaign_id, day, impressions: added, clicks: 0 })),
    ),
  );
  await insert(
    db,
    'campaign_counts',
    rows.filter(({ impressions }) => impressions > 0),
    ADD_IMPRESSIONS,
  );
}

const ADD_IMPRESSIONS = `(blog_id, campaign_id, day) do update set
  impressions = campaign_counts.impressions + excluded.impressions`;

async function readCampaigns(
  db: Kysely<Tables>,
  items: readonly BlogDelivery[],
  { lock }: EventDialect,
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
  // All processes lock their rows in this order, before any other, to avoid deadlocks.
  const keys = [...blogs].flatMap(([blogId, { campaigns }]) =>
    [...campaigns.keys()].map((id) => [blogId, id] as const),
  );
  keys.sort(([a, one], [b, other]) => codeUnitOrder(a, b) || codeUnitOrder(one, other));
  for (const some of chunks(keys, ROWS)) {
    const wanted = sql.join(some.map(([blogId, id]) => sql`(${blogId}, ${id})`));
    const campaigns = await sql<Tables['campaigns']>`select * from campaigns
      where (blog_id, id) in (values ${wanted}) order by blog_id, id ${lock}`.execute(db);
    for (const { blog_id, id, json, plan } of campaigns.rows) {
      const campaign: Campaign = JSON.parse(json);
      blogs.get(blog_id)?.campaigns.set(id, {
        ...{ campaign: { ...campaign, ...periodOf(campaign) }, impressions: 0, clicks: 0, days: new Map() },
        ...{ plan: plan === null ? undefined : JSON.parse(plan), hasNewPlan: false },
      });
    }
    await readProgress(db, blogs, wanted, first);
  }
  for (const [blogId, blog] of blogs) {
    const opened = [...blog.campaigns.values()].filter((one) => one !== undefined);
    for (const one of opened) {
      const plan = planOf(one.campaign, one.plan, one, earliest);
      one.hasNewPlan = plan !== one.plan;
      one.plan = plan;
    }
    const isPlanned = ({ campaign: { goal, startsAt, endsAt }, plan }: OpenCampaign) =>
      plan ?? (goal && startsAt && endsAt);
    if (opened.some(isPlanned)) blog.traffic = await readTraffic(db, blogId, earliest);
  }
  return blogs;
}

/** Reads what campaigns have delivered: on each day from the first one on, and in total on the days before it. */
async function readProgress(
  db: Kysely<Tables>,
  blogs: OpenBlogs,
  wanted: RawBuilder<unknown>,
  first: string,
): Promise<void> {
  const { rows } = await sql<Tables['campaign_counts']>`
    select blog_id, campaign_id, recent as day, cast(sum(impressions) as bigint) as impressions,
      cast(sum(clicks) as bigint) as clicks
    from (select *, case when day < ${first} then '' else day end as recent from campaign_counts
      where (blog_id, campaign_id) in (values ${wanted})) as counted
    group by blog_id, campaign_id, recent`.execute(db);
  for (const { blog_id, campaign_id, day, impressions, clicks } of rows) {
    const one = blogs.get(blog_id)?.campaigns.get(campaign_id);
    if (!one) continue;
    one.impressions += impressions;
    one.clicks += clicks;
    one.days.set(day, { total: impressions, added: 0 });
  }
}

/** The usual traffic of a blog; see `weeklyTraffic`. */
const readTraffic = async (db: Kysely<Tables>, blogId: string, at: number): Promise<WeeklyTraffic | undefined> =>
  weeklyTraffic(await readHours(db, blogId, at), at);

/** The deliveries to readers of a blog in the hours of the last two weeks that had any; see `hourOf`. */
export async function readHours(
  db: Kysely<Tables>,
  blogId: string,
  at: number,
): Promise<(readonly [hour: number, deliveries: number])[]> {
  const rows = await db
    .selectFrom('hour_counts')
    .select(['hour', 'deliveries'])
    .where('blog_id', '=', blogId)
    .where('hour', '>=', hourOf(at) - TRAFFIC_HOURS)
    .execute();
  return rows.map(({ hour, deliveries }) => [hour, deliveries] as const);
}
