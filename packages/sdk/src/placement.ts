import type { AdDeliverySlotResult, AdFormat, AdTrackingResult, FilledAd } from './ad.ts';

/**
 * An ad in its slot, with the time until which a click on it counts.
 *
 * @example
 * ```ts
 * const placements: Placement[] = await blog.ads.place([{ slotId: 'top', format: 'BANNER' }]);
 * for (const { ad, expiresAt, click } of placements) {
 *   if (ad && expiresAt && expiresAt > new Date()) await click();
 * }
 * ```
 */
export interface Placement {
  readonly slotId: string;
  readonly format: AdFormat;
  /** The ad, or `undefined` when there was none. */
  readonly ad: FilledAd | undefined;
  /** By the clock of this machine; `undefined` without an ad. */
  readonly expiresAt: Date | undefined;
  /** Registers the click, once, however often it is called. Rejects when there is no ad, or its time is over. */
  click(options?: { readonly keepalive?: boolean | undefined }): PromiseLike<AdTrackingResult>;
}

/** Takes a slot's result apart. */
export function adOf(result: AdDeliverySlotResult): FilledAd | undefined {
  if (!result.filled) return undefined;
  const { slotId: _slotId, format: _format, ...ad } = result;
  return ad;
}
