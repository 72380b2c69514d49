import { codeUnitOrder, type DayRange, EXCLUDED, type Store, type TrafficCount } from '@broadsheet/core';
import { type Kysely, sql } from 'kysely';
import { type Tables, TRAFFIC_COLUMNS } from '../tables.ts';
import { inCountOrder } from './impressions.ts';

/** The counts of ads, campaigns and placements in the `Store` port. */
export function createCountReads(db: Kysely<Tables>) {
  return {
    async countsByDay(blogId, days) {
      const rows = await readCounts(db, 'ad_counts', blogId, days);
      return rows.sort(inCountOrder).map(({ day, ad_id: adId, impressions, viewable, clicks, ...traffic }) => {
        const excluded = EXCLUDED.reduce((sum, reason) => sum + traffic[`${reason}_impressions`], 0);
        return { day, adId, impressions, excluded, viewable, clicks };
      });
    },
    async countsByTraffic(blogId, days) {
      const rows = await readCounts(db, 'ad_counts', blogId, days);
      return rows.sort(inCountOrder).flatMap(({ day, ad_id: adId, ...counts }) =>
        TRAFFIC_COLUMNS.toSorted(codeUnitOrder).flatMap((column) => {
          const traffic = column.replace('_impressions', '') as TrafficCount['traffic'];
          return counts[column] > 0 ? [{ day, adId, traffic, impressions: counts[column] }] : [];
        }),
      );
    },
    async countsByCampaign(blogId, days) {
      const rows = await readCounts(db, 'campaign_counts', blogId, days);
      return rows
        .sort((a, b) => codeUnitOrder(a.day, b.day) || codeUnitOrder(a.campaign_id, b.campaign_id))
        .map(({ blog_id: _, campaign_id: campaignId, ...counts }) => ({ campaignId, ...counts }));
    },
    async countsByPlacement(blogId, days) {
      const rows = await readCounts(db, 'placement_counts', blogId, days);
      return rows.sort(inCountOrder).map(({ day, placement, ad_id, slots: requests, excluded, viewable, clicks }) => {
        const filled = ad_id === '' ? { adId: undefined, impressions: 0 } : { adId: ad_id, impressions: requests };
        return { day, placement, ...filled, requests, excluded, viewable, clicks };
      });
    },
  } satisfies Partial<Store>;
}

async function readCounts<Table extends 'ad_counts' | 'campaign_counts' | 'placement_counts'>(
  db: Kysely<Tables>,
  table: Table,
  blogId: string,
  { from = '', to = '~' }: DayRange = {},
): Promise<Tables[Table][]> {
  const { rows } = await sql<Tables[Table]>`
    select * from ${sql.table(table)} where blog_id = ${blogId} and day between ${from} and ${to}`.execute(db);
  return rows;
}
