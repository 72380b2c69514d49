import type { AdDeliverySlotResult } from '../generated/resources.ts';
import type { AdOptions, Ads, Placement } from './ads.ts';
import type { KnownTokens } from './known-tokens.ts';

/** Gives each result what it needs to be clicked. */
export function placementsOf(
  results: readonly AdDeliverySlotResult[],
  { visitor, trust }: AdOptions,
  tokens: KnownTokens,
  click: Ads['click'],
): Placement[] {
  return results.map(({ slotId, format, ...ad }) => {
    const token = ad.filled ? ad.clickToken : '';
    const expiresAt = tokens.get(token)?.expiresAt;
    return {
      slotId,
      format,
      ad: ad.filled ? ad : undefined,
      expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt),
      click: (options = {}) => click(token, { visitor, trust, ...options }),
    };
  });
}
