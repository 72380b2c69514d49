import type { SnapshotAd, SnapshotCampaign } from '@broadsheet/contract';
import type { CampaignCount } from '@broadsheet/core';
import { adName } from '@broadsheet/management';
import type { AdSums, Sums } from '@broadsheet/store';
import type { Period } from './period.ts';

/** Impressions, clicks and requests that were counted. */
export interface Count {
  readonly impressions: number;
  /** The impressions that come from readers, and how many of them were viewable. */
  readonly valid: number;
  readonly viewable: number;
  readonly clicks: number;
  /** Requests by slots with a name, and how many of them received an ad. */
  readonly requests: number;
  readonly filled: number;
}

/** The figures of an ad, a campaign, a sponsor or a placement, in a period and in the previous one. */
export interface Figure extends Count {
  readonly id: string;
  readonly name: string;
  /** The format of an ad, `deleted` for one that was deleted; the sponsor of a campaign. */
  readonly note: string;
  readonly before: Count;
}

/** What the page is filtered by. */
export interface Filter {
  readonly sponsor?: string | undefined;
  readonly campaign?: string | undefined;
  readonly ad?: string | undefined;
  readonly placement?: string | undefined;
}

/** The ads and campaigns of a blog, and the names of deleted ads. */
export interface KnownAds {
  readonly ads: readonly SnapshotAd[];
  readonly campaigns: readonly SnapshotCampaign[];
  /** The figures of the campaigns, by day. */
  readonly ofCampaigns: readonly CampaignCount[];
  readonly nameOfDeleted: (id: string) => string;
}

/** The figures of a period, and of the one it is compared with. */
export interface Figures {
  /** Whether pages report viewable ads; without any report, there is no rate. */
  readonly measured: boolean;
  readonly total: Count;
  readonly before: Count;
  /** One for each day of the period. */
  readonly series: readonly Count[];
  readonly seriesBefore: readonly Count[];
  /** Existing ads, and deleted ones that were delivered in either period. */
  readonly ads: readonly Figure[];
  readonly campaigns: readonly Figure[];
  readonly sponsors: readonly Figure[];
  readonly placements: readonly Figure[];
}

export const NONE: Count = { impressions: 0, valid: 0, viewable: 0, clicks: 0, requests: 0, filled: 0 };

function plus(a: Count, b: Count): Count {
  return {
    impressions: a.impressions + b.impressions,
    valid: a.valid + b.valid,
    viewable: a.viewable + b.viewable,
    clicks: a.clicks + b.clicks,
    requests: a.requests + b.requests,
    filled: a.filled + b.filled,
  };
}
const sumOf = (counts: readonly Count[]): Count => counts.reduce(plus, NONE);

/** Clicks divided by impressions; 0 without impressions. */
export const ctrOf = ({ impressions, clicks }: Count): number => (impressions > 0 ? clicks / impressions : 0);

/** Filled slots divided by requests; 0 without requests. */
export const fillOf = ({ requests, filled }: Count): number => (requests > 0 ? filled / requests : 0);

/** Viewable divided by valid impressions; 0 without impressions. */
export const viewableOf = ({ valid, viewable }: Count): number => (valid > 0 ? viewable / valid : 0);

/** The relative change; `undefined` if there was nothing before. */
export const changeOf = (now: number, before: number): number | undefined =>
  before > 0 ? (now - before) / before : undefined;

/** Combines the sums of the database into the figures of the page. */
export function figuresOf(period: Period, all: KnownAds, counted: Sums, filter: Filter): Figures {
  // Those of a campaign are only the valid ones; all other rows include what was excluded.
  const ofCampaigns = all.ofCampaigns.map((row) => ({ ...row, impressions: row.impressions + row.excluded }));
  const { known, sums } = filtered({ ...all, ofCampaigns }, counted, filter);
  const byDay = new Map<string, Count>();
  // A slot without an ad is not an impression, and a click is counted once: for its ad.
  for (const { day, ...row } of sums.adsByDay) byDay.set(day, plus(byDay.get(day) ?? NONE, countOf(row)));
  for (const { day, requests, filled } of sums.placementsByDay)
    byDay.set(day, { ...(byDay.get(day) ?? NONE), requests, filled });
  const [series, seriesBefore] = [period.days, period.before].map((days) => days.map((day) => byDay.get(day) ?? NONE));
  const adCounts = compare(sums.byAd.map(({ adId, current, ...row }) => ({ id: adId, current, count: countOf(row) })));
  const placements = compare(
    sums.byPlacement.map(({ placement, current, requests, filled, ...row }) => ({
      ...{ id: placement, current, count: { ...countOf({ ...row, impressions: filled }), requests, filled } },
    })),
  );
  const campaigns = campaignRows(period, known);
  return {
    measured: [...counted.adsByDay, ...ofCampaigns].some(({ viewable }) => viewable > 0),
    total: sumOf(series ?? []),
    before: sumOf(seriesBefore ?? []),
    series: series ?? [],
    seriesBefore: seriesBefore ?? [],
    ads: adRows(known, adCounts, filter),
    campaigns,
    sponsors: sponsorRows(campaigns),
    placements: [...placements].map(([id, compared]) => ({ id, name: id, note: '', ...compared })),
  };
}

