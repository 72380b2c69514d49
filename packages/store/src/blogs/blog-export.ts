import type { SnapshotBlog } from '@broadsheet/contract';
import type { Kysely } from 'kysely';
import { snapshotOf } from '../posts/encoded-post.ts';
import { inLabelOrder, selectLabels } from '../posts/labels.ts';
import type { LabelKind, Tables } from '../tables.ts';
import { readAds } from './blog-rows.ts';

/** The whole blog without its keys, in an order that does not depend on how it was written. */
export async function readBlog(db: Kysely<Tables>, blogId: string): Promise<SnapshotBlog | undefined> {
  const head = await db.selectFrom('blogs').selectAll().where('blog_id', '=', blogId).executeTakeFirst();
  if (!head) return undefined;
  const labels = async (kind: LabelKind) => (await selectLabels(db, blogId, kind).execute()).sort(inLabelOrder);
  const posts = await db
    .selectFrom('posts')
    .select(['shown', 'cover_url'])
    .where('blog_id', '=', blogId)
    .orderBy('sort_key', 'desc')
    .execute();
  return {
    id: head.blog_id,
    name: head.name,
    domains: JSON.parse(head.domains),
    apiKeys: [],
    categories: (await labels('category')).map(({ id, name, description, created_at, updated_at }) => ({
      id,
      name,
      description,
      createdAt: created_at,
      updatedAt: updated_at,
    })),
    tags: (await labels('tag')).map(({ id, name, created_at, updated_at }) => ({
      id,
      name,
      createdAt: created_at,
      updatedAt: updated_at,
    })),
    posts: posts.map(({ shown, cover_url }) => snapshotOf(JSON.parse(shown), cover_url)),
    ads: await readAds(db, blogId),
  };
}
