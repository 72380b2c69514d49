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
import { readCampaigns, upsertCampaigns } from './campaigns.ts';
import { type Clash, ContentClash } from './clashes.ts';

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

/** A deleted item that could not be restored with the others of its deletion. */
export interface LeftEntry extends BinEntry {
  /** Why it stays in the recycle bin, and what to do. */
  readonly reason: string;
}

/** The result of restoring a deletion. */
export interface Restored {
  readonly restored: readonly BinEntry[];
  /** Empty if one item was selected, because that is restored or refused. */
  readonly left: readonly LeftEntry[];
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

const NONE: Restored = { restored: [], left: [] };

/** The methods of operators for the recycle bin. */
export function createBinManagement({ database, changeAds }: Session) {
  return {
    /** The items that were deleted in the last thirty days, pruned posts included, the latest first. */
    listBin: (blogId: string, now: number, page: BinPage = {}) => listBin(database.reader, blogId, now, page),
    /** The campaigns that were deleted in the last thirty days, each as of its latest deletion. */
    listDeletedCampaigns: (blogId: string, now: number) => listDeletedCampaigns(database.reader, blogId, now),
    /**
     * Restores a deleted item, or as many items of a deletion as possible.
     *
     * @throws ContentClash when the selected item cannot be restored
     */
    restoreFromBin: (blogId: string, selection: BinSelection, now: number): Promise<Restored> =>
      changeAds(blogId, NONE, (db) => restoreFromBin({ db, database }, blogId, selection, now)),
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
 * @throws ContentClash when one item is selected, and another item has its id or its slug by now
 */
async function restoreFromBin(
  transaction: Transaction,
  blogId: string,
  { kind, id, deletedAt }: BinSelection,
  now: number,
): Promise<Restored> {
  const { db } = transaction;
  const at = deletedAt ?? (id === undefined ? undefined : await lastDeletion(db, blogId, kind, id));
  const restored: BinEntry[] = [];
  const left: LeftEntry[] = [];
  if (at === undefined || at < now - BIN_LIFE) return { restored, left };
  const entryOf = (row: BinRow): BinEntry => ({ kind, id: row.id, deletedAt: at, title: row.title });
  for (let after: string | undefined; ; ) {
    const rows = await readFromBin(db, blogId, { kind, id, deletedAt: at }, after);
    if (rows.length === 0) return { restored, left };
    after = rows.at(-1)?.id;
    const obstacles = await obstaclesTo(db, blogId, kind, rows);
    const [clash] = obstacles.values();
    if (clash && id !== undefined) throw new ContentClash([clash]);
    const free = rows.filter((row) => !obstacles.has(row.id)).sort((a, b) => codeUnitOrder(a.id, b.id));
    for (const row of rows) {
      const obstacle = obstacles.get(row.id);
      if (obstacle) left.push({ ...entryOf(row), reason: obstacle.message });
    }
    if (free.length === 0) continue;
    await takeFromBin(db, blogId, { kind, deletedAt: at }, free);
    if (kind === 'post') await restorePosts(transaction, blogId, free, now);
    else if (kind === 'campaign') left.push(...(await restoreCampaigns(transaction, blogId, free, { id, now })));
    else await restoreAds(db, blogId, free);
    restored.push(...free.map(entryOf));
  }
}

/** When an item was deleted last; `undefined` if it is not in the recycle bin. */
async function lastDeletion(db: Db, blogId: string, kind: BinKey['kind'], id: string): Promise<number | undefined> {
  const rows = await db<{ at: number | null }>`select max(deleted_at) as at from recycle_bin
    where blog_id = ${blogId} and kind = ${kind} and id = ${id}`;
  return rows[0]?.at ?? undefined;
}

/** Some of the selected items, in the order of their ids. @param after the last id of those that were read before */
async function readFromBin(
  db: Db,
  blogId: string,
  { kind, id, deletedAt }: BinSelection,
  after: string | undefined,
): Promise<BinRow[]> {
  const one = id === undefined ? empty : sql`and id = ${id}`;
  const rest = after === undefined ? empty : sql`and id > ${after}`;
  return db<BinRow>`select * from recycle_bin
    where blog_id = ${blogId} and kind = ${kind} and deleted_at = ${deletedAt} ${one} ${rest} order by id limit ${ROWS}`;
}

/** Removes items from the recycle bin. */
async function takeFromBin(
  db: Db,
  blogId: string,
  { kind, deletedAt }: BinSelection,
  rows: readonly BinRow[],
): Promise<void> {
  await db`delete from recycle_bin where blog_id = ${blogId} and kind = ${kind} and deleted_at = ${deletedAt}
    and id in (${join(rows.map(({ id }) => id))})`;
}

/** Why some of these items cannot be restored, by their ids. */
async function obstaclesTo(
  db: Db,
  blogId: string,
  kind: BinKey['kind'],
  items: readonly BinRow[],
): Promise<ReadonlyMap<string, Clash>> {
  const ids = items.map(({ id }) => id);
  const rows = await db<{ id: string }>`select id from ${names(`${kind}s`)}
    where blog_id = ${blogId} and id in (${join(ids)}) order by id`;
  const idClash = (id: string): Clash => {
    return { code: 'ID_IN_USE', blogId, message: `another ${kind} has the id ${id} now; delete that one first` };
  };
  const obstacles = new Map(rows.map(({ id }) => [id, idClash(id)]));
  const others = kind === 'post' ? await slugClashes(db, blogId, items) : [];
  if (kind === 'ad') others.push(...(await campaignClashes(db, blogId, items)));
  for (const [id, clash] of others) if (!obstacles.has(id)) obstacles.set(id, clash);
  return obstacles;
}

/** The posts whose slugs other posts have by now. */
async function slugClashes(db: Db, blogId: string, items: readonly BinRow[]): Promise<[string, Clash][]> {
  const posts = items.map(({ json }): Post => JSON.parse(json));
  const rows = await db<Pick<Tables['posts'], 'id' | 'slug' | 'title'>>`select id, slug, title from posts
    where blog_id = ${blogId} and slug in (${join(posts.map(({ slug }) => slug))})`;
  const owners = new Map(rows.map((row) => [row.slug, row]));
  return posts.flatMap(({ id, slug, title }): [string, Clash][] => {
    const owner = owners.get(slug);
    if (owner === undefined || owner.id === id) {
      owners.set(slug, { id, slug, title });
      return [];
    }
    const post = `the post ${owner.id} (${JSON.stringify(owner.title)})`;
    const message = `${post} has its slug "${slug}" now; delete that one or give it another slug first`;
    return [[id, { code: 'SLUG_IN_USE', blogId, post: { id, title }, message }]];
  });
}

/** The ads whose campaigns do not exist any more. */
async function campaignClashes(db: Db, blogId: string, items: readonly BinRow[]): Promise<[string, Clash][]> {
  const campaigns = new Set((await readCampaigns(db, blogId)).map(({ id }) => id));
  return items.flatMap((item): [string, Clash][] => {
    const { campaignId }: SnapshotAd = JSON.parse(item.json);
    if (campaignId === undefined || campaigns.has(campaignId)) return [];
    const message = `its campaign ${campaignId} does not exist any more; restore that one first`;
    return [[item.id, { code: 'NO_CAMPAIGN', blogId, message }]];
  });
}

async function restoreAds(db: Db, blogId: string, rows: readonly BinRow[]): Promise<void> {
  const ads = rows.map(({ json }): SnapshotAd => JSON.parse(json));
  await upsertAds(db, blogId, ads);
}

/** Restores campaigns with the ads that were deleted with them, and returns the ads that stay. */
async function restoreCampaigns(
  transaction: Transaction,
  blogId: string,
  rows: readonly BinRow[],
  { id: selected, now }: { readonly id: string | undefined; readonly now: number },
): Promise<LeftEntry[]> {
  const { db } = transaction;
  const ids = new Set(rows.map(({ id }) => id));
  const campaigns = rows.map(({ json }): Campaign => JSON.parse(json));
  await upsertCampaigns(db, blogId, campaigns);
  const deletedAt = rows[0]?.deleted_at;
  const deleted = await db<BinRow>`select * from recycle_bin
    where blog_id = ${blogId} and kind = 'ad' and deleted_at = ${deletedAt} order by id`;
  const left: LeftEntry[] = [];
  for (const row of deleted) {
    const { campaignId }: SnapshotAd = JSON.parse(row.json);
    if (campaignId === undefined || !ids.has(campaignId)) continue;
    const obstacle = (await obstaclesTo(db, blogId, 'ad', [row])).get(row.id);
    if (obstacle === undefined || selected !== undefined) {
      await restoreFromBin(transaction, blogId, { kind: 'ad', id: row.id, deletedAt }, now);
    } else {
      left.push({ kind: 'ad', id: row.id, deletedAt: row.deleted_at, title: row.title, reason: obstacle.message });
    }
  }
  return left;
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
}
