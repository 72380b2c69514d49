import type { ClickReceipts } from './clicks/clicks.ts';
import type { AdEventDetail, AdEventType } from './events.ts';
import type { Slot } from './slots/slot.ts';

/** What a client counted. Impressions are counted by the API when it delivers, so `filled` is what was paid for. */
export interface AdStats {
  /** Delivery requests, and the slots in them. */
  readonly requests: number;
  readonly asked: number;
  readonly filled: number;
  readonly empty: number;
  readonly failed: number;
  readonly viewable: number;
  readonly clicks: Readonly<ClickReceipts>;
}

/** A running client. */
export interface Ads {
  /** The name given as `client`, else `''`. */
  readonly client: string;
  /** Looks for slots in `root`, now and as they come. Done for the document by {@link createAds}. */
  mount(root: ParentNode & Node): void;
  /** Asks for a new ad, for one slot or for all. The old one stays until the new one is there. */
  refresh(host?: Element): void;
  /** Gives or takes back consent. */
  consent(granted: boolean): void;
  /** Calls `listener` for the slots of this client; returns what ends it. */
  on(type: AdEventType, listener: (detail: AdEventDetail, host: HTMLElement) => void): () => void;
  stats(): AdStats;
  /** The slots and what is known of each, for display. */
  inspect(): readonly Readonly<Slot>[];
  /** Removes ads, listeners and observers, and gives every slot back as it was found. */
  destroy(): void;
}
