import type { Call } from '../calls/call.ts';
import type { CodeOf } from '../errors/error-facts.ts';
import type { AdFormat, AdSlot, AdTrackingResult, FilledAd, UnfilledAd } from '../generated/resources.ts';
import type { CallOptions } from '../options.ts';
import type { NodeRequest, ProxyTrust, Visitor } from './visitor.ts';

/** Options of the calls about ads. */
export interface AdOptions extends CallOptions {
  /** On a server: the visitor for whom the call is made, or the visitor's request. */
  readonly visitor?: Visitor | Request | NodeRequest | undefined;
  /** The header of the visitor's request to trust for the IP address. Default: the option of the client. */
  readonly trust?: ProxyTrust | undefined;
  /** The name of the widget client that shows the ads, on a page with several; each result repeats it. */
  readonly client?: string | undefined;
  /**
   * An idempotency key of 16 to 64 characters of `A-Za-z0-9_-`. Deliveries with the same key, slots and API key are
   * counted once within ten minutes. Default: a new key for each call, which its repeats share.
   */
  readonly idempotencyKey?: string | undefined;
}

/** Options of a click on an ad. */
export interface ClickOptions extends AdOptions {
  /** Lets the request outlive the page, so that following the link does not lose the click. Default true. */
  readonly keepalive?: boolean | undefined;
}

/** A delivered ad with its details. The widget's `deliveredMarkup()` passes all of it to a page. */
export interface DeliveredAd extends FilledAd {
  /** When the click token expires, in milliseconds since the epoch, by the clock of this machine. */
  readonly expiresAt: number;
  /** The path below the base URL of the API at which a page reports that the ad was viewable. */
  readonly viewableUrl?: string | undefined;
  /** The widget client that the ad is for; see {@link AdOptions.client}. */
  readonly client?: string | undefined;
}

/** The result of a delivery: an ad, or none. */
export type Delivery = DeliveredAd | (UnfilledAd & Pick<DeliveredAd, 'client'>);

/** The result of a delivery for one slot. */
export type SlotDelivery = AdSlot & Delivery;

/** An ad in its slot, with its click. */
export interface Placement {
  readonly slotId: string;
  readonly format: AdFormat;
  /** The ad, or `undefined` when there was none. */
  readonly ad: DeliveredAd | undefined;
  /** Registers the click once, even if it is called repeatedly. Rejects without an ad, or if the token has expired. */
  click(options?: ClickOptions): Call<AdTrackingResult, CodeOf<'ads.click'>>;
}

/** Ads (api.md 4.5). Deliveries count impressions: they are repeated only if the repeat cannot be counted again. */
export interface Ads {
  /** One ad of a format. */
  deliver(format: AdFormat, options?: AdOptions): Call<Delivery, CodeOf<'ads.deliver'>>;
  /** One ad per slot, in the order of the slots. No ad appears twice. The API takes 1 to 20 slots. */
  deliverBatch(slots: readonly AdSlot[], options?: AdOptions): Call<SlotDelivery[], CodeOf<'ads.deliverBatch'>>;
  /** One placement per slot: the ad, and its click. */
  place(slots: readonly AdSlot[], options?: AdOptions): Call<Placement[], CodeOf<'ads.deliverBatch'>>;
  /**
   * Registers a click. Equal tokens are sent once, and each call waits for the response within its own timeout. An expired
   * token that this client delivered is refused before the network.
   */
  click(token: string, options?: ClickOptions): Call<AdTrackingResult, CodeOf<'ads.click'>>;
  /** Kept for compatibility; the server counted the impression at delivery. */
  impression(options?: AdOptions): Call<AdTrackingResult, CodeOf<'ads.impression'>>;
  /**
   * Asks whether the API counts deliveries with the same idempotency key once, with a request that has no effect. The
   * client calls this before it repeats a delivery whose response was lost.
   */
  acceptsKeys(options?: AdOptions): Call<boolean, CodeOf<'ads.impression'>>;
}
