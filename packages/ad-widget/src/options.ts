import type { Consent } from './consent/consent.ts';
import type { SlotResult, Transport } from './delivery/creative.ts';

/** The settings of {@link createAds}. */
export interface AdsOptions {
  /** The API's base address, or the path of a proxy on the page's own origin. */
  readonly baseUrl: string;
  /** The blog's public key. */
  readonly apiKey: string;
  /** Only slots with `client="<name>"` are this client's; without a name those without one. For several keys on a page. */
  readonly client?: string | undefined;
  /** When ads may be bought. Default `true`. */
  readonly consent?: Consent | undefined;
  /** How far above and below the viewport ads are bought for a reader at rest, in pixels: `400px`. Default `200px`. */
  readonly margin?: string | undefined;
  /** Milliseconds without scrolling that are a rest. Default 200; 0 requests ads also for readers who only pass. */
  readonly dwell?: number | string | undefined;
  /** Replaces `fetch`: a proxy, the SDK, a rehearsal. */
  readonly transport?: Transport | undefined;
  /** Ads the server delivered with the page: shown without a request. The client also reads `deliveredMarkup()`. */
  readonly delivered?: { readonly results: readonly SlotResult[] } | undefined;
}
