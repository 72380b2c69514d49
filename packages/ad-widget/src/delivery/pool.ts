import type { AdFormat } from '@broadsheet/contract';
import type { Delivered } from './creative.ts';

/** Milliseconds for which the token of a reused ad must still be valid, so that a reader has time to click. */
const RESERVE = 120_000;

/** True once the ad's click token can no longer be redeemed. */
export function isExpired({ expiresAt }: Delivered, reserve = 0): boolean {
  return Date.now() > expiresAt - reserve;
}

/** Whether the ad can be shown elsewhere: it was never viewable, and its token is valid for long enough. */
export function isUnseen(delivered: Delivered): boolean {
  // A reader whose clock is fast by some minutes gets the ads that the server sent with the page, too.
  return !(delivered.viewed || delivered.clicked || isExpired(delivered, delivered.reserved ? 0 : RESERVE));
}

/** Takes an ad that nobody has seen, because its slot was removed, for a slot of its format. */
export function takeUnseen(pool: Set<Delivered>, format: AdFormat, slotId: string): Delivered | undefined {
  for (const delivered of pool) {
    const { ad, reserved } = delivered;
    const isUsable = isUnseen(delivered);
    if (isUsable && (ad.format !== format || (reserved && ad.slotId !== slotId))) continue;
    pool.delete(delivered);
    if (isUsable) return delivered;
  }
  return undefined;
}
