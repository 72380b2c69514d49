import type { SnapshotCampaign } from '@broadsheet/contract';
import { type Blog, dayOf, type Figure, OTHER_PLACEMENT } from '@broadsheet/core';
import { requireBlog } from '../operations/blogs.ts';
import type { CampaignState } from '../operations/states.ts';
import type { CommandStore } from '../server-store.ts';
import { type AdTotal, adTotals, deletedAdNames } from './ads.ts';
import { listCampaigns } from './campaigns.ts';
import { type MeasuredDays, measuredDays, type SlotTotal, slotTotalOf, type Total, totalsBy } from './totals.ts';

/** The totals of one placement, which is the id of a slot. */
export interface PlacementTotal extends SlotTotal {
  readonly placement: string;
}

/** Impressions of a day that were probably not seen by a reader, for one reason. */
export interface TrafficTotal {
  readonly day: string;
  readonly reason: string;
  readonly impressions: number;
}

/** The totals of one campaign. */
export interface CampaignTotal extends Total, Pick<SnapshotCampaign, 'id' | 'sponsor' | 'name' | 'kind'> {
  readonly state: CampaignState;
}

/** The figures of a blog: totals by ad, by campaign and by placement, and the counts of each ad by day. */
export interface BlogStats {
  readonly blog: string;
  /** The time zone of its days; UTC by default. */
  readonly timeZone?: string | undefined;
  readonly ads: readonly AdTotal[];
  /** Paid campaigns come before house campaigns; deleted ones stay if they have figures. */
  readonly campaigns: readonly CampaignTotal[];
  /** The placements with the most impressions come first. */
  readonly placements: readonly PlacementTotal[];
  readonly days: readonly (Total & { readonly day: string; readonly adId: string })[];
  /** Impressions by day that do not count, with the reason. */
  readonly excluded: readonly TrafficTotal[];
  /** Impressions by day that servers requested without the headers of their visitors; they count. */
  readonly unknown: readonly TrafficTotal[];
}

/** The figures of a blog, including those of deleted ads and campaigns. @throws OperationError */
export async function readStats(store: CommandStore, blog: string, now: number): Promise<BlogStats> {
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
    ...(timeZone !== undefined && { timeZone }),
    ads: adTotals(ads, figures, measured, await deletedAdNames(store, blog, now)),
    campaigns: campaigns.map(({ campaign: { id, sponsor, name, kind }, ...figures }) => {
      const { state, impressions, delivered, valid, viewable, viewableRate, clicks, ctr } = figures;
      return { id, sponsor, name, kind, state, impressions, delivered, valid, viewable, viewableRate, clicks, ctr };
    }),
    placements: placementTotals(await store.figures(blog, { by: ['day', 'placement'] }), measured),
    days: totalsBy(['day', 'ad'], figures, measured).map(({ ad: adId, ...total }) => ({ ...total, adId })),
    excluded: traffic.filter(({ reason }) => reason !== 'valid' && reason !== 'unknown'),
    unknown: traffic.filter(({ reason }) => reason === 'unknown'),
  };
}

/** The days of {@link recentPlacements}. */
export const RECENT_DAYS = 30;

/**
 * The placements of a blog in the last days, those with the most requests first: what a campaign that names them may
 * expect.
 */
export async function recentPlacements(
  store: CommandStore,
  { id, timeZone }: Pick<Blog, 'id' | 'timeZone'>,
  now: number,
): Promise<readonly PlacementTotal[]> {
  const from = dayOf(now - (RECENT_DAYS - 1) * 24 * 60 * 60 * 1000, timeZone);
  const totals = placementTotals(await store.figures(id, { by: ['day', 'placement'], from }), new Set());
  return totals.filter(({ placement }) => placement !== OTHER_PLACEMENT).sort((a, b) => b.requests - a.requests);
}

function placementTotals(figures: readonly Figure<'day' | 'placement'>[], measured: MeasuredDays): PlacementTotal[] {
  const byPlacement = Map.groupBy(figures, ({ placement }) => placement);
  byPlacement.delete('');
  const totals = [...byPlacement].map(([placement, own]) => ({ placement, ...slotTotalOf(own, measured) }));
  return totals.sort((a, b) => b.impressions - a.impressions || b.requests - a.requests);
}
