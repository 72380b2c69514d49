import type { Consent } from './consent/consent-platform.ts';
import type { Transport } from './delivery/creative.ts';
import type { AdEventType, AdListener } from './events.ts';
import type { SlotInfo } from './slots/slot.ts';

/**
 * The results of the clicks of this page. The number in flight is `posted` minus `confirmed`, `refused`, `unsent` and
 * the `expired` clicks that were posted.
 */
export interface ClickReceipts {
  posted: number;
  /** Counted by the API; a 409 means that it was counted before. */
  confirmed: number;
  /** Followed or still not posted after the token's ten minutes: the link worked, but the click is not counted. */
  expired: number;
  /** Refused for another reason, usually 403: the page's origin is not the blog's domain. */
  refused: number;
  /** Not sent yet; this page or the next one retries. */
  readonly unsent: number;
}

/** The counters of a client. */
export interface AdStats {
  /** Delivery requests. */
  readonly requests: number;
  /** The slots in them. */
  readonly requested: number;
  /** Ads the API delivered, each an impression that it counted. */
  readonly delivered: number;
  /** Ads rendered in slots: delivered ones, those the server sent with the page, and ads that moved to another slot. */
  readonly rendered: number;
  /** Of these, ads that were delivered for one slot, not seen there, and rendered in another. */
  readonly reused: number;
  /** Ads that were viewable: enough of the ad was in view for a second. */
  readonly viewable: number;
  /** Slots for which there was no ad. */
  readonly empty: number;
  /** Slots left without an ad because a delivery failed, once for each attempt. */
  readonly failed: number;
  readonly clicks: Readonly<ClickReceipts>;
}

/** A running client. */
export interface Ads {
  /** The name given as `client`; `''` by default. */
  readonly client: string;
  /** Finds slots in `root`, now and as they are added. {@link createAds} does this for the document. */
  mount(root: ParentNode & Node): void;
  /**
   * Requests a new ad for a slot, or for all. Slots out of view get theirs on their way into view. The old ad stays
   * until the new one has arrived.
   */
  refresh(host?: Element): void;
  /** Grants or withdraws consent. */
  consent(granted: boolean): void;
  /** Calls `listener` for the slots of this client. Returns a function that removes it. */
  on(type: AdEventType, listener: AdListener): () => void;
  stats(): AdStats;
  /** The slots of this client. */
  inspect(): readonly SlotInfo[];
  /** Removes ads, listeners and observers, and leaves every slot as it was found. */
  destroy(): void;
}

/** The settings of {@link createAds}. */
export interface AdsOptions {
  /** The API's base URL, or the path of a proxy on the page's own origin. */
  readonly baseUrl: string;
  /** The blog's public key. */
  readonly apiKey: string;
  /** For several keys on a page: takes only slots with this `client` attribute; by default, those without one. */
  readonly client?: string | undefined;
  /** When ads may be requested. Default `true`. */
  readonly consent?: Consent | undefined;
  /** How far above and below the viewport ads are requested for a reader at rest, in pixels: `400px`. Default `200px`. */
  readonly margin?: string | undefined;
  /** Milliseconds without scrolling until a reader is at rest. Default 200; 0 also requests ads in passing. */
  readonly dwell?: number | string | undefined;
  /** Replaces `fetch`: a proxy, the SDK, a rehearsal. */
  readonly transport?: Transport | undefined;
}
