import type { AdFormat, LIMITS } from '@broadsheet/contract';

/** Seconds that a click token is valid. A literal, so that the contract's table stays out of the script. */
export const TOKEN_TTL: (typeof LIMITS)['clickTokenTtl'] = 600;

/** A place that requests an ad. `slotId` is echoed in the response (api.md 2, AdDeliveryRequest). */
export interface SlotRequest {
  slotId: string;
  format: AdFormat;
}

/** An ad the API delivered. Its impression is already counted; its token is valid for ten minutes (api.md 4.5). */
export interface FilledAd {
  filled: true;
  id: string;
  imageUrl?: string | null | undefined;
  linkUrl?: string | null | undefined;
  title?: string | null | undefined;
  content?: string | null | undefined;
  linkText?: string | null | undefined;
  clickToken: string;
}

/** The fields that a transport adds to a result. */
export interface DeliveryFacts {
  /** The path below the API's base URL to which viewable ads are reported. Without it, nothing is reported. */
  viewableUrl?: string | null | undefined;
  /** When the click token expires, milliseconds since 1970. By default ten minutes from now. */
  expiresAt?: number | undefined;
  /** The `client` of the page that the ad is for; by default the one without a name. */
  client?: string | undefined;
}

/** One entry of a batch response (api.md 2, AdDeliverySlotResult). */
export type SlotResult = SlotRequest & (FilledAd | { filled: false }) & DeliveryFacts;

/** The options of a delivery. */
export interface DeliveryOptions {
  /** Identifies the delivery. A repeat has the same key, so the API counts it once. */
  readonly idempotencyKey: string;
  /** The client makes every attempt, so a transport makes only one. */
  readonly retry: 0;
}

/**
 * How the widget talks to the API. The default is `fetchTransport`; a proxy, the SDK or a rehearsal can replace it.
 *
 * A rejection may carry a numeric `status`: 409 then means that the click was counted before, 400 that its token has
 * expired; `retryAfter`, the milliseconds to wait before the next request; and `mayRepeat`, whether a delivery certainly
 * counted nothing, so that another one may replace it. Without `mayRepeat` it is repeated only as `acceptsKeys` allows.
 */
export interface Transport {
  /** Requests one ad per slot and resolves in request order (api.md 4.5, POST /public/ads/formats). */
  deliverBatch(slots: readonly SlotRequest[], options: DeliveryOptions): Promise<readonly SlotResult[]>;
  /** Registers a click (api.md 4.5). Called inside the event handler: it must send before it awaits anything. */
  click(clickToken: string, how: { keepalive: boolean }): Promise<unknown>;
  /**
   * Asks whether the API counts deliveries with the same key once; rejects while the API cannot be reached. Without
   * this method, a delivery whose response was lost is never repeated.
   */
  acceptsKeys?(): Promise<boolean>;
}

/** An ad together with what has happened to it on this page. */
export interface Delivered {
  readonly ad: SlotRequest & FilledAd & DeliveryFacts;
  /** When its click token expires, milliseconds since 1970. */
  readonly expiresAt: number;
  /** Only the slot for which it was delivered may show it. */
  readonly reserved?: boolean;
  viewed?: boolean;
  clicked?: boolean;
}

/** The ad of a result, if it has one that can be clicked. `reserved` if the server sent it with the page, for this slot only. */
export function deliveredNow(result: SlotResult | undefined, reserved = false): Delivered | undefined {
  if (!result?.filled || !result.clickToken) return undefined;
  return { ad: result, expiresAt: result.expiresAt ?? Date.now() + TOKEN_TTL * 1000, reserved };
}
