import type { Campaign, Delivery, DeliverySlot } from '../store.ts';
import { admits, behindPlan, type Period, type Plan, type WeeklyTraffic } from './campaign.ts';
import { dayOf } from './day.ts';
import { isExcluded } from './traffic.ts';

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
