import * as z from 'zod/mini';
import { AD_FORMATS } from '../rules/enums.ts';
import { adSlot, REQUESTS } from '../rules/requests.ts';
import { field, Uuid } from './fields.ts';
import { schemaOf } from './schema-of.ts';

/** The formats of ads (api.md 2). The list is closed: clients request them, and responses repeat what was requested. */
export const AdFormat = z.enum(AD_FORMATS);
export type AdFormat = z.infer<typeof AdFormat>;

/** A slot of a page that requests an ad. */
export const AdSlot = z.object({
  slotId: field(
    schemaOf(adSlot).shape.slotId,
    'Chosen by the caller, 1 to 200 characters. The result repeats it.',
    'top',
  ),
  format: field(AdFormat, 'The format of the ad.', 'BANNER'),
});
export type AdSlot = z.infer<typeof AdSlot>;

const clickToken = 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJwdXJwb3NlIjoiYWQtY2xpY2sifQ.c2lnbmF0dXJl';

/** An ad that was delivered; its impression is counted (api.md 2, AdDeliveryResult). */
export const FilledAd = z.object({
  filled: field(z.literal(true), 'An ad was delivered.'),
  id: field(Uuid, 'Identifies the ad.', '3f2504e0-4f89-41d3-9a0c-0305e82c3301'),
  imageUrl: field(z.optional(z.nullable(z.string())), 'URL of the image.', null),
  linkUrl: field(z.optional(z.nullable(z.string())), 'URL to open on a click.', 'https://sponsor.example/'),
  title: field(z.optional(z.nullable(z.string())), 'Title.', 'Ink by the litre'),
  content: field(z.optional(z.nullable(z.string())), 'Text of the ad.', 'Black, and only black.'),
  linkText: field(z.optional(z.nullable(z.string())), 'Label of the link.', 'Order a can'),
  clickToken: field(z.string(), 'Registers one click; valid for ten minutes.', clickToken),
});

/** A delivery without an ad: none is available for the format (api.md 2, AdDeliveryResult). */
export const UnfilledAd = z.object({ filled: field(z.literal(false), 'No ad is available.') });

/** One ad, or none (api.md 2). */
export const AdDeliveryResult = z.discriminatedUnion('filled', [FilledAd, UnfilledAd]);
export type AdDeliveryResult = z.infer<typeof AdDeliveryResult>;

const slot = { slotId: field(z.string(), 'The slotId of the request.', 'top'), format: AdSlot.shape.format };

/** The result for one slot of a batch (api.md 2). */
export const AdDeliverySlotResult = z.discriminatedUnion('filled', [
  z.object({ ...slot, ...FilledAd.shape }),
  z.object({ ...slot, ...UnfilledAd.shape }),
]);
export type AdDeliverySlotResult = z.infer<typeof AdDeliverySlotResult>;

/** A batch of slots (api.md 2, AdDeliveryRequest). */
export const AdDeliveryRequest = schemaOf(REQUESTS['ads.deliverBatch'].body);
export type AdDeliveryRequest = z.infer<typeof AdDeliveryRequest>;

/** A click to register, by the token that came with the ad (api.md 4.5). */
export const AdClickRequest = schemaOf(REQUESTS['ads.click'].body);
export type AdClickRequest = z.infer<typeof AdClickRequest>;

/** The response of both tracking endpoints (api.md 4.5). */
export const AdTrackingResult = z.object({ status: field(z.literal('ok'), 'Always `ok`.') });
export type AdTrackingResult = z.infer<typeof AdTrackingResult>;
