import type { AdFormat } from '@broadsheet/contract';
import type { Ad, Campaign } from '../store.ts';
import { type Period, periodOf } from './campaign.ts';

/** An ad with its period, so that a check only compares numbers. */
interface Candidate extends Period {
  readonly ad: Ad;
  readonly campaign: Campaign | undefined;
}

/**
 * The ads that may run, by format, in tiers of equal priority, highest first; ads of house campaigns come last. No
 * tier is empty.
 */
export type Tiers = ReadonlyMap<AdFormat, readonly Tier[]>;

/** Ads of equal priority: all of them of house campaigns, or none. */
export interface Tier {
  /** The ads of each campaign that names placements. */
  readonly placed: readonly Lot[];
  /** The ads of each other campaign. */
  readonly sold: readonly Lot[];
  /** The ads without a campaign. */
  readonly unsold: readonly Ad[];
}

/** The ads of a campaign, and the placements that it names; a campaign without placements may fill every slot. */
export interface Lot {
  readonly ads: readonly Ad[];
  readonly placements: readonly string[];
}

/** The active ads of a blog. */
export interface Inventory {
  /** The ads that may run at a given time. */
  at(now: number): Tiers;
  /** The active ads by id, inside or outside their windows. */
  readonly ads: ReadonlyMap<string, Ad>;
  /** Removes the ads of campaigns that have reached their goals; they stay in `ads`. */
  end(campaignIds: readonly string[]): void;
}

/**
 * Sorts the ads into tiers again only when one of them starts or ends, so that the cost of a pick does not depend on
 * the number of ads. Ads of paused campaigns are left out: to resume one is a new revision of the blog.
 */
export function createInventory(ads: readonly Ad[], campaigns: readonly Campaign[] = []): Inventory {
  const campaignOf = new Map(campaigns.map((campaign) => [campaign.id, campaign]));
  const active = ads.filter((ad) => ad.active);
  let candidates = active.flatMap((ad): Candidate[] => {
    const campaign = campaignOf.get(ad.campaignId ?? '');
    if (campaign?.paused) return [];
    // An ad runs only while its campaign does.
    const [own, its] = [periodOf(ad), periodOf(campaign ?? UNLIMITED)];
    return [{ ad, campaign, from: Math.max(own.from, its.from), until: Math.min(own.until, its.until) }];
  });
  let current = UNSORTED;
  return {
    at(now) {
      if (now < current.from || now >= current.until) current = sort(candidates, now);
      return current.tiers;
    },
    ads: new Map(active.map((ad) => [ad.id, ad])),
    end(campaignIds) {
      const ended = new Set(campaignIds);
      candidates = candidates.filter(({ campaign }) => !campaign || !ended.has(campaign.id));
      current = UNSORTED;
    },
  };
}

const UNLIMITED = { startsAt: null, endsAt: null };

const isHouse = ({ campaign }: Candidate): boolean => campaign?.kind === 'house';

const inOrder = (a: Candidate, b: Candidate): number =>
  Number(isHouse(a)) - Number(isHouse(b)) || b.ad.priority - a.ad.priority;

/** Tiers, and the period in which they do not change. */
interface Sorted extends Period {
  readonly tiers: Tiers;
}

const UNSORTED: Sorted = { tiers: new Map(), from: Number.POSITIVE_INFINITY, until: Number.NEGATIVE_INFINITY };

function sort(candidates: readonly Candidate[], now: number): Sorted {
  const turns = candidates.flatMap(({ from, until }) => [from, until]);
  const running = candidates.filter(({ from, until }) => from <= now && now < until).sort(inOrder);
  const tiers = [...Map.groupBy(running, ({ ad }) => ad.format)].map(([format, own]): [AdFormat, readonly Tier[]] => [
    format,
    [...Map.groupBy(own, (one) => `${isHouse(one)} ${one.ad.priority}`).values()].map(tierOf),
  ]);
  return {
    tiers: new Map(tiers),
    from: Math.max(...turns.filter((turn) => turn <= now)),
    until: Math.min(...turns.filter((turn) => turn > now)),
  };
}

function tierOf(candidates: readonly Candidate[]): Tier {
  const byCampaign = Map.groupBy(candidates, ({ ad: { campaignId } }) => campaignId);
  const lots = [...byCampaign].flatMap(([id, own]): Lot[] =>
    id === undefined ? [] : [{ ads: own.map(({ ad }) => ad), placements: own[0]?.campaign?.placements ?? [] }],
  );
  return {
    placed: lots.filter(({ placements }) => placements.length > 0),
    sold: lots.filter(({ placements }) => placements.length === 0),
    unsold: (byCampaign.get(undefined) ?? []).map(({ ad }) => ad),
  };
}
