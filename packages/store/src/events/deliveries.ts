import { LIMITS } from '@broadsheet/contract';
import { codeUnitOrder, type Delivered, fillSlots, isExcluded } from '@broadsheet/core';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { chunks } from '../chunks.ts';
import type { Tables } from '../tables.ts';
import { openCampaigns } from './campaigns.ts';
import type { BlogDelivery } from './impressions.ts';

/**
 * Decides the outcome of deliveries, in a transaction; `counted` deliveries must be counted in the same transaction. In
 * another process, a duplicate or a delivery of the same campaign waits here until the transaction ends.
 *
 * @param lock the clause at the end of a query that locks its rows until the transaction ends
 */
export async function decide(
  db: Kysely<Tables>,
  items: readonly BlogDelivery[],
  lock: RawBuilder<unknown>,
): Promise<readonly Delivered[]> {
  const campaigns = await openCampaigns(db, items, lock);
  const stored = await storeKeys(db, items);
  const changed: StoredKey[] = [];
  const decided = items.map((item): Delivered => {
    const { idempotency } = item.delivery;
    const row = idempotency && stored.get(item.blogId + idempotency.keyHash);
    if (!row || row.delivery_id === idempotency.deliveryId) {
      const adIds = fillSlots(item.delivery, (campaignId) => campaigns.admit(item, campaignId));
      if (row && row.ads !== toJson(adIds)) changed.push(Object.assign(row, { ads: toJson(adIds) }));
      return { outcome: 'counted', adIds };
    }
    const adIds = (JSON.parse(row.ads) as (string | null)[]).map((adId) => adId ?? undefined);
    const outcome = row.request_hash === idempotency.requestHash ? 'replayed' : 'mismatched';
    return { outcome, adIds, deliveryId: row.delivery_id, excluded: row.excluded === 1 };
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

const toJson = (adIds: Delivered['adIds']): string => JSON.stringify(adIds.map((adId) => adId ?? null));

type StoredKey = Tables['deliveries'];

/** The number of rows in one statement. */
const ROWS = 1000;

/** Stores the idempotency keys that are not in use, and returns the stored delivery of each key. */
async function storeKeys(db: Kysely<Tables>, items: readonly BlogDelivery[]): Promise<ReadonlyMap<string, StoredKey>> {
  const rows = new Map<string, StoredKey>();
  for (const item of items) {
    const { blogId, delivery, at } = item;
    const { idempotency } = delivery;
    if (!idempotency) continue;
    const { keyHash: key_hash, requestHash: request_hash, deliveryId: delivery_id } = idempotency;
    // It ends with the hash of a key of this blog, so the concatenation is unambiguous. Of duplicates, the first counts.
    if (rows.has(blogId + key_hash)) continue;
    const ads = toJson(asCounted(item).adIds);
    const excluded = isExcluded(delivery) ? 1 : 0;
    rows.set(blogId + key_hash, { blog_id: blogId, key_hash, request_hash, delivery_id, ads, excluded, at });
  }
  // All processes take their rows in this order, to avoid deadlocks.
  const ordered = [...rows].sort(([a], [b]) => codeUnitOrder(a, b)).map(([, row]) => row);
  for (const some of chunks(ordered, ROWS)) {
    // Events of a blog that does not exist are dropped.
    const ids = [...new Set(some.map(({ blog_id }) => blog_id))];
    const blogs = await db.selectFrom('blogs').select('blog_id').where('blog_id', 'in', ids).execute();
    const values = some.filter((row) => blogs.some(({ blog_id }) => blog_id === row.blog_id));
    if (values.length === 0) continue;
    const stored = await db
      .insertInto('deliveries')
      .values(values)
      .onConflict((conflict) => conflict.columns(['blog_id', 'key_hash']).doUpdateSet(keptWhileInUse))
      .returningAll()
      .execute();
    for (const row of stored) rows.set(row.blog_id + row.key_hash, row);
  }
  return rows;
}

/** When a key is used again, its row is kept while the key is in use, and otherwise replaced. */
const keptWhileInUse = Object.fromEntries(
  ['request_hash', 'delivery_id', 'ads', 'excluded', 'at'].map((column) => [
    column,
    sql`case when deliveries.at > excluded.at - ${sql.lit(LIMITS.idempotencyWindow)}
      then ${sql.ref(`deliveries.${column}`)} else ${sql.ref(`excluded.${column}`)} end`,
  ]),
);
