import { publishedOnTime } from '@broadsheet/core';
import { sql } from 'kysely';
import { lockBlog, touchBlog } from '../blogs/blogs.ts';
import type { Transaction } from '../database.ts';
import { snapshotOf } from './encoded-post.ts';
import { openPostWrite } from './post-writes.ts';

/** Publishes the scheduled posts that are due by the rules of `Store.publishDuePosts`, inside a transaction. */
export async function publishDuePosts(transaction: Transaction, blogId: string, now: number): Promise<void> {
  const { db } = transaction;
  // The lock comes before the look: of several processes that find the same posts due, the others find none left.
  await lockBlog(db, blogId);
  const due = await db
    .selectFrom('posts')
    .select(['json', 'cover_url'])
    .where('blog_id', '=', blogId)
    .where('status', '=', sql.lit('SCHEDULED'))
    .where('scheduled_at', '<=', new Date(now).toISOString())
    .execute();
  if (due.length === 0) return;
  await touchBlog(db, blogId);
  const write = await openPostWrite(transaction, blogId, new Date(now).toISOString());
  await write.put(due.map(({ json, cover_url }) => publishedOnTime(snapshotOf(JSON.parse(json), cover_url))));
  await write.finish();
}
