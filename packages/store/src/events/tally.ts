import { hourOf, type Impression, isExcluded, OTHER_PLACEMENT, TRAFFIC_HOURS } from '@broadsheet/core';
import sql from 'sql-template-tag';
import type { Tables } from '../tables.ts';
import { adding, type EventWriter, insertRows } from './dialect.ts';

/** The fields of an impression, or of a slot that stayed empty, under which it is counted. */
type Event = Omit<Impression, 'adId'> & { readonly adId?: string | undefined };

type Count = Tables['counts'];

/**
 * Adds deliveries of an hour to an existing row, or replaces the row if it belongs to the same hour two weeks earlier.
 */
const ADDING_HOURS = sql`on conflict (blog_id, place) do update set hour = excluded.hour,
  deliveries = excluded.deliveries + case when hour_counts.hour = excluded.hour then hour_counts.deliveries else 0 end
  where hour_counts.hour <= excluded.hour`;

/** Adds up events by the rows that count them, so that a group of events writes few rows. */
export class Tally {
  readonly #placements: EventWriter['placements'];
  readonly #counts: Count[] = [];
  /** By day, traffic and blog, then by placement, then by ad and campaign. */
  readonly #countOf = new Map<string, Map<string, Map<string, Count>>>();
  readonly #campaigns = new Map<string, Tables['campaign_counts']>();
  readonly #hours = new Map<string, Tables['hour_counts']>();

  constructor(placements: EventWriter['placements']) {
    this.#placements = placements;
  }

  /** Counts an event of a day, and also for its campaign unless its traffic is excluded. */
  add(blog_id: string, day: string, event: Event, what: 'delivered' | 'viewable' | 'clicks'): void {
    this.#rowOf(blog_id, day, event)[what] += 1;
    const { campaignId: campaign_id } = event;
    if (campaign_id === undefined || what === 'viewable' || isExcluded(event)) return;
    const row = getOrAdd(this.#campaigns, JSON.stringify([blog_id, campaign_id, day]), () => {
      return { blog_id, campaign_id, day, impressions: 0, clicks: 0 };
    });
    row[what === 'clicks' ? 'clicks' : 'impressions'] += 1;
  }

  /** Counts a delivery for the usual traffic of its blog. */
  addHour(blog_id: string, at: number): void {
    const hour = hourOf(at);
    // Not by day, because in some time zones a day begins in the middle of an hour.
    const row = getOrAdd(this.#hours, `${hour} ${blog_id}`, () => {
      return { blog_id, place: hour % TRAFFIC_HOURS, hour, deliveries: 0 };
    });
    row.deliveries += 1;
  }

  /** Writes what was counted, in the order in which every process locks the tables. */
  async write(writer: EventWriter): Promise<void> {
    // On PostgreSQL, they are sent together, and run in this order.
    await Promise.all([
      insertRows(writer, 'campaign_counts', [...this.#campaigns.values()], adding('campaign_counts')),
      insertRows(writer, 'counts', this.#counts, adding('counts')),
      insertRows(writer, 'hour_counts', [...this.#hours.values()], ADDING_HOURS),
    ]);
  }

  #rowOf(blog_id: string, day: string, event: Event): Count {
    const { adId: ad_id = '', campaignId: campaign_id = '', placement = '', traffic = 'valid' } = event;
    // A day has ten characters, and the id of an ad 36, so the concatenations are unambiguous.
    const ofDay = getOrAdd(this.#countOf, `${day}${traffic} ${blog_id}`, () => new Map());
    const ofPlacement = getOrAdd(ofDay, placement, () => new Map());
    return getOrAdd(ofPlacement, campaign_id === '' ? ad_id : ad_id + campaign_id, () => {
      // All placements that are not counted separately share a row.
      const name = this.#placements.nameOf(blog_id, day, placement);
      if (name !== placement) return this.#rowOf(blog_id, day, { ...event, placement: OTHER_PLACEMENT });
      const row: Count = { blog_id, day, ad_id, campaign_id, placement, traffic, delivered: 0, viewable: 0, clicks: 0 };
      this.#counts.push(row);
      return row;
    });
  }
}

/** The value of a key, which is added if it is missing. */
function getOrAdd<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
