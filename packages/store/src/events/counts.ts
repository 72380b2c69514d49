import { codeUnitOrder, type DayCount, type DayRange, type PlacementCount } from '@broadsheet/core';
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

/** What the ads of a blog earned, by the rules of `Store.countsByDay`. */
export async function readDayCounts(
  db: Kysely<Tables>,
  blogId: string,
  { from, to }: DayRange = {},
): Promise<DayCount[]> {
  let matching = db.selectFrom('ad_counts').selectAll().where('blog_id', '=', blogId);
  if (from !== undefined) matching = matching.where('day', '>=', from);
  if (to !== undefined) matching = matching.where('day', '<=', to);
  const rows = await matching.execute();
  return rows
    .map(({ day, ad_id: adId, impressions, clicks }) => ({ day, adId, impressions, clicks }))
    .sort((a, b) => codeUnitOrder(a.day, b.day) || codeUnitOrder(a.adId, b.adId));
}

/** What the placements of a blog brought, by the rules of `Store.countsByPlacement`. */
export async function readPlacementCounts(
  db: Kysely<Tables>,
  blogId: string,
  { from, to }: DayRange = {},
): Promise<PlacementCount[]> {
  let matching = db.selectFrom('placement_counts').selectAll().where('blog_id', '=', blogId);
  if (from !== undefined) matching = matching.where('day', '>=', from);
  if (to !== undefined) matching = matching.where('day', '<=', to);
  const rows = await matching.execute();
  return rows
    .sort(
      (a, b) =>
        codeUnitOrder(a.day, b.day) || codeUnitOrder(a.placement, b.placement) || codeUnitOrder(a.ad_id, b.ad_id),
    )
    .map(({ day, placement, ad_id, slots, clicks }) => {
      const adId = ad_id === '' ? undefined : ad_id;
      return { day, placement, adId, asked: slots, impressions: adId === undefined ? 0 : slots, clicks };
    });
}
