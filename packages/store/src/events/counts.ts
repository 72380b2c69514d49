import {
  type CampaignCount,
  codeUnitOrder,
  type DayCount,
  type DayRange,
  EXCLUDED,
  type PlacementCount,
  type TrafficCount,
} from '@broadsheet/core';
import { type Kysely, sql } from 'kysely';
import { type Tables, TRAFFIC_COLUMNS } from '../tables.ts';
import { inCountOrder } from './impressions.ts';

/** The counts of the ads of a blog, by the rules of `Store.countsByDay`. */
export async function readDayCounts(db: Kysely<Tables>, blogId: string, days?: DayRange): Promise<DayCount[]> {
  const rows = await readCounts(db, 'ad_counts', blogId, days);
  return rows.map(({ day, ad_id: adId, impressions, viewable, clicks, ...traffic }) => {
    const excluded = EXCLUDED.reduce((sum, reason) => sum + traffic[`${reason}_impressions`], 0);
    return { day, adId, impressions, excluded, viewable, clicks };
  });
}

/** The counts of the placements of a blog, by the rules of `Store.countsByPlacement`. */
export async function readPlacementCounts(
  db: Kysely<Tables>,
  blogId: string,
  days?: DayRange,
): Promise<PlacementCount[]> {
  const rows = await readCounts(db, 'placement_counts', blogId, days);
  return rows.map(({ day, placement, ad_id, slots: asked, excluded, viewable, clicks }) => {
    const filled = ad_id === '' ? { adId: undefined, impressions: 0 } : { adId: ad_id, impressions: asked };
    return { day, placement, ...filled, asked, excluded, viewable, clicks };
  });
}

/** Impressions of a blog that are not valid, by the rules of `Store.countsByTraffic`. */
export async function readTrafficCounts(db: Kysely<Tables>, blogId: string, days?: DayRange): Promise<TrafficCount[]> {
  const rows = await readCounts(db, 'ad_counts', blogId, days);
  return rows.flatMap(({ day, ad_id: adId, ...counts }) =>
    TRAFFIC_COLUMNS.toSorted(codeUnitOrder).flatMap((column) => {
      const traffic = column.replace('_impressions', '') as TrafficCount['traffic'];
      return counts[column] > 0 ? [{ day, adId, traffic, impressions: counts[column] }] : [];
    }),
  );
}

/** The counts of the campaigns of a blog, by the rules of `Store.countsByCampaign`. */
export async function readCampaignCounts(
  db: Kysely<Tables>,
  blogId: string,
  days?: DayRange,
): Promise<CampaignCount[]> {
  const { from = '', to = '~' } = days ?? {};
  const { rows } = await sql<CampaignCount>`
    select day, campaign_id as "campaignId", impressions, excluded, viewable, clicks from campaign_counts
    where blog_id = ${blogId} and day between ${from} and ${to}`.execute(db);
  return rows.sort((a, b) => codeUnitOrder(a.day, b.day) || codeUnitOrder(a.campaignId, b.campaignId));
}

async function readCounts<Table extends 'ad_counts' | 'placement_counts'>(
  db: Kysely<Tables>,
  table: Table,
  blogId: string,
  { from = '', to = '~' }: DayRange = {},
): Promise<Tables[Table][]> {
  const { rows } = await sql<Tables[Table]>`
    select * from ${sql.table(table)} where blog_id = ${blogId} and day between ${from} and ${to}`.execute(db);
  return rows.sort(inCountOrder);
}
