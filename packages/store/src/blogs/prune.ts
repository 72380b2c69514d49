import type { SnapshotBlog } from '@broadsheet/contract';
import { type Kysely, sql } from 'kysely';
import { chunks } from '../chunks.ts';
import type { Transaction } from '../database.ts';
import { readLabels } from '../posts/label-writes.ts';
import { openPostWrite } from '../posts/post-writes.ts';
import { ContentClash, type Pruned } from '../server-store.ts';
import type { LabelKind, Tables } from '../tables.ts';
import { binPosts } from './recycle-bin.ts';

/** The ids that a source has of a blog. */
export type SourceIds = Readonly<Record<'post' | LabelKind, Set<string>>>;

export const noIds = (): SourceIds => ({ post: new Set(), category: new Set(), tag: new Set() });

export function addIds(ids: SourceIds, { posts, categories, tags }: SnapshotBlog): void {
  for (const { id } of posts) ids.post.add(id);
  for (const { id } of categories) ids.category.add(id);
  for (const { id } of tags) ids.tag.add(id);
}

const ROWS = 1000;

/**
 * Removes the posts of a blog that a source does not have, then its labels, unless a post that stays has one.
 *
 * @throws ContentClash when two posts that stay have one slug
 */
export async function pruneBlog(
  transaction: Transaction,
  blogId: string,
  source: SourceIds,
  stamp: string,
): Promise<Pruned> {
  const { db } = transaction;
  const rows = await db.selectFrom('posts').select('id').where('blog_id', '=', blogId).execute();
  const posts = rows.map(({ id }) => id).filter((id) => !source.post.has(id));
  const write = await openPostWrite(transaction, blogId, stamp);
  await binPosts(db, blogId, posts, Date.parse(stamp));
  await write.remove(posts);
  await write.finish();
  await refuseTwins(db, blogId);
  return {
    posts: posts.length,
    categories: await pruneLabels(db, blogId, 'category', source),
    tags: await pruneLabels(db, blogId, 'tag', source),
  };
}

async function pruneLabels(db: Kysely<Tables>, blogId: string, kind: LabelKind, source: SourceIds): Promise<number> {
  const { byId } = await readLabels(db, blogId, kind);
  const missing = [...byId.keys()].filter((id) => !source[kind].has(id));
  let removed = 0;
  for (const some of chunks(missing, ROWS)) {
    const rows = await db
      .deleteFrom('labels')
      .where('blog_id', '=', blogId)
      .where('kind', '=', kind)
      .where('id', 'in', some)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('post_labels')
              .select(sql`1`.as('one'))
              .where('post_labels.blog_id', '=', blogId)
              .where('post_labels.kind', '=', kind)
              .whereRef('post_labels.label_id', '=', 'labels.id'),
          ),
        ),
      )
      .returning('id')
      .execute();
    removed += rows.length;
  }
  return removed;
}

async function refuseTwins(db: Kysely<Tables>, blogId: string): Promise<void> {
  const twins = await db
    .selectFrom('posts')
    .select(['slug', ({ fn }) => fn.min('id').as('one'), ({ fn }) => fn.max('id').as('other')])
    .where('blog_id', '=', blogId)
    .groupBy('slug')
    .having(({ fn }) => fn.countAll(), '>', 1)
    .execute();
  if (twins.length === 0) return;
  throw new ContentClash(
    twins.map(({ slug, one, other }) => ({
      code: 'SLUG_IN_USE',
      blogId,
      message: `the posts ${one} and ${other} have the same slug "${slug}"; give one of them another`,
    })),
  );
}
