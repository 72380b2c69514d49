import type { Post, SnapshotAd } from '@broadsheet/contract';
import { type Campaign, codeUnitOrder } from '@broadsheet/core';
import sql, { empty, join } from 'sql-template-tag';
import type { Transaction } from '../database.ts';
import { readLabels, writeLabels } from '../posts/labels.ts';
import { snapshotOf, writePosts } from '../posts/post-writes.ts';
import type { Session } from '../session.ts';
import { chunks, type Db, insert, names } from '../sql.ts';
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

/** An item in a list of the recycle bin. */
export interface ListedBinEntry extends BinEntry {
  /** The number of items of its kind that were deleted with it, itself included. */
  readonly together: number;
}

/**
 * The items to restore: one item by its id, in the version that was deleted last or at a given time, or all items of a
 * deletion.
 */
export interface BinSelection {
  readonly kind: BinKey['kind'];
  readonly id?: string | undefined;
  readonly deletedAt?: number | undefined;
}

/** Which items of the recycle bin are listed; all by default. */
export interface BinPage {
  readonly kinds?: readonly BinKey['kind'][];
  readonly limit?: number;
  readonly offset?: number;
}

/** Milliseconds for which a deleted item stays in the recycle bin. */
export const BIN_LIFE = 30 * 24 * 60 * 60 * 1000;
const ROWS = 500;

/** Copies posts that are about to be deleted to the recycle bin of their blog. */
export async function binPosts(db: Db, blogId: string, ids: readonly string[], now: number): Promise<void> {
  for (const some of chunks(ids, ROWS)) {
    await db`insert into recycle_bin (blog_id, kind, id, deleted_at, title, json, cover_url)
      select blog_id, 'post', id, cast(${now} as bigint), title, json, cover_url from posts
      where blog_id = ${blogId} and id in (${join(some)})
      on conflict do nothing`;
  }
}

/** Adds a deleted ad to the recycle bin of its blog. */
export const binAd = (db: Db, blogId: string, ad: SnapshotAd, now: number): Promise<void> =>
  binItem(db, blogId, { kind: 'ad', id: ad.id, deletedAt: now, title: adName(ad) }, ad);

/** Adds a deleted item to the recycle bin of its blog. */
export async function binItem(
  db: Db,
  blogId: string,
  { kind, id, deletedAt, title }: BinEntry,
  item: SnapshotAd | Campaign,
): Promise<void> {
  const row = { blog_id: blogId, kind, id, deleted_at: deletedAt, title, json: JSON.stringify(item) };
  await insert(db, 'recycle_bin', [row], sql`on conflict do nothing`);
}

/** The methods of operators for the recycle bin. */
export function createBinManagement({ database, changeAds }: Session) {
  return {
    /** The items that were deleted in the last thirty days, pruned posts included, the latest first. */
    listBin: (blogId: string, now: number, page: BinPage = {}) => listBin(database.reader, blogId, now, page),
    /** The campaigns that were deleted in the last thirty days, each as of its latest deletion. */
    listDeletedCampaigns: (blogId: string, now: number) => listDeletedCampaigns(database.reader, blogId, now),
    /** Restores deleted items, all or none, and returns them. @throws ContentClash */
    restoreFromBin: (blogId: string, selection: BinSelection, now: number): Promise<readonly BinEntry[]> =>
      changeAds(blogId, [], (db) => restoreFromBin({ db, database }, blogId, selection, now)),
  };
}

async function listBin(
  db: Db,
  blogId: string,
  now: number,
  { kinds, limit, offset = 0 }: BinPage,
): Promise<{ readonly items: readonly ListedBinEntry[]; readonly total: number }> {
  const some = kinds ? sql`and kind in (${join(kinds)})` : empty;
  const listed = sql`from recycle_bin where blog_id = ${blogId} and deleted_at >= ${now - BIN_LIFE} ${some}`;
  const count = await db<{ total: number }>`select count(*) as total ${listed}`;
  const page = limit === undefined ? empty : sql`limit ${limit} offset ${offset}`;
  const rows = await db<ListedBinEntry>`
    select kind, id, deleted_at as "deletedAt", title, count(*) over (partition by kind, deleted_at) as together
    ${listed} order by deleted_at desc, kind, id ${page}`;
  return { items: rows, total: count[0]?.total ?? 0 };
}

async function listDeletedCampaigns(db: Db, blogId: string, now: number): Promise<readonly Campaign[]> {
  const rows = await db<{ json: string }>`select json from recycle_bin
    where blog_id = ${blogId} and kind = 'campaign' and deleted_at >= ${now - BIN_LIFE}
    order by deleted_at`;
  const campaigns = rows.map(({ json }): Campaign => JSON.parse(json));
  return [...new Map(campaigns.map((campaign) => [campaign.id, campaign])).values()];
}

type BinRow = Tables['recycle_bin'];

/**
 * Restores items from the recycle bin. Existing labels are not changed, and missing ones are restored too.
 *
 * @throws ContentClash when another item has the id or the slug of one by now
 */
