import type { SnapshotAd, SnapshotCampaign } from '@broadsheet/contract';
import type { Figure as Counted } from '@broadsheet/core';
import { adName, isMeasured, type SlotTotal, slotTotalOf } from '@broadsheet/management';
import type { Period } from './period.ts';

/** The figures of an ad, a campaign, a sponsor or a placement, in a period and in the previous one. */
export interface Figure extends SlotTotal {
  readonly id: string;
  readonly name: string;
  /** The format of an ad, `deleted` for one that was deleted; the sponsor of a campaign. */
  readonly note: string;
  readonly before: SlotTotal;
}

/** What the page is filtered by. */
export interface Filter {
  readonly sponsor?: string | undefined;
  readonly campaign?: string | undefined;
  readonly ad?: string | undefined;
  readonly placement?: string | undefined;
}

/** What was counted in both periods, and the names of what it was counted for. */
export interface CountedAds {
  readonly ads: readonly SnapshotAd[];
  readonly campaigns: readonly SnapshotCampaign[];
  readonly nameOfDeleted: (id: string) => string;
  readonly byAd: readonly Counted<'day' | 'ad' | 'campaign'>[];
  readonly byPlacement: readonly Counted<'day' | 'placement'>[];
}

/** The figures of a period, and of the one it is compared with. */
export interface Figures {
  /** Whether pages report viewable ads; without any report, there is no rate. */
  readonly measured: boolean;
  readonly total: SlotTotal;
  readonly before: SlotTotal;
  /** One for each day of the period. */
  readonly series: readonly SlotTotal[];
  readonly seriesBefore: readonly SlotTotal[];
  /** Existing ads, and deleted ones that were delivered in either period. */
  readonly ads: readonly Figure[];
  readonly campaigns: readonly Figure[];
  readonly sponsors: readonly Figure[];
  readonly placements: readonly Figure[];
}

/** The relative change; `undefined` if there was nothing before. */
export const changeOf = (now: number, before: number): number | undefined =>
  before > 0 ? (now - before) / before : undefined;

/** Combines what was counted into the figures of the page. */
export function figuresOf(period: Period, counted: CountedAds, filter: Filter): Figures {
  const campaigns = counted.campaigns.filter(
    ({ id, sponsor }) => isWanted(filter.campaign, id) && isWanted(filter.sponsor, sponsor),
  );
  const isOfSponsor = new Set(campaigns.map(({ id }) => id));
  const byAd = counted.byAd.filter(({ campaign }) => filter.sponsor === undefined || isOfSponsor.has(campaign));
  const measured = isMeasured(byAd);
  const totalIn = (rows: readonly Counted<'day'>[], days: readonly string[]) => {
    const [from = '', to = ''] = [days[0], days.at(-1)];
    return slotTotalOf(
      rows.filter(({ day }) => from <= day && day <= to),
      measured,
    );
  };
  const row = (id: string, name: string, note: string, rows: readonly Counted<'day'>[] = []): Figure => {
    return { id, name, note, ...totalIn(rows, period.days), before: totalIn(rows, period.before) };
  };
  const byDay = Map.groupBy(byAd, ({ day }) => day);
  const [series = [], seriesBefore = []] = [period.days, period.before].map((days) =>
    days.map((day) => slotTotalOf(byDay.get(day) ?? [], measured)),
  );
  const ofCampaigns = Map.groupBy(byAd, ({ campaign }) => campaign);
  const ofSponsors = Map.groupBy(campaigns, ({ sponsor }) => sponsor);
  const ofPlacements = Map.groupBy(counted.byPlacement, ({ placement }) => placement);
  ofPlacements.delete('');
  return {
    measured,
    total: totalIn(byAd, period.days),
    before: totalIn(byAd, period.before),
    series,
    seriesBefore,
    ads: adRows(counted, byAd, filter, campaigns).map(({ id, name, note, rows }) => row(id, name, note, rows)),
    campaigns: campaigns.map(({ id, name, sponsor }) => row(id, name, sponsor, ofCampaigns.get(id))),
    sponsors: [...ofSponsors].map(([sponsor, own]) => {
      return row(
        sponsor,
        sponsor,
        '',
        own.flatMap(({ id }) => ofCampaigns.get(id) ?? []),
      );
    }),
    placements: [...ofPlacements].map(([placement, rows]) => row(placement, placement, '', rows)),
  };
}

const isWanted = (wanted: string | undefined, given: string | undefined): boolean =>
  wanted === undefined || wanted === given;

/** The ads that belong to the filter, and deleted ones, with what was counted of each. */
function adRows(
  { ads, nameOfDeleted }: CountedAds,
  byAd: CountedAds['byAd'],
  { ad, placement, campaign, sponsor }: Filter,
  campaigns: readonly SnapshotCampaign[],
) {
  const rows = Map.groupBy(byAd, (figure) => figure.ad);
  rows.delete('');
  const ofCampaigns = new Set<string | undefined>(campaigns.map(({ id }) => id));
  // A placement lists only the ads that it showed, and a campaign its ads and those that were delivered for it.
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
