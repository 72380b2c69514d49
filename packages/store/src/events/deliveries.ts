import { LIMITS } from '@broadsheet/contract';
import {
  campaignsOf,
  type Delivered,
  type Delivery,
  dayOf,
  type FirstDelivery,
  fillSlots,
  hourOf,
  isExcluded,
  TRAFFIC_HOURS,
} from '@broadsheet/core';
import { type Kysely, sql } from 'kysely';
import { chunks } from '../chunks.ts';
import type { Tables } from '../tables.ts';
import { openCampaigns } from './campaigns.ts';
import { type BlogDelivery, type EventDialect, getOrAdd, Tally } from './counts.ts';

type StoredKey = Tables['deliveries'];

/** When a key is used again, its row is kept (and locked) while the key is in use, and otherwise replaced. */
const KEEP_IN_USE = `(blog_id, key_hash) do update set
  request_hash = excluded.request_hash, delivery_id = excluded.delivery_id, ads = excluded.ads,
  day = excluded.day, traffic = excluded.traffic, at = excluded.at
  where deliveries.at <= excluded.at - ${LIMITS.idempotencyWindow} returning blog_id, key_hash`;

/** Adds deliveries of an hour to an existing row, or replaces it if it is of an earlier hour, two weeks before. */
export const ADD_HOURS = `(blog_id, place) do update set hour = excluded.hour,
  deliveries = excluded.deliveries + case when hour_counts.hour = excluded.hour then hour_counts.deliveries else 0 end
  where hour_counts.hour <= excluded.hour`;

/** Adds up deliveries with the outcome `counted`. */
export function addUp(items: readonly BlogDelivery[], delivered: readonly Delivered[]) {
  const tally = new Tally();
  // Not by day: in some time zones, a day begins within an hour.
  const hours = new Map<string, Tables['hour_counts']>();
  for (const [index, { blogId: blog_id, delivery, at }] of items.entries()) {
    const { outcome, adIds } = delivered[index] as Delivered;
    if (outcome !== 'counted') continue;
    const { slots, campaigns, traffic, timeZone } = delivery;
    const day = dayOf(at, timeZone);
    for (const [slot, { placement }] of slots.entries()) {
      const adId = adIds[slot];
      const campaignId = adId === undefined ? undefined : campaigns?.get(adId);
      tally.rowOf(blog_id, day, { adId, campaignId, placement, traffic }).delivered += 1;
    }
    if (isExcluded(delivery)) continue;
    const hour = hourOf(at);
    const hourly = () => ({ blog_id, place: hour % TRAFFIC_HOURS, hour, deliveries: 0 });
    getOrAdd(hours, `${hour} ${blog_id}`, hourly).deliveries += 1;
  }
  return { tally, hours: [...hours.values()] };
}

/**
 * Decides the outcome of deliveries, in a transaction; `counted` deliveries must be counted in the same transaction. In
 * another process, a duplicate or a delivery of the same campaign waits here until the transaction ends.
 */
export async function decide(
  db: Kysely<Tables>,
  items: readonly BlogDelivery[],
  dialect: EventDialect,
): Promise<readonly Delivered[]> {
  const campaigns = await openCampaigns(db, items, dialect);
  const stored = await storeKeys(db, items, dialect);
  const changed: StoredKey[] = [];
  const decided = items.map((item): Delivered => {
    const { idempotency } = item.delivery;
    const row = idempotency && stored.get(item.blogId + idempotency.keyHash);
    if (!row || row.delivery_id === idempotency.deliveryId) {
      const admit = (campaignId: string) => campaigns.admit(item, campaignId);
      const adIds = fillSlots(item.delivery, admit, (campaignId) => campaigns.behind(item, campaignId));
      const ads = row && item.delivery.campaigns ? toJson(item.delivery, adIds) : row?.ads;
      if (row && ads !== undefined && row.ads !== ads) changed.push(Object.assign(row, { ads }));
      return { outcome: 'counted', adIds };
    }
    const outcome = row.request_hash === idempotency.requestHash ? 'replayed' : 'mismatched';
    return { outcome, ...firstOf(row) };
  });
  for (const { blog_id, key_hash, ads } of changed) {
    const own = db.updateTable('deliveries').where('blog_id', '=', blog_id).where('key_hash', '=', key_hash);
    await own.set({ ads }).execute();
  }
  await campaigns.write();
  return decided;
}

/** The outcome of a delivery that needs no decision. */
export const asCounted = ({ delivery }: BlogDelivery): Delivered => ({
  outcome: 'counted',
  adIds: fillSlots(delivery, () => true),
});

/** The ads of a delivery as they are stored. */
interface StoredAds extends Pick<FirstDelivery, 'campaigns'> {
  readonly adIds: readonly (string | null)[];
}

function toJson(delivery: Delivery, adIds: Delivered['adIds']): string {
  const stored: StoredAds = { adIds: adIds.map((adId) => adId ?? null), campaigns: campaignsOf(delivery, adIds) };
  return JSON.stringify(stored);
}

function firstOf({ delivery_id: deliveryId, ads, day, traffic }: StoredKey): Pick<Delivered, 'adIds' | 'first'> {
  const { adIds, campaigns }: StoredAds = JSON.parse(ads);
  return { adIds: adIds.map((adId) => adId ?? undefined), first: { deliveryId, day, traffic, campaigns } };
}

/** The number of rows in one statement. */
const ROWS = 1000;

/** Stores the idempotency keys that are not in use, and returns the stored delivery of each key. */
async function storeKeys(
  db: Kysely<Tables>,
  items: readonly BlogDelivery[],
  { insert }: EventDialect,
): Promise<ReadonlyMap<string, StoredKey>> {
  const rows = new Map<string, StoredKey>();
  for (const item of items) {
    const { blogId, delivery, at } = item;
    const { idempotency, traffic = 'valid', timeZone } = delivery;
    if (!idempotency) continue;
    const { keyHash: key_hash, requestHash: request_hash, deliveryId: delivery_id } = idempotency;
    // It ends with the hash of a key of this blog, so the concatenation is unambiguous. Of duplicates, the first counts.
    if (rows.has(blogId + key_hash)) continue;
    const ads = toJson(delivery, asCounted(item).adIds);
    const day = dayOf(at, timeZone);
    rows.set(blogId + key_hash, { blog_id: blogId, key_hash, request_hash, delivery_id, ads, day, traffic, at });
  }
  if (rows.size === 0) return rows;
  const fresh = await insert(db, 'deliveries', [...rows.values()], KEEP_IN_USE);
  if (fresh.length === rows.size) return rows;
  const isFresh = new Set(fresh.map(({ blog_id = '', key_hash = '' }) => blog_id + key_hash));
  const others = [...rows].filter(([key]) => !isFresh.has(key)).map(([, row]) => row);
  for (const some of chunks(others, ROWS)) {
    const inUse = await sql<StoredKey>`select * from deliveries where (blog_id, key_hash) in
      (values ${sql.join(some.map(({ blog_id, key_hash }) => sql`(${blog_id}, ${key_hash})`))})`.execute(db);
    for (const row of inUse.rows) rows.set(row.blog_id + row.key_hash, row);
  }
  return rows;
}
