import type { AdFormat } from '@broadsheet/contract';
import type { Ad } from '../store.ts';

/** An ad that may be handed out. */
export interface PreparedAd {
  readonly ad: Ad;
  /** The result of a delivery (api.md 2, AdDeliveryResult) as JSON, behind the fields of its {@link frameOf}. */
  result(clickToken: string, frame: string): string;
}

/** Prepares an ad for delivery. What its results have in common is encoded once. */
export function prepareAd(ad: Ad): PreparedAd {
  const { id, imageUrl, linkUrl, title, content, linkText } = ad;
  let fields: string | undefined;
  return {
    ad,
    result(clickToken, frame) {
      fields ??= JSON.stringify({ filled: true, id, imageUrl, linkUrl, title, content, linkText }).slice(1, -1);
      // JSON escapes no character that a compact JWT has.
      return `{${frame}${fields},"clickToken":"${clickToken}"}`;
    },
  };
}

/** The result of a slot for which there is no ad. */
export const unfilled = (frame: string): string => `{${frame}"filled":false}`;

/** The fields that the result of a slot has and that of a single delivery has not: JSON, a comma behind each. */
export function frameOf({ slotId, format }: { readonly slotId: string; readonly format: AdFormat }): string {
  return `"slotId":${JSON.stringify(slotId)},"format":"${format}",`;
}
