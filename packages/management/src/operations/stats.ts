import type { DayCount, PlacementCount, TrafficCount } from '@broadsheet/core';
import { adName } from '@broadsheet/store';
import { listCampaigns, totalOf } from '../campaigns/campaigns.ts';
import type { ManagedStore } from '../remote/verbs.ts';
import { deletedAdNames, listAds } from './ads.ts';

/** The totals of one ad. */
export interface AdTotal {
  readonly id: string;
  /** `deleted` for a deleted ad, whose figures stay. */
  readonly format: string;
  /** See `adName`. */
  readonly title: string;
  readonly impressions: number;
  readonly clicks: number;
  /** Clicks divided by impressions; 0 without impressions. */
  readonly ctr: number;
}

/** The totals of one placement, which is the id of a slot. */
export interface PlacementTotal {
  readonly placement: string;
  /** Requested slots with this id, including those that stayed empty. */
  readonly asked: number;
  readonly impressions: number;
  /** Impressions divided by requested slots; 0 without requests. */
  readonly fill: number;
  readonly clicks: number;
  readonly ctr: number;
}

/** Impressions of a day that may not come from a reader, with the reason. */
export interface TrafficTotal {
  readonly day: string;
  readonly reason: TrafficCount['traffic'];
  readonly impressions: number;
}

/** The totals of one campaign. */
export interface CampaignTotal {
  readonly id: string;
  readonly sponsor: string;
  readonly name: string;
  readonly impressions: number;
  readonly clicks: number;
  readonly ctr: number;
}

/** The figures of a blog: totals by ad, by campaign and by placement, and the counts of each ad by day. */
export interface BlogStats {
  readonly blog: string;
  readonly ads: readonly AdTotal[];
  readonly campaigns: readonly CampaignTotal[];
  /** The placements with the most impressions come first. */
  readonly placements: readonly PlacementTotal[];
  readonly days: readonly DayCount[];
  /** Impressions by day that do not count for campaigns, with the reason. */
  readonly excluded: readonly TrafficTotal[];
  /** Impressions by day that servers requested without the headers of their visitors; they count. */
  readonly unknown: readonly TrafficTotal[];
}

/** The figures of a blog, including those of deleted ads. @throws OperationError */
export async function readStats(store: ManagedStore, blog: string, now: number): Promise<BlogStats> {
  const [ads, counts] = [await listAds(store, blog), await store.countsByDay(blog)];
  const placements = totalsOf(await store.countsByPlacement(blog));
  const byAd = Map.groupBy(counts, ({ adId }) => adId);
  const traffic = trafficOf(await store.countsByTraffic(blog));
  const total = (id: string) => totalOf(byAd.get(id) ?? []);
  const campaigns = await listCampaigns(store, blog, now);
  const known = new Set(ads.map(({ id }) => id));
  const deleted = [...byAd.keys()].filter((id) => !known.has(id));
  const nameOf = await deletedAdNames(store, blog, now);
  return {
    blog,
    ads: [
      ...ads.map((ad) => ({ id: ad.id, format: ad.format, title: adName(ad), ...total(ad.id) })),
      ...deleted.map((id) => ({ id, format: 'deleted', title: nameOf(id), ...total(id) })),
    ],
    campaigns: campaigns.map(({ campaign: { id, sponsor, name }, impressions, clicks, ctr }) => {
      return { id, sponsor, name, impressions, clicks, ctr };
    }),
    placements,
    days: counts,
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

function totalsOf(counts: readonly PlacementCount[]): PlacementTotal[] {
  const totals = [...Map.groupBy(counts, ({ placement }) => placement)].map(([placement, own]) => {
    const sum = (of: 'asked' | 'impressions' | 'clicks') => own.reduce((total, count) => total + count[of], 0);
    const [asked, impressions, clicks] = [sum('asked'), sum('impressions'), sum('clicks')];
    return { placement, asked, impressions, fill: share(impressions, asked), clicks, ctr: share(clicks, impressions) };
  });
  return totals.sort((a, b) => b.impressions - a.impressions || b.asked - a.asked);
}

const share = (part: number, of: number): number => (of > 0 ? part / of : 0);
