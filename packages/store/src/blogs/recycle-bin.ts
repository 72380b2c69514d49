import type { Post, SnapshotAd } from '@broadsheet/contract';
import { type Kysely, sql } from 'kysely';
import { chunks } from '../chunks.ts';
import type { Transaction } from '../database.ts';
import { snapshotOf } from '../posts/encoded-post.ts';
import { readLabels, writeLabels } from '../posts/label-writes.ts';
import { openPostWrite } from '../posts/post-writes.ts';
import type { Tables } from '../tables.ts';
import { adName, upsertAds } from './ads.ts';
import { touchBlog } from './blogs.ts';
import { ContentClash, requireOwnSlugs } from './clashes.ts';

/** Names something in the recycle bin of a blog. */
export interface BinKey {
  readonly kind: 'post' | 'ad';
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly deletedAt: number;
}

/** Something in the recycle bin as the operator sees it. */
export interface BinEntry extends BinKey {
  readonly title: string;
}

/** Milliseconds for which something that was deleted stays in the recycle bin. */
export const BIN_LIFE = 30 * 24 * 60 * 60 * 1000;
const ROWS = 500;

/** Puts posts that are about to be deleted into the recycle bin of their blog. */
export async function binPosts(db: Kysely<Tables>, blogId: string, ids: readonly string[], now: number): Promise<void> {
  for (const some of chunks(ids, ROWS)) {
    await db
      .insertInto('recycle_bin')
      .columns(['blog_id', 'kind', 'id', 'deleted_at', 'title', 'json', 'cover_url'])
      .expression((from) =>
        from
          .selectFrom('posts')
          .select(['blog_id', sql.lit('post').as('kind'), 'id', sql<number>`cast(${now} as bigint)`.as('deleted_at')])
          .select(['title', 'json', 'cover_url'])
          .where('blog_id', '=', blogId)
          .where('id', 'in', some),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** Puts an ad that was deleted into the recycle bin of its blog. */
export async function binAd(db: Kysely<Tables>, blogId: string, ad: SnapshotAd, now: number): Promise<void> {
  await db
    .insertInto('recycle_bin')
    .values({
      blog_id: blogId,
      kind: 'ad',
      id: ad.id,
      deleted_at: now,
      title: adName(ad),
      json: JSON.stringify(ad),
      cover_url: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** What was deleted of a blog in the last thirty days, the latest first. */
export async function readBin(db: Kysely<Tables>, blogId: string, now: number): Promise<BinEntry[]> {
  const rows = await db
    .selectFrom('recycle_bin')
    .select(['kind', 'id', 'deleted_at', 'title'])
    .where('blog_id', '=', blogId)
    .where('deleted_at', '>=', now - BIN_LIFE)
    .orderBy('deleted_at', 'desc')
    .orderBy('id')
    .limit(1000)
    .execute();
  return rows.map(({ deleted_at: deletedAt, ...row }) => ({ ...row, deletedAt }));
}

/**
 * Takes something out of the recycle bin and writes it again; `undefined` when it is not there. Labels that are stored
 * stay as they are, and those that are missing are written, too.
 *
 * @throws ContentClash when something else has its id or its slug by now
 */
export async function restoreFromBin(
  transaction: Transaction,
  blogId: string,
  { kind, id, deletedAt }: BinKey,
  now: number,
): Promise<BinEntry | undefined> {
  const { db } = transaction;
  if (!(await touchBlog(db, blogId))) return undefined;
  const [row] = await db
    .deleteFrom('recycle_bin')
    .where('blog_id', '=', blogId)
    .where('kind', '=', kind)
    .where('id', '=', id)
    .where('deleted_at', '=', deletedAt)
    .returningAll()
    .execute();
  if (!row) return undefined;
  const taken = await db
    .selectFrom(kind === 'post' ? 'posts' : 'ads')
    .select('id')
    .where('blog_id', '=', blogId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (taken) {
    const message = `there is another ${kind} with the id ${id} by now; delete that first`;
    throw new ContentClash([{ code: 'ID_IN_USE', blogId, message }]);
  }
  if (kind === 'ad') await upsertAds(db, blogId, [JSON.parse(row.json)]);
  else await restorePost(transaction, blogId, row, now);
  return { kind, id, deletedAt, title: row.title };
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
  for (const [kind, labels] of [
    ['category', stored.categories],
    ['tag', stored.tags],
  ] as const) {
    const { byId } = await readLabels(db, blogId, kind);
    const missing = labels.filter((label) => !byId.has(label.id));
    await writeLabels(db, { blogId, kind, stamp }, missing);
  }
  const write = await openPostWrite(transaction, blogId, stamp);
  await write.put([post]);
  await write.finish();
  await requireOwnSlugs(transaction, blogId, [post]);
}
