import { type Blog, dayOf, type Figure, OTHER_PLACEMENT } from '@broadsheet/core';
import type { OperatorStore } from '@broadsheet/store';
import { requireBlog } from '../operations/blogs.ts';
import { listCampaigns } from './campaigns.ts';
import { adTotals, deletedAdNames, measuredDays, slotTotalOf, totalsBy } from './totals.ts';

/** The figures of a blog, including those of deleted ads and campaigns. @throws OperationError */
export async function readStats(store: OperatorStore, blog: string, now: number) {
  const { timeZone } = await requireBlog(store, blog);
  const ads = await store.listAllAds(blog);
  const figures = (await store.figures(blog, { by: ['day', 'ad', 'traffic'] })).filter(({ ad }) => ad !== '');
  const measured = measuredDays(figures);
  const campaigns = await listCampaigns(store, blog, now);
  const traffic = totalsBy(['day', 'traffic'], figures, measured).map(({ day, traffic: reason, delivered }) => {
    return { day, reason, impressions: delivered };
  });
  return {
    blog,
    /** The time zone of its days; UTC by default. */
    ...(timeZone !== undefined && { timeZone }),
    ads: adTotals(ads, figures, measured, await deletedAdNames(store, blog, now)),
    /** Paid campaigns come before house campaigns; deleted ones stay if they have figures. */
    campaigns: campaigns.map(({ campaign: { id, sponsor, name, kind }, ...figures }) => {
      const { state, impressions, delivered, valid, viewable, viewableRate, clicks, ctr } = figures;
      return { id, sponsor, name, kind, state, impressions, delivered, valid, viewable, viewableRate, clicks, ctr };
    }),
    placements: placementTotals(await store.figures(blog, { by: ['day', 'placement'] }), measured),
    days: totalsBy(['day', 'ad'], figures, measured).map(({ ad: adId, ...total }) => ({ ...total, adId })),
    /** Impressions by day that do not count, with the reason. */
    excluded: traffic.filter(({ reason }) => reason !== 'valid' && reason !== 'unknown'),
    /** Impressions by day that servers requested without the headers of their visitors; they count. */
    unknown: traffic.filter(({ reason }) => reason === 'unknown'),
  };
}

export type BlogStats = Awaited<ReturnType<typeof readStats>>;

/** The number of recent days, including the current one. */
export const RECENT_DAYS = 30;

/** The first of a blog's recent days. */
export const firstRecentDay = (now: number, timeZone: string | undefined): string =>
  dayOf(now - (RECENT_DAYS - 1) * 24 * 60 * 60 * 1000, timeZone);

/**
 * The placements of a blog on recent days, those with the most requests first. They show what a campaign that names
 * them can expect.
 */
export async function recentPlacements(
  store: OperatorStore,
  { id, timeZone }: Pick<Blog, 'id' | 'timeZone'>,
  now: number,
) {
  const from = firstRecentDay(now, timeZone);
  const totals = placementTotals(await store.figures(id, { by: ['day', 'placement'], from }), new Set());
  return totals.filter(({ placement }) => placement !== OTHER_PLACEMENT).sort((a, b) => b.requests - a.requests);
}

export type PlacementTotal = ReturnType<typeof placementTotals>[number];

/** The totals of placements, which are ids of slots; those with the most impressions come first. */
function placementTotals(figures: readonly Figure<'day' | 'placement'>[], measured: ReadonlySet<string>) {
  const byPlacement = Map.groupBy(figures, ({ placement }) => placement);
  byPlacement.delete('');
  const totals = [...byPlacement].map(([placement, own]) => ({ placement, ...slotTotalOf(own, measured) }));
  return totals.sort((a, b) => b.impressions - a.impressions || b.requests - a.requests);
}
