import type { SnapshotPost } from '@broadsheet/contract';
import { fold, type Range } from '@broadsheet/core';
import { type Expression, type Kysely, type SqlBool, sql } from 'kysely';
import { touchBlog } from '../blogs/blogs.ts';
import type { Transaction } from '../database.ts';
import type { PostFilter, PostRecord, Publication } from '../server-store.ts';
import type { Tables } from '../tables.ts';
import { snapshotOf } from './encoded-post.ts';
import { openPostWrite } from './post-writes.ts';

/** Posts of every status, and how many there are. */
export async function listAllPosts(
  db: Kysely<Tables>,
  blogId: string,
  { status, search, order }: PostFilter,
  { offset, limit }: Range,
): Promise<{ items: PostRecord[]; total: number }> {
  let matching = db.selectFrom('posts').where('blog_id', '=', blogId);
  if (status !== undefined) matching = matching.where('status', '=', status);
  const wanted = search?.trim();
  if (wanted) {
    matching = matching.where(({ or, eb }) =>
      or([contains('fold_title', fold(wanted)), contains('slug', wanted.toLowerCase()), eb('id', '=', wanted)]),
    );
  }
  const rows = await matching
    .select(['id', 'title', 'slug', 'status', 'published_at', 'scheduled_at', 'updated_at'])
    .$if(order === 'title' || order === '-title', (query) =>
      query.orderBy('fold_title', order === 'title' ? 'asc' : 'desc'),
    )
    .orderBy('sort_key', order === 'oldest' ? 'asc' : 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  const { total } = await matching.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return {
    items: rows.map(({ published_at, scheduled_at, updated_at, ...row }) => ({
      ...row,
      publishedAt: published_at,
      scheduledAt: scheduled_at,
      updatedAt: updated_at,
    })),
    total,
  };
}

const contains = (column: 'fold_title' | 'slug', part: string): Expression<SqlBool> =>
  sql<SqlBool>`lower(${sql.ref(column)}) like ${`%${part.replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`;

/** A post of any status. */
export async function readAnyPost(
  db: Kysely<Tables>,
  blogId: string,
  postId: string,
): Promise<SnapshotPost | undefined> {
  const row = await db
    .selectFrom('posts')
    .select(['json', 'cover_url'])
    .where('blog_id', '=', blogId)
    .where('id', '=', postId)
    .executeTakeFirst();
  return row && snapshotOf(JSON.parse(row.json), row.cover_url);
}

/** A post that is published, at once or when its time comes. */
export function published(post: SnapshotPost, { now, at }: Publication): SnapshotPost {
  const updatedAt = new Date(now).toISOString();
  if (at !== undefined && at > now) {
    return { ...post, status: 'SCHEDULED', publishedAt: null, scheduledAt: new Date(at).toISOString(), updatedAt };
  }
  const before = post.publishedAt === null ? Number.POSITIVE_INFINITY : Date.parse(post.publishedAt);
  const publishedAt = at ?? (before <= now ? before : now);
  return {
    ...post,
    status: 'PUBLISHED',
    publishedAt: new Date(publishedAt).toISOString(),
    scheduledAt: null,
    updatedAt,
  };
}

/** A post that is a draft again. */
export const unpublished = (post: SnapshotPost, now: number): SnapshotPost => ({
  ...post,
  status: 'DRAFT',
  scheduledAt: null,
  updatedAt: new Date(now).toISOString(),
});

/** A post as it is listed. */
export const toPostRecord = ({
  id,
  title,
  slug,
  status,
  publishedAt,
  scheduledAt,
  updatedAt,
}: SnapshotPost): PostRecord => ({
  id,
  title,
  slug,
  status,
  publishedAt,
  scheduledAt,
  updatedAt: updatedAt ?? '',
});

/** Changes one post, or removes it where `edit` gives nothing, inside a transaction. */
export async function editPost(
  transaction: Transaction,
  blogId: string,
  postId: string,
  edit: (post: SnapshotPost) => SnapshotPost | undefined,
): Promise<{ readonly before: SnapshotPost; readonly after: SnapshotPost | undefined } | undefined> {
  const { db } = transaction;
  if (!(await touchBlog(db, blogId))) return undefined;
  const before = await readAnyPost(db, blogId, postId);
  if (!before) return undefined;
  const after = edit(before);
  const write = await openPostWrite(transaction, blogId, before.updatedAt ?? '');
  if (after) await write.put([after]);
  else await write.remove([postId]);
  await write.finish();
  return { before, after };
}
