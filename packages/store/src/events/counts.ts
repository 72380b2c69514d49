import { type Delivery, type Impression, OTHER_PLACEMENT } from '@broadsheet/core';
import type { Kysely, RawBuilder } from 'kysely';
import type { TableName, Tables } from '../tables.ts';
import type { Placements } from './placements.ts';

/** A delivery to be counted. */
export interface BlogDelivery {
  readonly blogId: string;
  readonly delivery: Delivery;
  readonly at: number;
}

/** What the databases do differently when events are written. */
export interface EventDialect {
  /** The clause at the end of a query that locks its rows until the transaction ends. */
  readonly lock: RawBuilder<unknown>;
  /**
   * Inserts the rows of existing blogs, no two with the same key, and returns what the clause returns. Every process
   * locks the rows in the order of their keys, to avoid deadlocks.
   *
   * @param onConflict what follows `on conflict`
   */
  insert<Table extends EventTable>(
    db: Kysely<Tables>,
    table: Table,
    rows: readonly Tables[Table][],
    onConflict: string,
  ): Promise<readonly Partial<Tables[Table]>[]>;
}

/** A table of events whose rows are written together. */
export type EventTable = Extract<
  TableName,
  'counts' | 'campaign_counts' | 'hour_counts' | 'deliveries' | 'viewed_tokens'
>;

/** Adds to an existing row. */
export const ADD_COUNTS = `(blog_id, day, ad_id, campaign_id, placement, traffic) do update set
  delivered = counts.delivered + excluded.delivered, viewable = counts.viewable + excluded.viewable,
  clicks = counts.clicks + excluded.clicks`;

/** What is counted of an impression, or of a slot that stayed empty. */
type Event = Omit<Impression, 'adId'> & { readonly adId?: string | undefined };

/** Adds up events by the rows that count them, so that a group of events writes few rows. */
export class Tally {
  readonly rows: Tables['counts'][] = [];
  /** By day, traffic and blog, then by placement, then by ad and campaign. */
  readonly #known = new Map<string, Map<string, Map<string, Tables['counts']>>>();

  /** The row of an event, all zero at first. */
  rowOf(blog_id: string, day: string, event: Event): Tables['counts'] {
    const { adId: ad_id = '', campaignId: campaign_id = '', placement = '', traffic = 'valid' } = event;
    // A day has ten characters, and the id of an ad 36, so the concatenations are unambiguous.
    const ofDay = getOrAdd(this.#known, `${day}${traffic} ${blog_id}`, () => new Map());
    const ofPlacement = getOrAdd(ofDay, placement, () => new Map());
    const key = campaign_id === '' ? ad_id : ad_id + campaign_id;
    return getOrAdd(ofPlacement, key, () => {
      const made = { blog_id, day, ad_id, campaign_id, placement, traffic, delivered: 0, viewable: 0, clicks: 0 };
      this.rows.push(made);
      return made;
    });
  }

  /** The rows under the names by which their placements are counted; `placements` must have admitted them. */
  named({ nameOf }: Placements): readonly Tables['counts'][] {
    const others = new Tally();
    const own = this.rows.filter((row) => {
      if (nameOf(row) !== OTHER_PLACEMENT) return true;
      const { blog_id, day, ad_id: adId, campaign_id: campaignId, traffic } = row;
      const other = others.rowOf(blog_id, day, { adId, campaignId, placement: OTHER_PLACEMENT, traffic });
      for (const what of ['delivered', 'viewable', 'clicks'] as const) other[what] += row[what];
      return false;
    });
    return [...own, ...others.rows];
  }
}

/** The value of a key, which is added if it is missing. */
export function getOrAdd<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
