import type { ClickReceipts } from './clicks/receipts.ts';
import type { Consent } from './consent/consent.ts';
import type { SlotResult, Transport } from './delivery/creative.ts';
import type { AdEventType, AdListener } from './events.ts';
import type { SlotInfo } from './slots/slot.ts';

/** What a client counted. */
export interface AdStats {
  /** Delivery requests. */
  readonly requests: number;
  /** The slots in them. */
  readonly requested: number;
  /** Ads the API delivered, each an impression that it counted. */
  readonly bought: number;
  /** Ads that were put into slots: the bought ones, those the server sent with the page, and one ad again in another slot. */
  readonly drawn: number;
  /** Of these, ads bought for one slot that nobody had seen there and that were put into another. */
  readonly reused: number;
  /** Ads of which enough was in view for a second. */
  readonly viewable: number;
  /** Slots for which there was no ad. */
  readonly empty: number;
  /** Slots that stood without an ad as its delivery failed. */
  readonly failed: number;
  readonly clicks: Readonly<ClickReceipts>;
}

/** A running client. */
export interface Ads {
  /** The name given as `client`, else `''`. */
  readonly client: string;
  /** Looks for slots in `root`, now and as they come. Done for the document by {@link createAds}. */
  mount(root: ParentNode & Node): void;
  /**
   * Buys a new ad for a slot, or for all, as far as they are in view; the others get theirs on their way there. The old
   * one stays until the new one is there.
   */
  refresh(host?: Element): void;
  /** Gives or takes back consent. */
  consent(granted: boolean): void;
  /** Calls `listener` for the slots of this client; returns what ends it. */
  on(type: AdEventType, listener: AdListener): () => void;
  stats(): AdStats;
  /** The slots of this client. */
  inspect(): readonly SlotInfo[];
  /** Removes ads, listeners and observers, and gives every slot back as it was found. */
  destroy(): void;
}

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
