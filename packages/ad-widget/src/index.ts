export type { AdFormat } from '@broadsheet/contract';

import type { Ads, AdsOptions } from './ads.ts';
import { Client } from './client.ts';

export type { AdStats, Ads, AdsOptions, ClickReceipts } from './ads.ts';
export type { Consent } from './consent/consent-platform.ts';
export type {
  DeliveryFacts,
  DeliveryOptions,
  FilledAd,
  SlotRequest,
  SlotResult,
  Transport,
} from './delivery/creative.ts';
export { DeliveryError } from './delivery/delivery-error.ts';
export { fetchTransport } from './delivery/fetch-transport.ts';
export type { AdEventDetail, AdEventType } from './events.ts';
export type { Command, CommandQueue } from './script.ts';
export type { SlotAttributes } from './slots/attributes.ts';
export type { SlotInfo, SlotState } from './slots/slot.ts';

/**
 * Fills the slots of the page with ads (api.md 4.5), including slots that are added later:
 * `<broadsheet-slot format="BANNER">` or `<div data-broadsheet-slot data-format="BANNER">`.
 *
 * ```ts
 * const ads = createAds({ baseUrl: 'https://blog.example/api', apiKey: 'KEY' });
 * ads.on('click', ({ adId }) => console.log('followed', adId));
 * ```
 *
 * @throws TypeError when `baseUrl` or `apiKey` is missing. Nothing is thrown later: failures are `error` events.
 */
export function createAds(options: AdsOptions): Ads {
  for (const name of ['baseUrl', 'apiKey'] as const) {
    if (!options[name]) throw new TypeError(`createAds: "${name}" is ${options[name]}; pass a non-empty string`);
  }
  return new Client(options);
}