type Row = Pick<AdSums, 'impressions' | 'excluded' | 'viewable' | 'clicks'>;

const countOf = ({ impressions, excluded, viewable, clicks }: Row): Count => ({
  ...NONE,
  ...{ impressions, valid: impressions - excluded, viewable, clicks },
});

/** Keeps what belongs to the campaigns of the filter; requests of slots are not counted by campaign. */
function filtered(known: KnownAds, sums: Sums, { campaign, sponsor }: Filter): { known: KnownAds; sums: Sums } {
  if (campaign === undefined && sponsor === undefined) return { known, sums };
  const campaigns = known.campaigns.filter((one) => isWanted(campaign, one.id) && isWanted(sponsor, one.sponsor));
  const ids = new Set<string | undefined>(campaigns.map(({ id }) => id));
  const ads = known.ads.filter(({ campaignId }) => ids.has(campaignId));
  const adIds = new Set(ads.map(({ id }) => id));
  const ofCampaigns = known.ofCampaigns.filter(({ campaignId }) => ids.has(campaignId));
  const byAd = sums.byAd.filter(({ adId }) => adIds.has(adId));
  return {
    known: { ...known, ads, campaigns, ofCampaigns },
    sums: { adsByDay: ofCampaigns, byAd, placementsByDay: [], byPlacement: [] },
  };
}

function campaignRows(period: Period, { campaigns, ofCampaigns }: KnownAds): Figure[] {
  const byCampaign = Map.groupBy(ofCampaigns, ({ campaignId }) => campaignId);
  return campaigns.map(({ id, name, sponsor }) => {
    const sumIn = (days: readonly string[]): Count =>
      sumOf((byCampaign.get(id) ?? []).filter(({ day }) => days.includes(day)).map(countOf));
    return { id, name, note: sponsor, ...sumIn(period.days), before: sumIn(period.before) };
  });
}

/** Adds up the figures of campaigns by sponsor. */
const sponsorRows = (campaigns: readonly Figure[]): Figure[] =>
  [...Map.groupBy(campaigns, ({ note }) => note)].map(([sponsor, own]) => ({
    ...{ id: sponsor, name: sponsor, note: '' },
    ...sumOf(own),
    before: sumOf(own.map(({ before }) => before)),
  }));

const isWanted = (wanted: string | undefined, given: string | undefined): boolean =>
  wanted === undefined || wanted === given;

type Compared = Count & { readonly before: Count };
const NEVER: Compared = { ...NONE, before: NONE };

/** The counts of both periods by id. */
function compare(rows: readonly { id: string; current: boolean; count: Count }[]): Map<string, Compared> {
  const compared = new Map<string, Compared>();
  for (const { id, current, count } of rows) {
    const known = compared.get(id) ?? NEVER;
    compared.set(id, current ? { ...count, before: known.before } : { ...known, before: count });
  }
  return compared;
}

function adRows({ ads, nameOfDeleted }: KnownAds, adCounts: ReadonlyMap<string, Compared>, filter: Filter): Figure[] {
  // A placement lists only the ads that it showed.
  const listed = ads.filter(
    ({ id }) => isWanted(filter.ad, id) && (filter.placement === undefined || adCounts.has(id)),
  );
  const rows = listed.map((ad) => ({
    id: ad.id,
    name: adName(ad),
    note: ad.format,
    ...(adCounts.get(ad.id) ?? NEVER),
  }));
  const known = new Set(ads.map(({ id }) => id));
  const deleted = [...adCounts].filter(([id]) => !known.has(id));
  return [...rows, ...deleted.map(([id, count]) => ({ id, name: nameOfDeleted(id), note: 'deleted', ...count }))];
}
