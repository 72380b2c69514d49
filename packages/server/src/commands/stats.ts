import type { DayCount } from '@broadsheet/core';
import {
  type AdTotal,
  type CampaignTotal,
  type PlacementTotal,
  readStats,
  type TrafficTotal,
} from '@broadsheet/management';
import { type CommandFlags, withStore } from '../database/database.ts';
import { printResult } from '../program/output.ts';
import { bar, table } from '../program/table.ts';

const BAR_WIDTH = 24;

/** `broadsheet stats BLOG` */
export async function stats(blog: string, flags: CommandFlags): Promise<void> {
  const read = await withStore(flags, {}, (store) => readStats(store, blog, Date.now()));
  const history = read.days.length > 0 ? dayTable(read.days) : 'No ad was delivered yet.\n';
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
      ad.clicks,
      percent(ad.ctr),
      bar(ad.impressions, most, BAR_WIDTH),
    ]);
  return table(['AD', 'FORMAT', 'IMPRESSIONS', 'CLICKS', 'CTR', ''], rows);
}

function campaignTable(campaigns: readonly CampaignTotal[]): string {
  const most = mostOf(campaigns);
  const rows = campaigns.map(({ sponsor, name, impressions, clicks, ctr }) => [
    `${sponsor}: ${name}`,
    impressions,
    clicks,
    percent(ctr),
    bar(impressions, most, BAR_WIDTH),
  ]);
  return table(['CAMPAIGN', 'IMPRESSIONS', 'CLICKS', 'CTR', ''], rows);
}

/** Traffic that does not count for campaigns, and traffic of unknown origin. */
function trafficTable(traffic: readonly TrafficTotal[]): string {
  const rows = traffic.map(({ day, reason, impressions }) => [day, reason, impressions]);
  return table(['DAY', 'TRAFFIC', 'IMPRESSIONS'], rows);
}

function placementTable(placements: readonly PlacementTotal[]): string {
  const most = mostOf(placements);
  const rows = placements.map(({ placement, asked, impressions, fill, clicks, ctr }) => [
    placement,
    asked,
    impressions,
    percent(fill),
    clicks,
    percent(ctr),
    bar(impressions, most, BAR_WIDTH),
  ]);
  return table(['PLACEMENT', 'ASKED', 'IMPRESSIONS', 'FILL', 'CLICKS', 'CTR', ''], rows);
}

/** The most impressions of any row. Not `Math.max(...)`, because a call cannot have so many arguments. */
const mostOf = (rows: readonly { readonly impressions: number }[]): number =>
  rows.reduce((most, { impressions }) => Math.max(most, impressions), 0);

const percent = (share: number): string => `${(share * 100).toFixed(2)} %`;

function dayTable(counts: readonly DayCount[]): string {
  const days = [...Map.groupBy(counts, ({ day }) => day)].map(([day, group]) => ({
    day,
    impressions: group.reduce((sum, count) => sum + count.impressions, 0),
    clicks: group.reduce((sum, count) => sum + count.clicks, 0),
  }));
  const most = mostOf(days);
  const rows = days.map(({ day, impressions, clicks }) => [
    day,
    impressions,
    clicks,
    bar(impressions, most, BAR_WIDTH),
  ]);
  return table(['DAY', 'IMPRESSIONS', 'CLICKS', ''], rows);
}
