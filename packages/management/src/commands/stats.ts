import type { AdTotal } from '../figures/ads.ts';
import {
  type BlogStats,
  type CampaignTotal,
  type PlacementTotal,
  readStats,
  type TrafficTotal,
} from '../figures/stats.ts';
import { measuredDays, type Total, totalsBy } from '../figures/totals.ts';
import { command } from './command.ts';
import { COUNTED, cellsOf, dayHeading, percent, tablesByKind } from './figures.ts';
import { bar, table } from './text-table.ts';

const BAR_WIDTH = 24;

/** The figures of a blog. */
export const stats = {
  stats: command({
    help: 'show impressions, clicks and click-through rate per ad and per day, also while the server runs',
    scopes: ['ads', 'stats'],
    args: {},
    run: ({ store, blog, now }) => readStats(store, blog, now),
    text(read, _, blog) {
      const history = read.days.length > 0 ? dayTable(read) : 'No ads have been delivered yet.\n';
      const campaigns = tablesByKind(read.campaigns, ({ kind }) => kind, campaignTable).map((one) => `${one}\n`);
      const placements = read.placements.length > 0 ? `${placementTable(read.placements)}\n` : '';
      const apart = [...read.excluded, ...read.unknown];
      const traffic = apart.length > 0 ? `\n${trafficTable(apart)}` : '';
      return `${blog}\n\n${adTable(read.ads)}\n${campaigns.join('')}${placements}${history}${traffic}`;
    },
  }),
};

function adTable(ads: readonly AdTotal[]): string {
  const most = mostOf(ads);
  const rows = ads
    .toSorted((a, b) => b.impressions - a.impressions)
    .map((ad) => [ad.title, ad.format, ...cellsOf(ad), barOf(ad, most)]);
  return table(['AD', 'FORMAT', ...COUNTED, ''], rows);
}

function campaignTable(campaigns: readonly CampaignTotal[], heading: string): string {
  const most = mostOf(campaigns);
  const rows = campaigns.map(({ sponsor, name, state, ...total }) => {
    const title = `${sponsor ? `${sponsor}: ` : ''}${name}${state === 'deleted' ? ' (deleted)' : ''}`;
    return [title, ...cellsOf(total), barOf(total, most)];
  });
  return table([heading, ...COUNTED, ''], rows);
}

/** Traffic that does not count for campaigns, and traffic of unknown origin. */
function trafficTable(traffic: readonly TrafficTotal[]): string {
  const rows = traffic.map(({ day, reason, impressions }) => [day, reason, impressions]);
  return table(['DAY', 'TRAFFIC', 'IMPRESSIONS'], rows);
}

function placementTable(placements: readonly PlacementTotal[]): string {
  const most = mostOf(placements);
  const rows = placements.map((total) => {
    return [total.placement, total.requests, percent(total.fill), ...cellsOf(total), barOf(total, most)];
  });
  return table(['PLACEMENT', 'REQUESTS', 'FILL', ...COUNTED, ''], rows);
}

const barOf = ({ impressions }: Total, most: number): string => bar(impressions, most, BAR_WIDTH);

/** The most impressions of any row. Not `Math.max(...)`, because a call cannot have so many arguments. */
const mostOf = (rows: readonly { readonly impressions: number }[]): number =>
  rows.reduce((most, { impressions }) => Math.max(most, impressions), 0);

function dayTable({ days, timeZone }: BlogStats): string {
  const totals = totalsBy(['day'], days, measuredDays(days));
  const most = mostOf(totals);
  const rows = totals.map((total) => [total.day, ...cellsOf(total), barOf(total, most)]);
  return table([dayHeading(timeZone), ...COUNTED, ''], rows);
}
