import { shareOfDay, weeklyTraffic } from '@broadsheet/core';
import { deletedAdNames, excludedOf, knownCampaigns } from '@broadsheet/management';
import type { SqlStore } from '@broadsheet/store';
import type { BlogVisit } from '../access/visit.ts';
import { figuresOf } from '../figures/figures.ts';
import { hoursOf } from '../figures/hours.ts';
import { readPeriod } from '../figures/period.ts';

/** The data of the overview, for the page and its CSV files. */
export type Overview = Awaited<ReturnType<typeof readOverview>>;

export async function readOverview(store: SqlStore, visit: BlogVisit) {
  const query = visit.url.searchParams;
  const { id, timeZone } = visit.blog;
  const period = readPeriod(query, visit.now, timeZone);
  const filter = {
    ad: query.get('ad') || undefined,
    campaign: query.get('campaign') || undefined,
    sponsor: query.get('sponsor') || undefined,
    placement: query.get('placement') ?? undefined,
  };
  const { sponsor: _, ...counted } = filter;
  const range = { from: period.before[0], to: period.to };
  const [ads, nameOfDeleted, byAd, byPlacement, byTraffic, byDay] = await Promise.all([
    store.listAllAds(id),
    deletedAdNames(store, id, visit.now),
    store.figures(id, { by: ['day', 'ad', 'campaign'], ...counted, ...range }),
    store.figures(id, { by: ['day', 'placement'], ...counted, ...range }),
    store.figures(id, { by: ['traffic', 'campaign'], ...counted, from: period.from, to: period.to }),
    store.figures(id, { by: ['day'], ...range }),
  ]);
  const ids = byAd.map(({ campaign }) => campaign);
  const campaigns = await knownCampaigns(store, id, ids, visit.now);
  const traffic = await store.readHours(id, visit.now);
  // Today is compared with the same hours of an earlier day.
  const day = period.before[period.current];
  const share = shareOfDay(visit.now, timeZone, weeklyTraffic(traffic, visit.now));
  const partial = day === undefined ? undefined : { day, share };
  const figures = figuresOf(period, { ads, campaigns, nameOfDeleted, byAd, byPlacement, byDay, partial }, filter);
  const isListed = ({ campaign }: { readonly campaign: string }) =>
    filter.sponsor === undefined || figures.campaigns.some((one) => one.id === campaign);
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return {
    ...{ visit, period, filter, ads, figures },
    /** The hours of a single day, for the whole blog. */
    hours: isFiltered ? undefined : hoursOf(period, traffic, { now: visit.now, timeZone }),
    /** The ads that were delivered in the period, but not counted. */
    excluded: excludedOf(byTraffic.filter(isListed)),
  };
}
