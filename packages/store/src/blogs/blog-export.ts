import type { SnapshotBlog } from '@broadsheet/contract';
import { inLabelOrder, selectLabels } from '../posts/labels.ts';
import { readPostsInOrder } from '../posts/post-lists.ts';
import { snapshotOf } from '../posts/post-writes.ts';
import type { Db } from '../sql.ts';
import type { LabelKind } from '../tables.ts';
import { readAds } from './ads.ts';
import { readHead } from './blogs.ts';
import { readCampaigns } from './campaigns.ts';

/** The whole blog without its keys, in an order that does not depend on how it was written. */
export async function readBlog(db: Db, blogId: string): Promise<SnapshotBlog | undefined> {
  const parts: SnapshotBlog[] = [];
  await readBlogInParts(db, blogId, (part) => parts.push(part));
  const [blog] = parts;
  return blog && { ...blog, posts: parts.flatMap(({ posts }) => posts) };
}

/** The number of posts that are read at a time. */
const POSTS = 200;

/** The same for a blog of any size: passes the blog without posts first, then repeatedly with some of its posts. */
export async function readBlogInParts(db: Db, blogId: string, take: (part: SnapshotBlog) => unknown): Promise<void> {
  const head = await readHead(db, blogId);
  if (!head) return;
  const blog: SnapshotBlog = {
    ...head,
    domains: [...head.domains],
    apiKeys: [],
    categories: await readLabels(db, blogId, 'category'),
    tags: (await readLabels(db, blogId, 'tag')).map(({ description: _, ...tag }) => tag),
    posts: [],
    campaigns: await readCampaigns(db, blogId),
    ads: await readAds(db, blogId),
  };
  await take(blog);
  for await (const rows of readPostsInOrder(db, blogId, 'desc', POSTS)) {
    await take({ ...blog, posts: rows.map(({ json, cover_url }) => snapshotOf(JSON.parse(json), cover_url)) });
  }
}

async function readLabels(db: Db, blogId: string, kind: LabelKind) {
  const rows = await selectLabels(db, blogId, kind);
  return rows.sort(inLabelOrder).map(({ id, name, description, created_at: createdAt, updated_at: updatedAt }) => {
    return { id, name, description, createdAt, updatedAt };
  });
}
