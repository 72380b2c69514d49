import type { AdFormat } from '@broadsheet/contract';
import type { Delivered } from './creative.ts';
import { TOKEN_TTL } from './limits.ts';

/** Seconds an unseen ad must still have for its click, so that a reader has time to follow it. */
const RESERVE = 120;

/** True once the ad's click token can no longer be redeemed. */
export function isExpired(delivered: Delivered, reserve = 0): boolean {
  return Date.now() - delivered.at > (TOKEN_TTL - reserve) * 1000;
}

/** Bought, never viewable, and with enough time left for a click: worth drawing somewhere else. */
export function isUnseen(delivered: Delivered): boolean {
  return !(delivered.viewed || delivered.clicked || isExpired(delivered, RESERVE));
}

/**
 * Takes an ad for a slot out of those whose impression is counted but which nobody has seen, because their slot went
 * away. The next slot of the format gets one before another is requested.
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
