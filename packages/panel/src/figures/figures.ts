import type { SnapshotAd } from '@broadsheet/contract';
import type { Figure as Counted } from '@broadsheet/core';
import { type KnownCampaign, measuredDays, type SlotTotal, slotTotalOf } from '@broadsheet/management';
import { adName } from '@broadsheet/store';
import type { Period } from './period.ts';

/** The figures of an ad, a campaign, a sponsor or a placement, in a period and in the previous one. */
export interface Figure extends SlotTotal {
  readonly id: string;
  readonly name: string;
  /** The format of an ad, `house` for a house campaign, and `deleted` for what was deleted. */
  readonly note: string;
  /** The sponsor of a campaign. */
  readonly sponsor: string;
  readonly before: SlotTotal;
}

export interface Filter {
  readonly sponsor?: string | undefined;
  readonly campaign?: string | undefined;
  readonly ad?: string | undefined;
  readonly placement?: string | undefined;
}

/** The counts of both periods, and the names of the ads and campaigns. */
export interface CountedAds {
  readonly ads: readonly SnapshotAd[];
  readonly campaigns: readonly KnownCampaign[];
  readonly nameOfDeleted: (id: string) => string;
  readonly byAd: readonly Counted<'day' | 'ad' | 'campaign'>[];
  readonly byPlacement: readonly Counted<'day' | 'placement'>[];
  /** The figures of the whole blog. */
  readonly byDay: readonly Counted<'day'>[];
  /** The day that the current one is compared with, and how much of it counts: the part up to this time of day. */
  readonly partial?: { readonly day: string; readonly share: number } | undefined;
}

/** The relative change; `undefined` if the earlier value was zero, or if a share is unknown now. */
export const changeOf = (now: number, before: number): number | undefined =>
  before > 0 && now >= 0 ? (now - before) / before : undefined;

/** Combines the counts into the figures of a period, and of the one it is compared with. */
export function figuresOf(period: Period, given: CountedAds, filter: Filter) {
  const counted = { ...given, byAd: given.byAd.map(partOf(given)), byPlacement: given.byPlacement.map(partOf(given)) };
  const campaigns = counted.campaigns.filter(
    ({ campaign: { id, sponsor } }) => isWanted(filter.campaign, id) && isWanted(filter.sponsor, sponsor),
  );
  const isOfSponsor = new Set(campaigns.map(({ campaign: { id } }) => id));
  const byAd = counted.byAd.filter(({ campaign }) => filter.sponsor === undefined || isOfSponsor.has(campaign));
  const measured = measuredDays(counted.byDay);
  const totalIn = (rows: readonly Counted<'day'>[], days: readonly string[]) => {
    const [from = '', to = ''] = [days[0], days.at(-1)];
    return slotTotalOf(
      rows.filter(({ day }) => from <= day && day <= to),
      measured,
    );
  };
  const row = (
    { id, name = id, note = '', sponsor = '' }: Pick<Figure, 'id'> & Partial<Figure>,
    rows: readonly Counted<'day'>[] = [],
  ): Figure => {
    return { id, name, note, sponsor, ...totalIn(rows, period.days), before: totalIn(rows, period.before) };
  };
  const byDay = Map.groupBy(byAd, ({ day }) => day);
  const [series = [], seriesBefore = []] = [period.days, period.before].map((days) =>
    days.map((day) => slotTotalOf(byDay.get(day) ?? [], measured)),
  );
  const ofCampaigns = Map.groupBy(byAd, ({ campaign }) => campaign);
  const paid = campaigns.filter(({ campaign: { kind } }) => kind === 'paid');
  const ofSponsors = Map.groupBy(paid, ({ campaign: { sponsor } }) => sponsor);
  const ofPlacements = Map.groupBy(counted.byPlacement, ({ placement }) => placement);
  ofPlacements.delete('');
  return {
    total: totalIn(byAd, period.days),
    before: totalIn(byAd, period.before),
    /** One for each day of the period. */
    series,
    seriesBefore,
    /** Existing ads and campaigns, and deleted ones that were delivered in either period. */
    ads: adRows(counted, byAd, filter, campaigns).map(({ rows, ...ad }) => row(ad, rows)),
    campaigns: campaigns.map(({ campaign: { id, name, sponsor, kind }, isDeleted }) => {
      const note = [kind === 'house' && kind, isDeleted && 'deleted'].filter(Boolean).join(', ');
      return row({ id, name, note, sponsor }, ofCampaigns.get(id));
    }),
    /** The sponsors of paid campaigns. */
    sponsors: [...ofSponsors].map(([id, own]) => {
      const rows = own.flatMap(({ campaign }) => ofCampaigns.get(campaign.id) ?? []);
      return row({ id }, rows);
    }),
    placements: [...ofPlacements].map(([id, rows]) => row({ id }, rows)),
  };
}

/** The part of an earlier day's figure to compare with the current day. */
const partOf =
  ({ partial }: Pick<CountedAds, 'partial'>) =>
  <T extends Counted<'day'>>(figure: T): T => {
    if (figure.day !== partial?.day) return figure;
    const { requests, delivered, valid, viewable, clicks } = figure;
    const part = (count: number) => Math.round(count * partial.share);
    return {
      ...figure,
      ...{ requests: part(requests), delivered: part(delivered), valid: part(valid) },
      ...{ viewable: part(viewable), clicks: part(clicks) },
    };
  };

const isWanted = (wanted: string | undefined, given: string | undefined): boolean =>
  wanted === undefined || wanted === given;

/** The ads that match the filter, including deleted ones, with the counts of each. */
function adRows(
  { ads, nameOfDeleted }: CountedAds,
  byAd: CountedAds['byAd'],
  { ad, placement, campaign, sponsor }: Filter,
  campaigns: readonly KnownCampaign[],
) {
  const rows = Map.groupBy(byAd, (figure) => figure.ad);
  rows.delete('');
  const ofCampaigns = new Set<string | undefined>(campaigns.map(({ campaign: { id } }) => id));
  // A placement lists only the ads that it showed. A campaign lists its ads, and the ads that were delivered for it.
  const isListed = ({ id, campaignId }: SnapshotAd) =>
    rows.has(id) || (placement === undefined && ((campaign ?? sponsor) === undefined || ofCampaigns.has(campaignId)));
  const known = new Set(ads.map(({ id }) => id));
  const deleted = [...rows].filter(([id]) => !known.has(id));
  return [
    ...ads
      .filter((one) => isWanted(ad, one.id) && isListed(one))
      .map((one) => ({ id: one.id, name: adName(one), note: one.format, rows: rows.get(one.id) })),
    ...deleted.map(([id, own]) => ({ id, name: nameOfDeleted(id), note: 'deleted', rows: own })),
  ];
}
