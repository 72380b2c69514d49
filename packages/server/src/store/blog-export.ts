import type { SnapshotBlog, SnapshotPost } from '@broadsheet/contract';
import type { Kysely, Selectable } from 'kysely';
import { inLabelOrder } from './labels.ts';
import { readAds } from './operator.ts';
import type { LabelKind, Tables } from './tables.ts';

/** The whole blog without its keys, in an order that does not depend on how it was written. */
export async function readBlog(db: Kysely<Tables>, blogId: string): Promise<SnapshotBlog | undefined> {
  const head = await db.selectFrom('blogs').selectAll().where('blog_id', '=', blogId).executeTakeFirst();
  if (!head) return undefined;
  const labels = async (kind: LabelKind) => {
    const rows = await db
      .selectFrom('labels')
      .selectAll()
      .where('blog_id', '=', blogId)
      .where('kind', '=', kind)
      .execute();
    return rows.sort(inLabelOrder);
  };
  const posts = await db
    .selectFrom('posts')
    .selectAll()
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
    posts: posts.map(toSnapshotPost),
    ads: await readAds(db, blogId),
  };
}

function toSnapshotPost(row: Selectable<Tables['posts']>): SnapshotPost {
  const ids = (embedded: string) => (JSON.parse(embedded) as { id: string }[]).map(({ id }) => id);
  return {
    id: row.id,
    title: row.title,
    subtitle: row.subtitle,
    content: row.content,
    slug: row.slug,
    status: row.status,
    publishedAt: row.published_at,
    scheduledAt: row.scheduled_at,
    authorId: row.author_id,
    coverUrl: row.cover_url,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    categoryIds: ids(row.categories),
    tagIds: ids(row.tags),
  };
}
