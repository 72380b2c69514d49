import {
  type AdTotal,
  type BlogStats,
  type CampaignTotal,
  type PlacementTotal,
  readStats,
  type TrafficTotal,
} from '@broadsheet/management';
import { type CommandFlags, withStore } from '../database/database.ts';
import { dayHeading, percent, SEEN, seen } from '../program/figures.ts';
import { printResult } from '../program/output.ts';
import { bar, table } from '../program/table.ts';

const BAR_WIDTH = 24;

export async function stats(blog: string, flags: CommandFlags): Promise<void> {
  const read = await withStore(flags, {}, (store) => readStats(store, blog, Date.now()));
  const history = read.days.length > 0 ? dayTable(read) : 'No ads have been delivered yet.\n';
  const campaigns = read.campaigns.length > 0 ? `${campaignTable(read.campaigns)}\n` : '';
  const placements = read.placements.length > 0 ? `${placementTable(read.placements)}\n` : '';
  const apart = [...read.excluded, ...read.unknown];
  const traffic = apart.length > 0 ? `\n${trafficTable(apart)}` : '';
  printResult(flags, read, `${blog}\n\n${adTable(read.ads)}\n${campaigns}${placements}${history}${traffic}`);
}

function adTable(ads: readonly AdTotal[]): string {
  const most = mostOf(ads);
  const rows = ads
    .toSorted((a, b) => b.impressions - a.impressions)
    .map((ad) => [
      ad.title,
      ad.format,
      ad.impressions,
      ...seen(ad),
      ad.clicks,
      percent(ad.ctr),
      bar(ad.impressions, most, BAR_WIDTH),
    ]);
  return table(['AD', 'FORMAT', 'IMPRESSIONS', ...SEEN, 'CLICKS', 'CTR', ''], rows);
}

function campaignTable(campaigns: readonly CampaignTotal[]): string {
  const most = mostOf(campaigns);
  const rows = campaigns.map((campaign) => [
    `${campaign.sponsor}: ${campaign.name}`,
    campaign.delivered,
    ...seen(campaign),
    campaign.clicks,
    percent(campaign.ctr),
    bar(campaign.impressions, most, BAR_WIDTH),
  ]);
  return table(['CAMPAIGN', 'IMPRESSIONS', ...SEEN, 'CLICKS', 'CTR', ''], rows);
}

/** Traffic that does not count for campaigns, and traffic of unknown origin. */
function trafficTable(traffic: readonly TrafficTotal[]): string {
  const rows = traffic.map(({ day, reason, impressions }) => [day, reason, impressions]);
  return table(['DAY', 'TRAFFIC', 'IMPRESSIONS'], rows);
}

function placementTable(placements: readonly PlacementTotal[]): string {
  const most = mostOf(placements);
  const rows = placements.map((total) => [
    total.placement,
    total.requests,
    total.impressions,
    percent(total.fill),
    ...seen(total),
    total.clicks,
    percent(total.ctr),
    bar(total.impressions, most, BAR_WIDTH),
  ]);
  return table(['PLACEMENT', 'REQUESTS', 'IMPRESSIONS', 'FILL', ...SEEN, 'CLICKS', 'CTR', ''], rows);
}

/** The most impressions of any row. Not `Math.max(...)`, because a call cannot have so many arguments. */
const mostOf = (rows: readonly { readonly impressions: number }[]): number =>
  rows.reduce((most, { impressions }) => Math.max(most, impressions), 0);

function dayTable({ days: counts, timeZone }: BlogStats): string {
  const days = [...Map.groupBy(counts, ({ day }) => day)].map(([day, group]) => {
    const sum = (of: 'impressions' | 'valid' | 'viewable' | 'clicks') =>
      group.reduce((total, count) => total + count[of], 0);
    const [valid, viewable, isMeasured] = [sum('valid'), sum('viewable'), group[0]?.viewableRate !== null];
    const viewableRate = isMeasured ? viewable / Math.max(1, valid) : null;
    return { day, impressions: sum('impressions'), valid, viewable, viewableRate, clicks: sum('clicks') };
  });
  const most = mostOf(days);
  const rows = days.map((day) => [
    day.day,
    day.impressions,
    ...seen(day),
    day.clicks,
    bar(day.impressions, most, BAR_WIDTH),
  ]);
  return table([dayHeading(timeZone), 'IMPRESSIONS', ...SEEN, 'CLICKS', ''], rows);
}
