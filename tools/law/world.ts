// What the law of counting is about: blogs, what they advertise, and what happens to them. Nothing here belongs to the
// product.

export interface LawCampaign {
  readonly id: string;
  readonly kind: 'paid' | 'house';
  readonly pace: 'even' | 'fast';
  readonly paused: boolean;
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly until: number;
  readonly goal?: { readonly what: 'impressions' | 'clicks'; readonly count: number } | undefined;
  readonly perDay?: number | undefined;
  /** Ids of slots, or their beginnings followed by `*`; it may fill every slot if there are none. */
  readonly placements: readonly string[];
}

export interface LawAd {
  readonly id: string;
  readonly format: string;
  readonly priority: number;
  readonly active: boolean;
  readonly from: number;
  readonly until: number;
  readonly campaign?: string | undefined;
}

export interface LawBlog {
  readonly id: string;
  readonly timeZone: string;
  readonly domains: readonly string[];
  readonly ads: ReadonlyMap<string, LawAd>;
  readonly campaigns: ReadonlyMap<string, LawCampaign>;
}

/** The signs of where a request comes from. */
export interface Signs {
  readonly origin?: string | undefined;
  readonly userAgent?: string | undefined;
  readonly purpose?: string | undefined;
  readonly visitor: string;
}

export type LawTraffic = 'valid' | 'unknown' | 'bot' | 'prefetch' | 'foreign' | 'burst';

/** A slot of a request; the slot of a single delivery has no id. */
export interface LawSlot {
  readonly format: string;
  readonly slotId?: string | undefined;
}

/** One row of the figures. */
export interface LawRow {
  readonly day: string;
  readonly ad: string;
  readonly campaign: string;
  readonly placement: string;
  readonly traffic: LawTraffic;
}

export interface LawCounts {
  requests: number;
  viewable: number;
  clicks: number;
}

/** An impression: the token of its ad stands for it. */
export interface LawToken {
  readonly id: string;
  readonly row: LawRow;
  /** When it was issued, in full seconds since the epoch, in milliseconds. */
  readonly issuedAt: number;
}
