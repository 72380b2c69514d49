import { randomUUID } from 'node:crypto';
import { accept, SnapshotBlog, type SnapshotBlogInput, type SnapshotPost } from '@broadsheet/contract';
import { type Awaitable, checkPosts } from '@broadsheet/core';
import { type Kysely, sql } from 'kysely';
import { codeUnitOrder } from '../code-unit-order.ts';
import type { Database } from '../database.ts';
import { countAgain, embedAgain, writeLabels } from '../posts/label-writes.ts';
import { findSlugClashes, type Touched, writePosts } from '../posts/post-writes.ts';
import { sortKey } from '../posts/sort-key.ts';
import { type Clash, ContentClash } from '../server-store.ts';
import type { Tables } from '../tables.ts';
import { upsertAds } from './ad-rows.ts';
import { keyHash } from './api-key.ts';

const AD_ROWS = 500;

/** Writes a blog by the rules of `Store.putBlog`, inside a transaction. @throws ContentClash, or Error when it contradicts itself */
export async function writeBlog(
  database: Database,
  db: Kysely<Tables>,
  input: SnapshotBlogInput,
  now: number,
  onPosts: (written: number) => Awaitable<void> = () => {},
): Promise<SnapshotBlog> {
  const read = accept(SnapshotBlog, input);
  if (!read.ok) throw new Error(`blog ${input.id}: ${read.fields.map(({ message }) => message).join('; ')}`);
  const blog = read.value;
  const stamp = new Date(now).toISOString();
  // This locks the row of the blog: whoever else writes it waits for the end of the transaction.
  await writeHead(db, blog);
  await writeKeys(db, blog.id, blog.apiKeys, stamp);
  const categories = await writeLabels(db, blog.id, 'category', blog.categories, stamp);
  const tags = await writeLabels(db, blog.id, 'tag', blog.tags, stamp);
  const context = { blogId: blog.id, categories, tags, stamp };

  const posts = inOrder(blog.posts);
  checkPosts(posts, categories.byId, tags.byId);
  const search = await database.search.write(db, blog.id);
  const touched: Touched = { category: new Set(), tag: new Set() };
  for (const chunk of chunks(posts, database.rowsPerInsert)) {
    await writePosts(search, db, chunk, context, touched);
    await onPosts(chunk.length);
  }
  await search.finish();
  const written = new Set(posts.map(({ id }) => id));
  const clashes: Clash[] = [];
  for (const chunk of chunks(posts, database.rowsPerInsert)) {
    clashes.push(...(await findSlugClashes(db, blog.id, chunk, written)));
  }
  if (clashes.length > 0) throw new ContentClash(clashes);
  for (const labels of [categories, tags]) {
    await embedAgain(db, blog.id, labels);
    await countAgain(db, blog.id, labels.kind, touched[labels.kind]);
  }
  for (const ads of chunks(byId(blog.ads), AD_ROWS)) await upsertAds(db, blog.id, ads);
  return blog;
}

/** A word that no revision was before. */
export const newRevision = (): string => randomUUID();

async function writeHead(db: Kysely<Tables>, { id, name, domains }: SnapshotBlog): Promise<void> {
  const head = { name, domains: JSON.stringify(domains), revision: newRevision() };
  await db
    .insertInto('blogs')
    .values({ blog_id: id, ...head, number: sql`(select coalesce(max(number), 0) + 1 from blogs)` })
    .onConflict((conflict) => conflict.column('blog_id').doUpdateSet(head))
    .execute();
}

/** Adds keys; one that was revoked stays revoked, or an old file would open the blog again. */
async function writeKeys(db: Kysely<Tables>, blogId: string, apiKeys: readonly string[], stamp: string): Promise<void> {
  for (const hash of new Set(apiKeys.map(keyHash))) {
    const owner = await db.selectFrom('api_keys').select('blog_id').where('key_hash', '=', hash).executeTakeFirst();
    if (owner && owner.blog_id !== blogId) {
      const message = `one of its API keys opens the blog ${owner.blog_id} already; leave it out, and a new one is made`;
      throw new ContentClash([{ blogId, message }]);
    }
    if (owner) continue;
    await db
      .insertInto('api_keys')
      .values({ key_hash: hash, blog_id: blogId, created_at: stamp, revoked_at: null })
      .execute();
  }
}

/** The last of each id, as every store takes repeats. */
const byId = <T extends { readonly id: string }>(items: readonly T[]): T[] => [
  ...new Map(items.map((item) => [item.id, item])).values(),
];

/** In the order of posts, oldest first, which is how indexes grow best. */
function inOrder(posts: readonly SnapshotPost[]): SnapshotPost[] {
  return byId(posts)
    .map((post) => ({ post, key: sortKey(post.publishedAt, post.id) }))
    .sort((a, b) => codeUnitOrder(a.key, b.key))
    .map(({ post }) => post);
}

function* chunks<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
