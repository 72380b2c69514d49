import type { SnapshotAd } from '@broadsheet/contract';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { codeUnitOrder } from '../code-unit-order.ts';
import { BlogExists, type BlogRecord } from '../server-store.ts';
import type { Tables } from '../tables.ts';
import { toAd, upsertAds } from './ad-rows.ts';
import { newRevision } from './blog-writes.ts';

/** Every blog, by id. */
export async function readBlogs(db: Kysely<Tables>): Promise<BlogRecord[]> {
  const rows = await db
    .selectFrom('blogs')
    .select(['blog_id', 'name', 'domains'])
    .select(sql<number>`(select count(*) from posts where posts.blog_id = blogs.blog_id)`.as('posts'))
    .select(sql<number>`(select count(*) from ads where ads.blog_id = blogs.blog_id)`.as('ads'))
    .execute();
  return rows
    .map(({ blog_id: id, name, domains, posts, ads }) => ({ id, name, domains: JSON.parse(domains), posts, ads }))
    .sort((a, b) => codeUnitOrder(a.id, b.id));
}

/** Adds an empty blog. @throws BlogExists */
export async function createBlog(
  db: Kysely<Tables>,
  { id, name, domains }: { id: string; name: string; domains: readonly string[] },
): Promise<void> {
  const added = await db
    .insertInto('blogs')
    .values({
      blog_id: id,
      name,
      domains: JSON.stringify(domains),
      revision: newRevision(),
      number: sql`(select coalesce(max(number), 0) + 1 from blogs)`,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('blog_id')
    .execute();
  if (added.length === 0) throw new BlogExists(`There is a blog ${id} already: choose another id.`);
}

/** Gives a blog a new revision, and new domains if they are given; `false` when there is no such blog. */
export async function touchBlog(db: Kysely<Tables>, blogId: string, domains?: readonly string[]): Promise<boolean> {
  const touched = await db
    .updateTable('blogs')
    .set({ revision: newRevision(), ...(domains && { domains: JSON.stringify(domains) }) })
    .where('blog_id', '=', blogId)
    .returning('blog_id')
    .execute();
  return touched.length > 0;
}

/** Every ad of a blog, paused ones included, highest priority first. */
export async function readAds(db: Kysely<Tables>, blogId: string): Promise<SnapshotAd[]> {
  const rows = await db
    .selectFrom('ads')
    .selectAll()
    .where('blog_id', '=', blogId)
    .orderBy('priority', 'desc')
    .orderBy('id')
    .execute();
  return rows.map(toAd);
}

/** Adds or replaces an ad; `false` when there is no such blog. */
export async function writeAd(db: Kysely<Tables>, blogId: string, ad: SnapshotAd): Promise<boolean> {
  if (!(await touchBlog(db, blogId))) return false;
  await upsertAds(db, blogId, [ad]);
  return true;
}

/** Pauses or resumes an ad; `false` when there is no such ad. */
export async function writeAdActive(
  db: Kysely<Tables>,
  blogId: string,
  adId: string,
  active: boolean,
): Promise<boolean> {
  // The blog first, as in every write: two of them never wait for each other.
  if (!(await touchBlog(db, blogId))) return false;
  const changed = await db
    .updateTable('ads')
    .set({ active: Number(active) })
    .where('blog_id', '=', blogId)
    .where('id', '=', adId)
    .returning('id')
    .execute();
  return changed.length > 0;
}
