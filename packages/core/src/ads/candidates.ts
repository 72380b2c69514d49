import type { AdFormat } from '@broadsheet/contract';
import type { Random } from '../ports.ts';
import type { Ad, Delivery, DeliverySlot } from '../store.ts';
import type { Lot, Tier, Tiers } from './inventory.ts';
import { placementOf } from './placements.ts';

/** A slot of a request; the slot of a single delivery has no id. */
export interface RequestedSlot {
  readonly format: AdFormat;
  readonly slotId?: string;
}

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
  let certain = 0;
  for (const { placed, sold, unsold } of tiers) {
    const ads = draw(sold, unsold, drawing);
    pool.push({ placed, ads });
    certain += unsold.length;
    if (certain >= drawing.count) break;
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
  return drawn;
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