async function restoreFromBin(
  transaction: Transaction,
  blogId: string,
  { kind, id, deletedAt }: BinSelection,
  now: number,
): Promise<readonly BinEntry[]> {
  const { db } = transaction;
  const at = deletedAt ?? (id === undefined ? undefined : await lastDeletion(db, blogId, kind, id));
  if (at === undefined || at < now - BIN_LIFE) return [];
  const restored: BinEntry[] = [];
  for (;;) {
    const rows = await takeFromBin(db, blogId, { kind, id, deletedAt: at });
    if (rows.length === 0) return restored;
    await requireFree(db, blogId, rows);
    if (kind === 'post') await restorePosts(transaction, blogId, rows, now);
    else if (kind === 'campaign') await restoreCampaigns(transaction, blogId, rows, now);
    else await restoreAds(db, blogId, rows);
    restored.push(...rows.map((row) => ({ kind, id: row.id, deletedAt: at, title: row.title })));
  }
}

/** When an item was deleted last; `undefined` if it is not in the recycle bin. */
async function lastDeletion(db: Db, blogId: string, kind: BinKey['kind'], id: string): Promise<number | undefined> {
  const rows = await db<{ at: number | null }>`select max(deleted_at) as at from recycle_bin
    where blog_id = ${blogId} and kind = ${kind} and id = ${id}`;
  return rows[0]?.at ?? undefined;
}

/** Removes some of the selected items from the recycle bin, and returns them. */
async function takeFromBin(db: Db, blogId: string, { kind, id, deletedAt }: BinSelection): Promise<readonly BinRow[]> {
  const deletion = sql`blog_id = ${blogId} and kind = ${kind} and deleted_at = ${deletedAt}`;
  const one = id === undefined ? empty : sql`and id = ${id}`;
  const rows = await db<BinRow>`delete from recycle_bin where ${deletion}
    and id in (select id from recycle_bin where ${deletion} ${one} order by id limit ${ROWS}) returning *`;
  return rows.sort((a, b) => codeUnitOrder(a.id, b.id));
}

/** @throws ContentClash when other items have the ids of these by now */
async function requireFree(db: Db, blogId: string, items: readonly BinRow[]): Promise<void> {
  const kind = items[0]?.kind ?? 'post';
  const rows = await db<{ id: string }>`select id from ${names(`${kind}s`)}
    where blog_id = ${blogId} and id in (${join(items.map(({ id }) => id))}) order by id`;
  if (rows.length === 0) return;
  throw new ContentClash(
    rows.map(({ id }) => {
      return { code: 'ID_IN_USE', blogId, message: `another ${kind} has the id ${id} now; delete that one first` };
    }),
  );
}

async function restoreAds(db: Db, blogId: string, rows: readonly BinRow[]): Promise<void> {
  const ads = rows.map(({ json }): SnapshotAd => JSON.parse(json));
  await requireCampaigns(db, blogId, ads);
  await upsertAds(db, blogId, ads);
}

/** Restores campaigns with the ads that were deleted with them. */
async function restoreCampaigns(
  transaction: Transaction,
  blogId: string,
  rows: readonly BinRow[],
  now: number,
): Promise<void> {
  const { db } = transaction;
  const ids = new Set(rows.map(({ id }) => id));
  const campaigns = rows.map(({ json }): Campaign => JSON.parse(json));
  await upsertCampaigns(db, blogId, campaigns);
  const deletedAt = rows[0]?.deleted_at;
  const deleted = await db<Pick<BinRow, 'json'>>`select json from recycle_bin
    where blog_id = ${blogId} and kind = 'ad' and deleted_at = ${deletedAt}`;
  const ads = deleted.map(({ json }): SnapshotAd => JSON.parse(json));
  for (const { id, campaignId } of ads) {
    if (campaignId !== undefined && ids.has(campaignId)) {
      await restoreFromBin(transaction, blogId, { kind: 'ad', id, deletedAt }, now);
    }
  }
}

async function restorePosts(
  transaction: Transaction,
  blogId: string,
  rows: readonly BinRow[],
  now: number,
): Promise<void> {
  const { db } = transaction;
  const stored = rows.map(({ json, cover_url }) => ({ post: JSON.parse(json) as Post, cover_url }));
  const posts = stored.map(({ post, cover_url }) => snapshotOf(post, cover_url));
  const stamp = new Date(now).toISOString();
  for (const kind of ['category', 'tag'] as const) {
    const { byId } = await readLabels(db, blogId, kind);
    const used = stored.flatMap(({ post }) => (kind === 'tag' ? post.tags : post.categories));
    const missing = new Map(used.filter(({ id }) => !byId.has(id)).map((label) => [label.id, label]));
    await writeLabels(db, { blogId, kind, stamp }, [...missing.values()]);
  }
  await writePosts(transaction, blogId, stamp, posts);
  await requireOwnSlugs(transaction, blogId, posts);
}
