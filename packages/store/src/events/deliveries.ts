import { LIMITS } from '@broadsheet/contract';
import {
  type BlogCampaigns,
  campaignsOf,
  type Delivered,
  type Delivery,
  dayOf,
  type FirstDelivery,
  fillSlots,
  isExcluded,
} from '@broadsheet/core';
import sql, { bulk } from 'sql-template-tag';
import { chunks, updating } from '../sql.ts';
import type { Tables } from '../tables.ts';
import { type BlogDelivery, endCampaigns, openCampaigns } from './campaigns.ts';
import { type EventWriter, Tally } from './counts.ts';
import { insertInto, ROWS, setColumn } from './dialect.ts';

/**
 * Decides the outcome of deliveries and counts them, in a transaction. In another process, a duplicate or a delivery of
 * the same campaign waits here until the transaction ends. Rows are locked in the order of the steps; see `EVENT_TABLES`.
 */
export async function writeDeliveries(
  writer: EventWriter,
  items: readonly BlogDelivery[],
): Promise<readonly Delivered[]> {
  const sold = items.filter(({ delivery }) => delivery.campaigns);
  const keyed = items.filter(({ delivery }) => delivery.idempotency);
  const blogs = sold.length > 0 ? await openCampaigns(writer, sold) : undefined;
  const keys = keyed.length > 0 ? await storeKeys(writer, keyed) : undefined;
  const newAds: (readonly [blogId: string, keyHash: string, ads: string])[] = [];
  const tally = new Tally();
  const results: Delivered[] = [];
  for (const item of items) {
    const { blogId, delivery } = item;
    const key = keys?.get(keyOf(item));
    const result = decide(item, blogs?.get(blogId) ?? NO_CAMPAIGNS, key);
    results.push(result);
    if (result.outcome !== 'counted') continue;
    count(tally, item, result);
    if (!key || !delivery.campaigns) continue;
    // A duplicate in the same transaction gets the same ads.
    key.ads = toJson(delivery, result.adIds);
    newAds.push([blogId, key.key_hash, key.ads]);
  }
  const ended = blogs && (await endCampaigns(writer.db, blogs));
  if (newAds.length > 0) await setColumn(writer.db, 'deliveries', 'ads', newAds);
  await tally.write(writer);
  if (!ended || ended.size === 0) return results;
  return results.map((result, index) => ({ ...result, ended: ended.get(items[index]?.blogId ?? '') ?? [] }));
}

const NO_CAMPAIGNS: BlogCampaigns = { campaigns: new Map() };

/** @param key the row of its idempotency key, which may belong to another delivery */
function decide({ delivery, at }: BlogDelivery, blog: BlogCampaigns, key: StoredKey | undefined): Delivered {
  const { idempotency } = delivery;
  if (!key || key.delivery_id === idempotency?.deliveryId) {
    return { outcome: 'counted', adIds: fillSlots(delivery, at, blog) };
  }
  const { adIds, campaigns }: StoredAds = JSON.parse(key.ads);
  return {
    outcome: key.request_hash === idempotency?.requestHash ? 'replayed' : 'mismatched',
    adIds: adIds.map((adId) => adId ?? undefined),
    first: { deliveryId: key.delivery_id, day: key.day, traffic: key.traffic, campaigns },
  };
}

/** The ads of a delivery as they are stored. */
interface StoredAds extends Pick<FirstDelivery, 'campaigns'> {
  readonly adIds: readonly (string | null)[];
}

function toJson(delivery: Delivery, adIds: Delivered['adIds']): string {
  const stored: StoredAds = { adIds: adIds.map((adId) => adId ?? null), campaigns: campaignsOf(delivery, adIds) };
  return JSON.stringify(stored);
}

function count(tally: Tally, { blogId, delivery, at }: BlogDelivery, { adIds }: Delivered): void {
  const { slots, campaigns, traffic, timeZone } = delivery;
  const day = dayOf(at, timeZone);
  for (const [index, { placement }] of slots.entries()) {
    const adId = adIds[index];
    const campaignId = adId === undefined ? undefined : campaigns?.get(adId);
    tally.add({ blogId, day, adId, campaignId, placement, traffic }, 'delivered');
  }
  if (!isExcluded(delivery)) tally.addHour(blogId, at);
}

type StoredKey = Tables['deliveries'];

// The hash ends with the hash of a key of the blog, so the concatenation is unambiguous.
const keyOf = ({ blogId, delivery }: BlogDelivery): string => blogId + (delivery.idempotency?.keyHash ?? '');

/** If a key is stored already, its row is kept (and locked) while the key is in use, and replaced afterwards. */
const insertKeys = insertInto(
  'deliveries',
  sql`${updating('deliveries')} where deliveries.at <= excluded.at - ${LIMITS.idempotencyWindow}
    returning blog_id, key_hash`,
);

/** Stores the idempotency keys that are not in use, and returns the stored delivery of each key. */
async function storeKeys(writer: EventWriter, items: readonly BlogDelivery[]): Promise<ReadonlyMap<string, StoredKey>> {
  const rows = new Map<string, StoredKey>();
  for (const item of items) {
    const { blogId: blog_id, delivery, at } = item;
    const { idempotency, campaigns, traffic = 'valid', timeZone } = delivery;
    // If there are duplicates, the first one counts.
    if (!idempotency || rows.has(keyOf(item))) continue;
    const { keyHash: key_hash, requestHash: request_hash, deliveryId: delivery_id } = idempotency;
    // The ads of campaigns are decided later.
    const ads = campaigns ? '' : toJson(delivery, fillSlots(delivery, at, NO_CAMPAIGNS));
    const day = dayOf(at, timeZone);
    rows.set(keyOf(item), { blog_id, key_hash, request_hash, delivery_id, ads, day, traffic, at });
  }
  const fresh = await insertKeys(writer, [...rows.values()]);
  if (fresh.length === rows.size) return rows;
  const isFresh = new Set(fresh.map(({ blog_id = '', key_hash = '' }) => blog_id + key_hash));
  const others = [...rows].filter(([key]) => !isFresh.has(key)).map(([, row]) => row);
  for (const some of chunks(others, ROWS)) {
    const inUse = await writer.db<StoredKey>`select * from deliveries where (blog_id, key_hash) in
      (values ${bulk(some.map(({ blog_id, key_hash }) => [blog_id, key_hash]))})`;
    for (const row of inUse) rows.set(row.blog_id + row.key_hash, row);
  }
  return rows;
}
