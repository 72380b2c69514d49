import type { AdFormat, LIMITS } from '@broadsheet/contract';
import type { Delivered } from './creative.ts';

/** Seconds that a click token is valid. A literal, so that the contract's table stays out of the script. */
export const TOKEN_TTL: (typeof LIMITS)['clickTokenTtl'] = 600;

/** Seconds an unseen ad must still have for its click, so that a reader has time to follow it. */
const RESERVE = 120;

/** True once the ad's click token can no longer be redeemed. */
export function isExpired(delivered: Delivered, reserve = 0): boolean {
  return Date.now() - delivered.at > (TOKEN_TTL - reserve) * 1000;
}

/** Whether the ad can be shown elsewhere: never viewable, and its token is valid for long enough. */
export function isUnseen(delivered: Delivered): boolean {
  return !(delivered.viewed || delivered.clicked || isExpired(delivered, RESERVE));
}

/**
 * Takes an ad from those that were delivered and never seen, because their slot was removed. The next slot of the format
 * gets one before another is requested.
 */
export function takeUnseen(pool: Set<Delivered>, format: AdFormat, slotId: string): Delivered | undefined {
  for (const delivered of pool) {
    const { ad, reserved } = delivered;
    if (ad.format !== format || (reserved && ad.slotId !== slotId)) continue;
    pool.delete(delivered);
    if (isUnseen(delivered)) return delivered;
  }
  return undefined;
}
