import { type AdFormat, LIMITS } from '@broadsheet/contract';
import type { Random } from '../ports.ts';
import type { Ad, Campaign, Delivery, DeliverySlot } from '../store.ts';
import { admits, behindPlan, type Period, type Plan, periodOf, type WeeklyTraffic } from './campaign.ts';
import { dayOf } from './day.ts';
import { isExcluded } from './traffic.ts';

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
}

/**
 * Sorts the ads into tiers again only when one of them starts or ends, so that the cost of a pick does not depend on
 * the number of ads.
 */
export function createInventory(ads: readonly Ad[], campaigns: readonly Campaign[] = []): Inventory {
  const campaignOf = new Map(campaigns.map((campaign) => [campaign.id, campaign]));
  const active = ads.filter((ad) => ad.active);
  const candidates = active.map((ad): Candidate => {
    const campaign = campaignOf.get(ad.campaignId ?? '');
    // An ad runs only while its campaign does.
    const [own, its] = [periodOf(ad), periodOf(campaign ?? UNLIMITED)];
    return { ad, campaign, from: Math.max(own.from, its.from), until: Math.min(own.until, its.until) };
  });
  let current: Sorted = { tiers: new Map(), from: Number.POSITIVE_INFINITY, until: Number.NEGATIVE_INFINITY };
  return {
    at(now) {
      if (now < current.from || now >= current.until) current = sort(candidates, now);
      return current.tiers;
    },
    ads: new Map(active.map((ad) => [ad.id, ad])),
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

/** A slot of a request; the slot of a single delivery has no id. */
export interface RequestedSlot {
  readonly format: AdFormat;
  readonly slotId?: string;
}

/** The number of ads that a delivery considers for a slot: the commit reads each of their campaigns. */
const MAX_CANDIDATES = 1000;

/** How many ads the slots of a format need, and how they are selected. */
interface Drawing {
  readonly count: number;
  readonly random: Random;
}

/**
 * Chooses the candidates of each slot from the ads that may run now: higher priorities first, within a priority the
 * campaigns that name the placement first, ties at random (api.md 4.5). An ad of a campaign may be refused, so further
 * ads of the format follow it, until there is an ad without a campaign for each slot of the format.
 */
export function chooseAds(
  slots: readonly RequestedSlot[],
  tiers: Tiers,
  random: Random,
): Pick<Delivery, 'slots' | 'campaigns'> {
  const campaigns = new Map<string, string>();
  const chosen: DeliverySlot[] = [];
  for (const [format, own] of Map.groupBy(slots.entries(), ([, slot]) => slot.format)) {
    const drawing = { count: own.length, random };
    const pool = drawPool(tiers.get(format) ?? [], drawing);
    const hasPlaced = pool.some(({ placed }) => placed.length > 0);
    let order: ReturnType<typeof inTiers> | undefined;
    for (const [place, [index, { slotId }]] of own.entries()) {
      const placement = slotId === undefined ? undefined : placementOf(slotId);
      // Only placements make a difference between the slots of a format.
      if (!order || hasPlaced) order = inTiers(pool, placement, drawing, campaigns);
      // Without campaigns, nothing is refused: each slot gets an ad of its own.
      const alone = { candidates: order.candidates.slice(place, place + 1) };
      chosen[index] = { ...(campaigns.size > 0 ? order : alone), placement };
    }
  }
  return { slots: chosen, ...(campaigns.size > 0 && { campaigns }) };
}

/** The ads of a priority that may fill every slot, and those for some placements. */
interface Drawn extends Pick<Tier, 'placed'> {
  readonly ads: readonly Ad[];
}

/** Selects ads from the priorities of a format until there are enough for its slots. */
function drawPool(tiers: readonly Tier[], drawing: Drawing): readonly Drawn[] {
  const pool: Drawn[] = [];
  let [certain, size] = [0, 0];
  for (const { placed, sold, unsold } of tiers) {
    const ads = draw(sold, unsold, drawing);
    pool.push({ placed, ads });
    certain += unsold.length;
    size += ads.length;
    if (certain >= drawing.count || size >= MAX_CANDIDATES) break;
  }
  return pool;
}

/** The candidates of a slot, in tiers of equal ads. Their campaigns are added to `campaigns`. */
function inTiers(
  pool: readonly Drawn[],
  placement: string | undefined,
  drawing: Drawing,
  campaigns: Map<string, string>,
): { readonly candidates: string[]; readonly tierEnds: number[] } {
  const candidates: string[] = [];
  const tierEnds: number[] = [];
  for (const { placed, ads } of pool) {
    const own = placed.filter((lot) => placement !== undefined && isPlacedAt(lot.placements, placement));
    for (const tier of [draw(own, [], drawing), ads]) {
      for (const { id, campaignId } of tier) {
        candidates.push(id);
        if (campaignId !== undefined) campaigns.set(id, campaignId);
      }
      if (tier.length > 0) tierEnds.push(candidates.length);
    }
  }
  return { candidates, tierEnds };
}

/** Whether a campaign that names placements, such as `top` or `letterpress-*`, may fill a slot. */
const isPlacedAt = (placements: readonly string[], placement: string): boolean =>
  placements.some((name) => (name.endsWith('*') ? placement.startsWith(name.slice(0, -1)) : placement === name));

/**
 * Selects ads of one priority at random. A campaign counts as one, however many ads it has; its further ads come after
 * one ad of each other campaign. No campaign and no slot needs more than `count` ads.
 */
function draw(sold: readonly Lot[], unsold: readonly Ad[], { count, random }: Drawing): Ad[] {
  const singles = sample(unsold, count, random);
  const lots = sample(sold, sold.length, random).map(({ ads }) => sample(ads, count, random));
  const drawn: Ad[] = [];
  let single = 0;
  for (const [index, [first]] of lots.entries()) {
    // Every order of the campaigns and of all single ads is equally likely.
    const left = lots.length - index;
    while (single < singles.length && random.below(left + unsold.length - single) >= left) {
      drawn.push(...singles.slice(single, single + 1));
      single += 1;
    }
    if (first) drawn.push(first);
  }
  drawn.push(...singles.slice(single));
  for (let round = 1; round < count; round += 1) drawn.push(...lots.flatMap((ads) => ads[round] ?? []));
  return drawn.slice(0, MAX_CANDIDATES);
}

/** At most `count` items in random order: a partial Fisher-Yates shuffle that does not change the list. */
function sample<T>(items: readonly T[], count: number, random: Random): T[] {
  const drawn: T[] = [];
  const moved = new Map<number, T>();
  for (let left = items.length; left > 0 && drawn.length < count; left -= 1) {
    const index = left === 1 ? 0 : random.below(left);
    drawn.push(moved.get(index) ?? (items[index] as T));
    moved.set(index, moved.get(left - 1) ?? (items[left - 1] as T));
  }
  return drawn;
}

/** A campaign with what it has delivered, to which {@link fillSlots} adds. */
export interface CampaignState {
  readonly campaign: Campaign & Period;
  impressions: number;
  readonly clicks: number;
  readonly plan: Plan | undefined;
  /** Impressions by day. */
  readonly days: Map<string, number>;
}

/** The campaigns of a blog by id, as a store reads them in the step that counts a delivery. */
export interface BlogCampaigns {
  readonly campaigns: ReadonlyMap<string, CampaignState>;
  /** The traffic that the pace of the campaigns follows. */
  readonly traffic?: WeeklyTraffic | undefined;
}

/**
 * Decides which ad fills each slot: its first candidate whose campaign admits it, or `undefined` to leave the slot
 * empty. Among equal candidates, the ads of the campaign that is furthest behind come first. In a delivery with
 * campaigns, no ad is used twice. Admitted impressions are added to their campaigns, unless their traffic is excluded.
 */
export function fillSlots(delivery: Delivery, at: number, blog: BlogCampaigns): (string | undefined)[] {
  const { slots, campaigns } = delivery;
  if (!campaigns) return slots.map(({ candidates }) => candidates[0]);
  const day = dayOf(at, delivery.timeZone);
  const tried = new Set<string>();

  function isAdmitted(adId: string): boolean {
    tried.add(adId);
    const campaignId = campaigns?.get(adId);
    if (campaignId === undefined) return true;
    const one = blog.campaigns.get(campaignId);
    const today = one?.days.get(day) ?? 0;
    if (!one || !admits(one.campaign, { ...one, today }, at, blog.traffic)) return false;
    if (isExcluded(delivery)) return true;
    one.impressions += 1;
    one.days.set(day, today + 1);
    return true;
  }

  /** Equal candidates, those whose campaign is furthest behind first. */
  function byNeed(adIds: string[]): string[] {
    const ids = new Set(adIds.map((adId) => campaigns?.get(adId)));
    if (ids.size < 2) return adIds;
    const needs = new Map([...ids].map((id) => [id, needOf(blog.campaigns.get(id ?? ''))]));
    const needOfAd = (adId: string) => needs.get(campaigns?.get(adId)) ?? 0;
    return adIds.sort((a, b) => needOfAd(b) - needOfAd(a));
  }
  const needOf = (one: CampaignState | undefined) => (one ? behindPlan(one.campaign, one, at, blog.traffic) : 0);

  return slots.map((slot) => {
    for (const tier of tiersOf(slot)) {
      const found = byNeed(tier.filter((adId) => !tried.has(adId))).find(isAdmitted);
      if (found !== undefined) return found;
    }
    return undefined;
  });
}

/** The candidates of a slot in groups of equal ones. */
const tiersOf = ({ candidates, tierEnds }: DeliverySlot): (readonly string[])[] =>
  tierEnds
    ? tierEnds.map((end, index) => candidates.slice(tierEnds[index - 1] ?? 0, end))
    : candidates.map((adId) => [adId]);

/** The campaigns of the ads that fill a delivery, by ad id. */
export function campaignsOf({ campaigns }: Delivery, adIds: readonly (string | undefined)[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (const adId of campaigns ? adIds : []) {
    const campaignId = adId === undefined ? undefined : campaigns?.get(adId);
    if (adId !== undefined && campaignId !== undefined) found[adId] = campaignId;
  }
  return found;
}

/** The placement that counts everything that is not counted separately. */
export const OTHER_PLACEMENT = 'other';

/** The placement of a slot: its id, unless some databases cannot store the id as text. */
export function placementOf(slotId: string): string {
  return UNSTORABLE.test(slotId) ? OTHER_PLACEMENT : slotId;
}

/** NUL and lone surrogates. */
const UNSTORABLE = /[\0\p{Surrogate}]/u;

/** Whether a blog counts a placement separately on a day, given the placements that it has counted on that day. */
export function isCountedByItself(placement: string, known: Pick<ReadonlySet<string>, 'has' | 'size'>): boolean {
  return placement !== OTHER_PLACEMENT && (known.has(placement) || known.size < LIMITS.placements);
}
