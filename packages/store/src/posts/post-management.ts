import type { PostStatus, SnapshotPost } from '@broadsheet/contract';
import { publishedOnTime, type Range } from '@broadsheet/core';
import sql, { empty } from 'sql-template-tag';
import { lockBlog, touchBlog } from '../blogs/blogs.ts';
import { binPosts } from '../blogs/recycle-bin.ts';
import type { Transaction } from '../database.ts';
import type { Session } from '../session.ts';
import { contains, type Db } from '../sql.ts';
import type { Tables } from '../tables.ts';
import { readAnyPost, removePosts, snapshotOf, writePosts } from './post-writes.ts';

/** A post of any status, as the operator sees it in a list. */
export interface PostRecord
  extends Pick<SnapshotPost, 'id' | 'title' | 'slug' | 'status' | 'publishedAt' | 'scheduledAt'> {
  readonly updatedAt: string;
}

/** The filter of a list of posts; all posts by default. */
export interface PostFilter {
  readonly status?: PostStatus | undefined;
  /** Part of a title or a slug, in any case and without its accents, or a whole id. */
  readonly search?: string | undefined;
  /** By default the order of posts, which is newest first; `-title` is from Z to A. */
  readonly order?: 'newest' | 'oldest' | 'title' | '-title' | undefined;
}

/** When a post is published, and the date that it gets. */
export interface Publication {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** When the post is published; a time after `now` schedules it. By default, a past date of the post, or `now`. */
  readonly at?: number | undefined;
}

const LISTED = sql`id, title, slug, status,
  published_at as "publishedAt", scheduled_at as "scheduledAt", updated_at as "updatedAt"`;

/** The methods of operators for posts. */
export function createPostManagement({ database, changeContent }: Session) {
  const { reader } = database;
  /** Changes one post; `undefined` when it does not exist. */
  const edit = (blogId: string, postId: string, how: (post: SnapshotPost) => SnapshotPost) =>
    changeContent(blogId, undefined, async (db): Promise<PostRecord | undefined> => {
      const before = await readAnyPost(db, blogId, postId);
      if (!before) return undefined;
      await writePosts({ db, database }, blogId, before.updatedAt ?? '', [how(before)]);
      return (await db<PostRecord>`select ${LISTED} from posts where blog_id = ${blogId} and id = ${postId}`)[0];
    });
  return {
    /** Posts of every status in the order of posts, and how many match in total. */
    listAllPosts: (blogId: string, filter: PostFilter, range: Range) => listAllPosts(reader, blogId, filter, range),
    /** A post of any status; `undefined` when it does not exist, as with the methods below. */
    getAnyPost: (blogId: string, postId: string): Promise<SnapshotPost | undefined> =>
      readAnyPost(reader, blogId, postId),
    /** Publishes a post or, for a time in the future, schedules it. */
    publishPost: (blogId: string, postId: string, publication: Publication): Promise<PostRecord | undefined> =>
      edit(blogId, postId, (post) => published(post, publication)),
    /** Makes a post a draft; its publication date stays. */
    unpublishPost: (blogId: string, postId: string, now: number): Promise<PostRecord | undefined> =>
      edit(blogId, postId, (post) => {
        return { ...post, status: 'DRAFT', scheduledAt: null, updatedAt: new Date(now).toISOString() };
      }),
    /** Moves a post to the recycle bin; `false` when it does not exist. */
    deletePost: (blogId: string, postId: string, now: number): Promise<boolean> =>
      changeContent(blogId, false, async (db) => {
        if (!(await readAnyPost(db, blogId, postId))) return false;
        await binPosts(db, blogId, [postId], now);
        await removePosts({ db, database }, blogId, [postId]);
        return true;
      }),
  };
}

async function listAllPosts(
  db: Db,
  blogId: string,
  { status, search, order = 'newest' }: PostFilter,
  { offset, limit }: Range,
): Promise<{ readonly items: readonly PostRecord[]; readonly total: number }> {
  const ofStatus = status === undefined ? empty : sql`and status = ${status}`;
  const wanted = search?.trim();
  const found = wanted
    ? sql`and (${contains(sql`fold_title`, wanted)} or ${contains(sql`coalesce(fold_slug, slug)`, wanted)} or id = ${wanted})`
    : empty;
  const matching = sql`from posts where blog_id = ${blogId} ${ofStatus} ${found}`;
  const items =
    await db<PostRecord>`select ${LISTED} ${matching} order by ${ORDERS[order]} limit ${limit} offset ${offset}`;
  const count = await db<{ total: number }>`select count(*) as total ${matching}`;
  return { items, total: count[0]?.total ?? 0 };
}

const ORDERS = {
  newest: sql`sort_key desc`,
  oldest: sql`sort_key`,
  title: sql`fold_title, sort_key desc`,
  '-title': sql`fold_title desc, sort_key desc`,
};

/** A post as it is once published or scheduled. */
function published(post: SnapshotPost, { now, at }: Publication): SnapshotPost {
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

/** The blogs with webhooks and with scheduled posts that are due. They may receive no request that publishes the posts. */
export async function readBlogsWithDuePosts(db: Db, now: number): Promise<readonly string[]> {
  const rows = await db<{ blog_id: string }>`select distinct blog_id from webhooks where exists (
    select 1 from posts where posts.blog_id = webhooks.blog_id and status = 'SCHEDULED'
      and scheduled_at <= ${new Date(now).toISOString()})`;
  return rows.map(({ blog_id }) => blog_id);
}

/** Publishes the scheduled posts that are due by the rules of `Store.publishDuePosts`, inside a transaction. */
export async function publishDuePosts(transaction: Transaction, blogId: string, now: number): Promise<void> {
  const { db } = transaction;
  // Lock before reading: if several processes find the same posts due, only the first publishes them.
  await lockBlog(db, blogId);
  const due = await db<Pick<Tables['posts'], 'json' | 'cover_url'>>`
    select json, cover_url from posts where blog_id = ${blogId} and status = 'SCHEDULED'
      and scheduled_at <= ${new Date(now).toISOString()}`;
  if (due.length === 0) return;
  await touchBlog(db, blogId);
  const posts = due.map(({ json, cover_url }) => publishedOnTime(snapshotOf(JSON.parse(json), cover_url)));
  await writePosts(transaction, blogId, new Date(now).toISOString(), posts);
}
