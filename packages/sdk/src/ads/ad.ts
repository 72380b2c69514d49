/**
 * The places an ad can be made for (api.md 2). Closed: the client requests them, and answers repeat what it requested.
 *
 * @example
 * ```ts
 * const format: AdFormat = 'SIDEBAR';
 * const ad = await blog.ads.deliver(format);
 * ```
 */
export type AdFormat = 'BANNER' | 'SIDEBAR' | 'POPUP' | 'INLINE' | 'NATIVE';

/**
 * An ad that was delivered; its impression is counted.
 *
 * @example
 * ```ts
 * const link = ({ linkUrl, linkText }: FilledAd): string => `${linkText ?? 'more'}: ${linkUrl}`;
 * const ad = await blog.ads.deliver('INLINE');
 * if (ad.filled) console.log(link(ad));
 * ```
 */
export interface FilledAd {
  filled: true;
  id: string;
  imageUrl?: string | null | undefined;
  linkUrl?: string | null | undefined;
  title?: string | null | undefined;
  content?: string | null | undefined;
  linkText?: string | null | undefined;
  /** Registers one click; valid for ten minutes. */
  clickToken: string;
}

/**
 * The news that there is no ad for a format.
 *
 * @example
 * ```ts
 * const nothing: UnfilledAd = { filled: false };
 * const { data: ad = nothing } = await blog.ads.deliver('POPUP').safe(); // a failing ad is no ad
 * ```
 */
export interface UnfilledAd {
  filled: false;
}

/**
 * One ad, or the news that there is none (api.md 2).
 *
 * @example
 * ```ts
 * const ad: AdDeliveryResult = await blog.ads.deliver('BANNER');
 * if (ad.filled) console.log(ad.title, ad.clickToken);
 * ```
 */
export type AdDeliveryResult = FilledAd | UnfilledAd;

/**
 * A place of a page that an ad is requested for.
 *
 * @example
 * ```ts
 * const slots: AdSlot[] = [{ slotId: 'top', format: 'BANNER' }, { slotId: 'side', format: 'SIDEBAR' }];
 * const results = await blog.ads.deliver(slots);
 * ```
 */
export interface AdSlot {
  /** Chosen by the caller, 1 to 200 characters; comes back with the result. */
  slotId: string;
  format: AdFormat;
}

/**
 * The result for one slot of a batch (api.md 2).
 *
 * @example
 * ```ts
 * const results: AdDeliverySlotResult[] = await blog.ads.deliver(slots);
 * for (const result of results) if (result.filled) console.log(result.slotId, result.title);
 * ```
 */
export type AdDeliverySlotResult = (AdSlot & FilledAd) | (AdSlot & UnfilledAd);

/**
 * The answer of both tracking endpoints (api.md 4.5): there is no other success.
 *
 * @example
 * ```ts
 * const { status }: AdTrackingResult = await blog.ads.click(token); // 'ok'
 * ```
 */
export interface AdTrackingResult {
  status: 'ok';
}
