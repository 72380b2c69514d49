import type { AdFormat } from '@broadsheet/contract';

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

/** One entry of a batch response (api.md 2, AdDeliverySlotResult). */
export type SlotResult = SlotRequest & (FilledAd | { filled: false });

/**
 * How the widget talks to the API. The default is `fetchTransport`; a proxy, the SDK or a rehearsal can replace it.
 *
 * A rejection may carry a numeric `status`: 409 then means the click was counted before, 400 that its token expired;
 * `retryable`, whether a delivery may be repeated (by default only after 429 and 503; never without a status); and
 * `retryAfter`, the milliseconds to wait before the next request.
 */
export interface Transport {
  /** The headers of the last successful delivery, which name what the server supports. */
  readonly headers?: Pick<Headers, 'get'> | undefined;
  /** Requests one ad per slot and resolves in request order (api.md 4.5, POST /public/ads/formats). */
  deliver(slots: readonly SlotRequest[]): Promise<readonly SlotResult[]>;
  /** Registers a click (api.md 4.5). Called inside the event handler: it must send before it awaits anything. */
  click(clickToken: string, how: { keepalive: boolean }): Promise<unknown>;
}

/** An ad together with what has happened to it on this page. */
export interface Delivered {
  readonly ad: SlotRequest & FilledAd;
  /** When the response arrived, milliseconds since 1970. */
  readonly at: number;
  /** Only the slot it was delivered for may show it. */
  readonly reserved?: boolean;
  viewed?: boolean;
  clicked?: boolean;
}

/**
 * The ad of a result, if it has one that can be clicked.
 *
 * @param reserved Whether the server sent the ad with the page, for this slot only.
 */
export function deliveredNow(result: SlotResult | undefined, reserved = false): Delivered | undefined {
  return result?.filled && result.clickToken ? { ad: result, at: Date.now(), reserved } : undefined;
}
