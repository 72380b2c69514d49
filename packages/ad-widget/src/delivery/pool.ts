import type { AdFormat, LIMITS } from '@broadsheet/contract';
import type { Delivered } from './creative.ts';

/** Seconds that a click token is valid. A literal, so that the contract's table stays out of the script. */
export const TOKEN_TTL: (typeof LIMITS)['clickTokenTtl'] = 600;

/** Seconds for which the token of a reused ad must still be valid, so that a reader has time to click. */
const RESERVE = 120;

/** True once the ad's click token can no longer be redeemed. */
export function isExpired(delivered: Delivered, reserve = 0): boolean {
  return Date.now() - delivered.at > (TOKEN_TTL - reserve) * 1000;
}

/** Whether the ad can be shown elsewhere: it was never viewable, and its token is valid for long enough. */
export function isUnseen(delivered: Delivered): boolean {
  return !(delivered.viewed || delivered.clicked || isExpired(delivered, RESERVE));
}

/**
 * Takes an ad that was delivered but never seen, because its slot was removed. The next slot of the format gets it
 * before another ad is requested.
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
