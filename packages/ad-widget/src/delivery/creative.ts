/** The five places an ad can be made for (api.md 2). */
export type AdFormat = 'BANNER' | 'SIDEBAR' | 'POPUP' | 'INLINE' | 'NATIVE';

/** A place that asks for an ad. `slotId` is echoed in the answer (api.md 2, AdDeliveryRequest). */
export interface SlotRequest {
  slotId: string;
  format: AdFormat;
}

/** An ad the API handed out. Its impression is already counted, its token lives ten minutes (api.md 4.5). */
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

/** One entry of a batch answer (api.md 2, AdDeliverySlotResult). */
export type SlotResult = SlotRequest & (FilledAd | { filled: false });

/** A whole batch answer. */
export interface SlotResults extends ReadonlyArray<SlotResult> {
  /** The API's `X-Request-Id`, to find the batch in its log; the overlay shows it. */
  readonly requestId?: string | null | undefined;
}

/** An ad together with what has happened to it in this page. */
export interface Delivered {
  readonly ad: SlotRequest & FilledAd;
  /** When the answer arrived, milliseconds since 1970. */
  readonly at: number;
  /** Only the slot it was delivered for may have it. */
  readonly reserved?: boolean | undefined;
  viewed?: boolean;
  clicked?: boolean;
}

/**
 * The ad of an answer, if it holds one that can be clicked.
 *
 * @param at When the server delivered it with the page; else it was bought now.
 */
export function deliveredNow(result: SlotResult | undefined, at?: number): Delivered | undefined {
  return result?.filled && result.clickToken ? { ad: result, at: at ?? Date.now(), reserved: !!at } : undefined;
}
