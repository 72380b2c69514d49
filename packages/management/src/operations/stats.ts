import type { DayCount, PlacementCount, TrafficCount } from '@broadsheet/core';
import { adName } from '@broadsheet/store';
import { isMeasured, listCampaigns, share, type Total, totalOf } from '../campaigns/campaigns.ts';
import type { ManagedStore } from '../remote/verbs.ts';
import { deletedAdNames, listAds } from './ads.ts';
import { requireBlog } from './blogs.ts';

/** The totals of one ad. */
export interface AdTotal extends Total {
  readonly id: string;
  /** `deleted` for a deleted ad, whose figures stay. */
  readonly format: string;
  /** See `adName`. */
  readonly title: string;
}

/** The totals of one placement, which is the id of a slot. */
export interface PlacementTotal extends Total {
  readonly placement: string;
  /** Requested slots with this id, including those that stayed empty. */
  readonly requests: number;
  /** Impressions divided by requested slots; 0 without requests. */
  readonly fill: number;
}

/** Impressions of a day that were probably not seen by a reader, for one reason. */
export interface TrafficTotal {
  readonly day: string;
  readonly reason: TrafficCount['traffic'];
  readonly impressions: number;
}

/** The totals of one campaign; its `impressions` are the valid ones. */
export interface CampaignTotal extends Total {
  readonly id: string;
  readonly sponsor: string;
  readonly name: string;
}

/** The figures of a blog: totals by ad, by campaign and by placement, and the counts of each ad by day. */
export interface BlogStats {
  readonly blog: string;
  /** The time zone of its days; UTC by default. */
  readonly timeZone?: string | undefined;
  readonly ads: readonly AdTotal[];
  readonly campaigns: readonly CampaignTotal[];
  /** The placements with the most impressions come first. */
  readonly placements: readonly PlacementTotal[];
  readonly days: readonly (Total & Pick<DayCount, 'day' | 'adId'>)[];
  /** Impressions by day that do not count for campaigns, with the reason. */
  readonly excluded: readonly TrafficTotal[];
  /** Impressions by day that servers requested without the headers of their visitors; they count. */
  readonly unknown: readonly TrafficTotal[];
}

/** The figures of a blog, including those of deleted ads. @throws OperationError */
export async function readStats(store: ManagedStore, blog: string, now: number): Promise<BlogStats> {
  const { timeZone } = await requireBlog(store, blog);
  const [ads, counts] = [await listAds(store, blog), await store.countsByDay(blog)];
  const measured = isMeasured(counts);
  const byAd = Map.groupBy(counts, ({ adId }) => adId);
  const traffic = trafficOf(await store.countsByTraffic(blog));
  const total = (id: string) => totalOf(byAd.get(id) ?? [], measured);
  const campaigns = await listCampaigns(store, blog, now);
  const known = new Set(ads.map(({ id }) => id));
  const deleted = [...byAd.keys()].filter((id) => !known.has(id));
  const nameOf = await deletedAdNames(store, blog, now);
  return {
    blog,
    ...(timeZone !== undefined && { timeZone }),
    ads: [
      ...ads.map((ad) => ({ id: ad.id, format: ad.format, title: adName(ad), ...total(ad.id) })),
      ...deleted.map((id) => ({ id, format: 'deleted', title: nameOf(id), ...total(id) })),
    ],
    campaigns: campaigns.map(({ campaign: { id, sponsor, name }, ...figures }) => {
      const { impressions, delivered, valid, viewable, viewableRate, clicks, ctr } = figures;
      return { id, sponsor, name, impressions, delivered, valid, viewable, viewableRate, clicks, ctr };
    }),
    placements: placementTotals(await store.countsByPlacement(blog), measured),
    days: counts.map((count) => ({ day: count.day, adId: count.adId, ...totalOf([count], measured) })),
    excluded: traffic.filter(({ reason }) => reason !== 'unknown'),
    unknown: traffic.filter(({ reason }) => reason === 'unknown'),
  };
}

/** Adds up the impressions of all ads by day and reason. */
function trafficOf(counts: readonly TrafficCount[]): TrafficTotal[] {
  const groups = Map.groupBy(counts, ({ day, traffic }) => `${day} ${traffic}`);
  return [...groups.values()].flatMap((own) => {
    const impressions = own.reduce((sum, count) => sum + count.impressions, 0);
    return own.slice(0, 1).map(({ day, traffic: reason }) => ({ day, reason, impressions }));
  });
}

function placementTotals(counts: readonly PlacementCount[], measured: boolean): PlacementTotal[] {
  const totals = [...Map.groupBy(counts, ({ placement }) => placement)].map(([placement, own]) => {
    const requests = own.reduce((total, count) => total + count.requests, 0);
    const total = totalOf(own, measured);
    return { placement, requests, fill: share(total.impressions, requests), ...total };
  });
  return totals.sort((a, b) => b.impressions - a.impressions || b.requests - a.requests);
}
