import * as z from 'zod/mini';
import { AD_FORMATS } from '../rules/enums.ts';
import { adSlot, REQUESTS } from '../rules/requests.ts';
import { schemaOf } from './schema-of.ts';

export const AdFormat = z.enum(AD_FORMATS);
export type AdFormat = z.infer<typeof AdFormat>;

const filledAd = {
  filled: z.literal(true),
  // Any UUID by its form: what made it, and by which version, is not the reader's business.
  id: z.guid(),
  imageUrl: z.optional(z.nullable(z.string())),
  linkUrl: z.optional(z.nullable(z.string())),
  title: z.optional(z.nullable(z.string())),
  content: z.optional(z.nullable(z.string())),
  linkText: z.optional(z.nullable(z.string())),
  clickToken: z.string(),
};
const slot = { slotId: z.string(), format: AdFormat };

/** One ad, or the news that there is none (api.md 2, AdDeliveryResult). */
export const AdDeliveryResult = z.discriminatedUnion('filled', [
  z.object(filledAd),
  z.object({ filled: z.literal(false) }),
]);
export type AdDeliveryResult = z.infer<typeof AdDeliveryResult>;

/** The same for one slot of a batch (api.md 2, AdDeliverySlotResult). */
export const AdDeliverySlotResult = z.discriminatedUnion('filled', [
  z.object({ ...slot, ...filledAd }),
  z.object({ ...slot, filled: z.literal(false) }),
]);
export type AdDeliverySlotResult = z.infer<typeof AdDeliverySlotResult>;

/** A place that asks for an ad. */
export const AdSlot = schemaOf(adSlot);
export type AdSlot = z.infer<typeof AdSlot>;

/** A batch of slots (api.md 2, AdDeliveryRequest). */
export const AdDeliveryRequest = schemaOf(REQUESTS['ads.deliverBatch'].body);
export type AdDeliveryRequest = z.infer<typeof AdDeliveryRequest>;

/** A click to register, by the token that came with the ad (api.md 4.5). */
export const AdClickRequest = schemaOf(REQUESTS['ads.click'].body);
export type AdClickRequest = z.infer<typeof AdClickRequest>;

/** The answer of both tracking endpoints. */
export const AdTrackingResult = z.object({ status: z.literal('ok') });
export type AdTrackingResult = z.infer<typeof AdTrackingResult>;
