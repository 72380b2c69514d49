import type { Call } from '../calls/call.ts';
import type { CodeOf } from '../errors/error-facts.ts';
import type {
  AdDeliveryResult,
  AdDeliverySlotResult,
  AdFormat,
  AdSlot,
  AdTrackingResult,
  FilledAd,
} from '../generated/resources.ts';
import type { CallOptions } from '../options.ts';
import type { NodeRequest, ProxyTrust, Visitor } from './visitor.ts';

/**
 * Options of the calls about ads.
 *
 * @example
 * ```ts
 * const ad = await blog.ads.deliver('BANNER', { visitor: request, timeout: 500 } satisfies AdOptions);
 * ```
 */
export interface AdOptions extends CallOptions {
  /** On a server: the visitor for whom the call is made, or the visitor's request. */
  readonly visitor?: Visitor | Request | NodeRequest | undefined;
  /** Which header of the visitor's request to trust for the IP address. Default: the option of the client. */
  readonly trust?: ProxyTrust | undefined;
}

/**
 * Options of a click on an ad.
 *
 * @example
 * ```ts
 * const options: ClickOptions = { keepalive: false }; // the page stays
 * await blog.ads.click(token, options);
 * ```
 */
export interface ClickOptions extends AdOptions {
  /** Lets the request outlive the page, so that following the link does not lose the click. Default true. */
  readonly keepalive?: boolean | undefined;
}

/**
 * An ad in its slot, with the time until which it can be clicked.
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
  /** When the click token expires, by the clock of this machine; `undefined` without an ad. */
  readonly expiresAt: Date | undefined;
  /** Registers the click once, even if it is called repeatedly. Rejects without an ad, or when the token has expired. */
  click(options?: ClickOptions): Call<AdTrackingResult, CodeOf<'ads.click'>>;
}

/**
 * Ads (api.md 4.5). Deliveries count impressions, so they are repeated only when the repeat cannot be counted again.
 *
 * @example
 * ```ts
 * const ads: Ads = blog.ads; // also what the widget takes: createAds({ …, transport: blog.ads })
 * const [placement] = await ads.place([{ slotId: 'top', format: 'BANNER' }]);
 * if (placement?.ad) await placement.click();
 * ```
 */
export interface Ads {
  /** The headers of the last delivery, by which the widget knows where to report viewable ads. */
  readonly headers: Pick<Headers, 'get'> | undefined;
  /** One ad of a format. */
  deliver(format: AdFormat, options?: AdOptions): Call<AdDeliveryResult, CodeOf<'ads.deliver'>>;
  /** One ad per slot, in the order of the slots. No ad appears twice. Takes 1 to 20 slots. */
  deliver(slots: readonly AdSlot[], options?: AdOptions): Call<AdDeliverySlotResult[], CodeOf<'ads.deliverBatch'>>;
  /** The same as {@link Ads.deliver} with slots. */
  deliverBatch(slots: readonly AdSlot[], options?: AdOptions): Call<AdDeliverySlotResult[], CodeOf<'ads.deliverBatch'>>;
  /** One placement per slot: the ad, until when it may be clicked, and the click itself. */
  place(slots: readonly AdSlot[], options?: AdOptions): Call<Placement[], CodeOf<'ads.deliverBatch'>>;
  /** Registers a click. Equal tokens are sent once. An expired token that this client delivered is refused before the network. */
  click(token: string, options?: ClickOptions): Call<AdTrackingResult, CodeOf<'ads.click'>>;
  /** Kept for compatibility; the server counted the impression at delivery. */
  impression(options?: AdOptions): Call<AdTrackingResult, CodeOf<'ads.impression'>>;
}
