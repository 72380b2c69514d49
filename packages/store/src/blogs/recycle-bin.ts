import type { Post, SnapshotAd } from '@broadsheet/contract';
import type { Campaign } from '@broadsheet/core';
import { type Kysely, sql } from 'kysely';
import { chunks } from '../chunks.ts';
import type { Transaction } from '../database.ts';
import { readLabels, writeLabels } from '../posts/label-writes.ts';
import { snapshotOf, writePosts } from '../posts/post-writes.ts';
import type { Session } from '../session.ts';
import type { Tables } from '../tables.ts';
import { adName, upsertAds } from './ads.ts';
import { requireCampaigns, upsertCampaigns } from './campaigns.ts';
import { ContentClash, requireOwnSlugs } from './clashes.ts';

/** Identifies an item in the recycle bin of a blog. */
export interface BinKey {
  readonly kind: 'post' | 'ad' | 'campaign';
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly deletedAt: number;
}

/** An item in the recycle bin as the operator sees it. */
export interface BinEntry extends BinKey {
  readonly title: string;
}

/** Milliseconds for which a deleted item stays in the recycle bin. */
export const BIN_LIFE = 30 * 24 * 60 * 60 * 1000;
const ROWS = 500;

/** Copies posts that are about to be deleted to the recycle bin of their blog. */
export async function binPosts(db: Kysely<Tables>, blogId: string, ids: readonly string[], now: number): Promise<void> {
  for (const some of chunks(ids, ROWS)) {
    await sql`insert into recycle_bin (blog_id, kind, id, deleted_at, title, json, cover_url)
      select blog_id, 'post', id, cast(${now} as bigint), title, json, cover_url from posts
      where blog_id = ${blogId} and id in (${sql.join(some)})
      on conflict do nothing`.execute(db);
  }
}

/** Adds a deleted ad to the recycle bin of its blog. */
export const binAd = (db: Kysely<Tables>, blogId: string, ad: SnapshotAd, now: number): Promise<void> =>
  binItem(db, blogId, { kind: 'ad', id: ad.id, deletedAt: now, title: adName(ad) }, ad);

/** Adds a deleted item to the recycle bin of its blog. */
export async function binItem(
  db: Kysely<Tables>,
  blogId: string,
  { kind, id, deletedAt, title }: BinEntry,
  item: SnapshotAd | Campaign,
): Promise<void> {
  await sql`insert into recycle_bin (blog_id, kind, id, deleted_at, title, json)
    values (${blogId}, ${kind}, ${id}, ${deletedAt}, ${title}, ${JSON.stringify(item)})
    on conflict do nothing`.execute(db);
}

/** What operators do with the recycle bin. */
export function createBinManagement({ database, changeAds }: Session) {
  return {
    /** The items that were deleted in the last thirty days, pruned posts included, the latest first. */
    async listBin(blogId: string, now: number): Promise<readonly BinEntry[]> {
      const { rows } = await sql<BinEntry>`
        select kind, id, deleted_at as "deletedAt", title from recycle_bin
        where blog_id = ${blogId} and deleted_at >= ${now - BIN_LIFE}
        order by deleted_at desc, id limit 1000`.execute(database.reader);
      return rows;
    },
    /** Restores a deleted item; `undefined` when it is not in the bin. @throws ContentClash */
    restoreFromBin: (blogId: string, key: BinKey, now: number): Promise<BinEntry | undefined> =>
      changeAds(blogId, undefined, (db) => restoreFromBin({ db, database }, blogId, key, now)),
  };
}

/**
 * Restores an item from the recycle bin; `undefined` when it is not there. Existing labels are not changed, and missing
 * ones are restored too.
 *
 * @throws ContentClash when another item has its id or its slug by now
 */
async function restoreFromBin(
  transaction: Transaction,
  blogId: string,
  { kind, id, deletedAt }: BinKey,
  now: number,
): Promise<BinEntry | undefined> {
  const { db } = transaction;
  const deleted = await sql<Tables['recycle_bin']>`delete from recycle_bin
    where blog_id = ${blogId} and kind = ${kind} and id = ${id} and deleted_at = ${deletedAt} returning *`.execute(db);
  const [row] = deleted.rows;
  if (!row) return undefined;
  const table = sql.table(`${kind}s`);
  const taken = await sql`select 1 from ${table} where blog_id = ${blogId} and id = ${id}`.execute(db);
  if (taken.rows.length > 0) {
    const message = `another ${kind} has the id ${id} now; delete that one first`;
    throw new ContentClash([{ code: 'ID_IN_USE', blogId, message }]);
  }
  if (kind === 'post') await restorePost(transaction, blogId, row, now);
  else if (kind === 'campaign') await restoreCampaign(transaction, blogId, row, now);
  else {
    const ad: SnapshotAd = JSON.parse(row.json);
    await requireCampaigns(db, blogId, [ad]);
    await upsertAds(db, blogId, [ad]);
  }
  return { kind, id, deletedAt, title: row.title };
}

/** Restores a campaign with the ads that were deleted with it. */
async function restoreCampaign(
  transaction: Transaction,
  blogId: string,
  { json, id, deleted_at: deletedAt }: Tables['recycle_bin'],
  now: number,
): Promise<void> {
  const { db } = transaction;
  await upsertCampaigns(db, blogId, [JSON.parse(json)]);
  const { rows } = await sql<Tables['recycle_bin']>`select * from recycle_bin
    where blog_id = ${blogId} and kind = 'ad' and deleted_at = ${deletedAt}`.execute(db);
  const ads = rows.map((row): SnapshotAd => JSON.parse(row.json)).filter(({ campaignId }) => campaignId === id);
  for (const ad of ads) await restoreFromBin(transaction, blogId, { kind: 'ad', id: ad.id, deletedAt }, now);
}

async function restorePost(
  transaction: Transaction,
  blogId: string,
  { json, cover_url }: Tables['recycle_bin'],
  now: number,
): Promise<void> {
  const { db } = transaction;
  const stored: Post = JSON.parse(json);
  const post = snapshotOf(stored, cover_url);
  const stamp = new Date(now).toISOString();
  for (const kind of ['category', 'tag'] as const) {
    const { byId } = await readLabels(db, blogId, kind);
    const missing = (kind === 'tag' ? stored.tags : stored.categories).filter((label) => !byId.has(label.id));
    await writeLabels(db, { blogId, kind, stamp }, missing);
  }
  await writePosts(transaction, blogId, stamp, [post]);
  await requireOwnSlugs(transaction, blogId, [post]);
}
