import type { AdFormat, Delivered } from './creative.ts';
import { TOKEN_TTL } from './limits.ts';

/** Seconds a pooled ad must still have for its click, so that a reader has time to follow it. */
const RESERVE = 120;

/** True once the ad's click token can no longer be redeemed. */
export function isExpired(delivered: Delivered, reserve = 0): boolean {
  return Date.now() - delivered.at > (TOKEN_TTL - reserve) * 1000;
}

/**
 * Ads whose impression is paid but which nobody has seen, because their slot went away. The next slot of the format
 * gets one instead of buying another.
 */
export function createPool() {
  let waiting: { slotId: string | undefined; format: AdFormat; delivered: Delivered }[] = [];
  return {
    /** @param slotId Set when only the slot of this name may have it (an ad delivered by the server for it). */
    put(format: AdFormat, delivered: Delivered, slotId?: string): void {
      if (!(delivered.viewed || delivered.clicked)) waiting.push({ slotId, format, delivered });
    },
    take(format: AdFormat, slotId: string): Delivered | undefined {
      waiting = waiting.filter(({ delivered }) => !isExpired(delivered, RESERVE));
      const found = waiting.find((entry) => entry.format === format && (entry.slotId ?? slotId) === slotId);
      waiting = waiting.filter((entry) => entry !== found);
      return found?.delivered;
    },
  };
}
