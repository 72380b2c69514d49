import { LIMITS } from '@broadsheet/contract';
import { codeUnitOrder, type Delivered, fillSlots, isExcluded } from '@broadsheet/core';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { chunks } from '../chunks.ts';
import type { Tables } from '../tables.ts';
import { openCampaigns } from './campaigns.ts';
import type { BlogDelivery } from './impressions.ts';

/** The parts of a decision that differ between databases. */
export interface DecisionDialect {
  /** The clause at the end of a query that locks its rows until the transaction ends. */
  readonly lock: RawBuilder<unknown>;
  /** Inserts the rows of existing blogs with {@link KEEP_IN_USE}, and returns those that it stored. */
  insertKeys(db: Kysely<Tables>, rows: readonly StoredKey[]): Promise<readonly KeyOfDelivery[]>;
}

type StoredKey = Tables['deliveries'];
type KeyOfDelivery = Pick<StoredKey, 'blog_id' | 'key_hash'>;

/** When a key is used again, its row is kept (and locked) while the key is in use, and otherwise replaced. */
export const KEEP_IN_USE = `(blog_id, key_hash) do update set
  request_hash = excluded.request_hash, delivery_id = excluded.delivery_id, ads = excluded.ads,
  excluded = excluded.excluded, at = excluded.at
  where deliveries.at <= excluded.at - ${LIMITS.idempotencyWindow} returning blog_id, key_hash`;

/**
 * Decides the outcome of deliveries, in a transaction; `counted` deliveries must be counted in the same transaction. In
 * another process, a duplicate or a delivery of the same campaign waits here until the transaction ends.
 */
export async function decide(
  db: Kysely<Tables>,
  items: readonly BlogDelivery[],
  dialect: DecisionDialect,
): Promise<readonly Delivered[]> {
  const campaigns = await openCampaigns(db, items, dialect.lock);
  const stored = await storeKeys(db, items, dialect);
  const changed: StoredKey[] = [];
  const decided = items.map((item): Delivered => {
    const { idempotency } = item.delivery;
    const row = idempotency && stored.get(item.blogId + idempotency.keyHash);
    if (!row || row.delivery_id === idempotency.deliveryId) {
      const adIds = fillSlots(item.delivery, (campaignId) => campaigns.admit(item, campaignId));
      if (row && item.delivery.campaigns && row.ads !== toJson(adIds)) {
        changed.push(Object.assign(row, { ads: toJson(adIds) }));
      }
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

/** The number of rows in one statement. */
const ROWS = 1000;

/** Stores the idempotency keys that are not in use, and returns the stored delivery of each key. */
async function storeKeys(
  db: Kysely<Tables>,
  items: readonly BlogDelivery[],
  { insertKeys }: DecisionDialect,
): Promise<ReadonlyMap<string, StoredKey>> {
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
    const fresh = await insertKeys(db, some);
    if (fresh.length === some.length) continue;
    const isFresh = new Set(fresh.map(({ blog_id, key_hash }) => blog_id + key_hash));
    const others = some.filter(({ blog_id, key_hash }) => !isFresh.has(blog_id + key_hash));
    const inUse = await sql<StoredKey>`select * from deliveries where (blog_id, key_hash) in
      (values ${sql.join(others.map(({ blog_id, key_hash }) => sql`(${blog_id}, ${key_hash})`))})`.execute(db);
    for (const row of inUse.rows) rows.set(row.blog_id + row.key_hash, row);
  }
  return rows;
}
