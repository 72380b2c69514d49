import type { SnapshotAd } from '@broadsheet/contract';

/**
 * Whether a campaign delivers now: it is running, is paused, has not started, is over, has reached its goal, or its cap
 * for today, has no ad that could be delivered, or was deleted.
 */
export type CampaignState = 'running' | 'paused' | 'waiting' | 'ended' | 'reached' | 'capped' | 'empty' | 'deleted';

/** Whether an ad is delivered now: it is running, is paused, has not started or is over, or its campaign is not running. */
export type AdState = Exclude<CampaignState, 'empty' | 'deleted'>;

/**
 * The state of an ad at a given time, in milliseconds since the epoch. An ad that is over has ended, paused or not.
 *
 * @param campaign the state of its campaign
 */
export function adState(
  { active, startsAt, endsAt }: SnapshotAd,
  now: number,
  campaign: CampaignState = 'running',
): AdState {
  if (endsAt !== null && Date.parse(endsAt) <= now) return 'ended';
  if (!active) return 'paused';
  if (startsAt !== null && Date.parse(startsAt) > now) return 'waiting';
  // Its campaign is not empty, because it has this ad, and is not deleted, because the ad would be, too.
  return campaign === 'empty' || campaign === 'deleted' ? 'running' : campaign;
}
