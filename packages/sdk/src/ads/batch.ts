import type { Outcome } from '../answer/incoming.ts';
import type { Attempt } from '../errors/error-facts.ts';
import type { BroadsheetError } from '../errors/errors.ts';
import type { AdDeliverySlotResult, AdSlot } from '../generated/resources.ts';
import type { Ads, BatchOptions, Placement } from './ads.ts';
import type { KnownTokens } from './known-tokens.ts';

/**
 * Delivers to many slots, in parts that one request can have each. All parts share one deadline; when a later one
 * fails the delivered ads are given nevertheless, for their impressions are counted.
 */
export async function deliverInParts(
  parts: readonly (readonly AdSlot[])[],
  send: (slots: readonly AdSlot[]) => Promise<Outcome>,
): Promise<Outcome> {
  const results: AdDeliverySlotResult[] = [];
  const attempts: Attempt[] = [];
  let last: Outcome | undefined;
  let incomplete: BroadsheetError | undefined;
  for (const part of parts) {
    try {
      if (!incomplete) last = await send(part);
    } catch (error) {
      if (!last) throw error;
      incomplete = error as BroadsheetError;
    }
    if (incomplete) results.push(...part.map((slot) => ({ ...slot, filled: false as const })));
    else if (last) {
      results.push(...(last.data as AdDeliverySlotResult[]));
      attempts.push(...last.info.attempts);
    }
  }
  if (!last) throw new RangeError('there are no parts');
  return { data: results, info: { ...last.info, attempts, incomplete } };
}

/** Gives each result what it needs to be clicked. */
export function placementsOf(
  results: readonly AdDeliverySlotResult[],
  { visitor, trust }: BatchOptions,
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
