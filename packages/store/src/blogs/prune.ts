import { join } from 'sql-template-tag';
import type { Transaction } from '../database.ts';
import { inLabelOrder, readLabels } from '../posts/labels.ts';
import { removePosts } from '../posts/post-writes.ts';
import { chunks, type Db } from '../sql.ts';
import type { LabelKind, Tables } from '../tables.ts';
import { changesOfLabels, openOutbox, type Removals } from '../webhooks/outbox.ts';
import type { WrittenPost } from './clashes.ts';
import { binPosts } from './recycle-bin.ts';

/** The names of the items that an import removed. */
export type Pruned = Readonly<Record<'posts' | 'categories' | 'tags', readonly string[]>>;

/** The items of a blog in a source, from all of its parts. */
export interface Source extends Readonly<Record<LabelKind, Set<string>>> {
  readonly posts: WrittenPost[];
  /** The published posts that the import hides or removes. */
  readonly removals: Removals;
}

const ROWS = 1000;

/** Removes the posts that a source does not have, then the labels that it does not have and no remaining post uses. */
export async function pruneBlog(
  transaction: Transaction,
  blogId: string,
  source: Source,
  now: number,
): Promise<Pruned> {
  const { db } = transaction;
  const rows = await db<
    Pick<Tables['posts'], 'id' | 'title' | 'slug'>
  >`select id, title, slug from posts where blog_id = ${blogId}
    order by sort_key desc`;
  const sourcePosts = new Set(source.posts.map(({ id }) => id));
  const missing = rows.filter(({ id }) => !sourcePosts.has(id));
  // The post of a renamed file has another id, and lives on under its slug.
  const sourceSlugs = new Set(source.posts.map(({ slug }) => slug));
  const removed = missing.filter(({ slug }) => !sourceSlugs.has(slug));
  const idsOf = (posts: typeof rows) => posts.map(({ id }) => id);
  await binPosts(db, blogId, idsOf(removed), now);
  await removePosts(transaction, blogId, idsOf(missing), source.removals);
  return {
    posts: removed.map(({ title }) => title),
    categories: await pruneLabels(db, blogId, 'category', source),
    tags: await pruneLabels(db, blogId, 'tag', source),
  };
}

async function pruneLabels(db: Db, blogId: string, kind: LabelKind, source: Source): Promise<string[]> {
  const { byId } = await readLabels(db, blogId, kind);
  const missing = [...byId.keys()].filter((id) => !source[kind].has(id));
  const removed = new Set<string>();
  for (const some of chunks(missing, ROWS)) {
    const rows = await db<{ id: string }>`
      delete from labels where blog_id = ${blogId} and kind = ${kind} and id in (${join(some)})
        and not exists (select 1 from post_labels
          where blog_id = ${blogId} and kind = ${kind} and label_id = labels.id) returning id`;
    for (const { id } of rows) removed.add(id);
  }
  if (removed.size > 0) await (await openOutbox(db, blogId))?.(changesOfLabels(kind, [...removed]));
  const labels = [...byId.values()].filter(({ id }) => removed.has(id));
  return labels.sort(inLabelOrder).map(({ name }) => name);
}
