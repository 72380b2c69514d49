import { type Kysely, sql } from 'kysely';
import { chunks } from '../chunks.ts';
import type { Transaction } from '../database.ts';
import { readLabels } from '../posts/label-writes.ts';
import { removePosts } from '../posts/post-writes.ts';
import type { LabelKind, Tables } from '../tables.ts';
import { changesOfLabels, openOutbox } from '../webhooks/outbox.ts';
import type { WrittenPost } from './clashes.ts';
import { binPosts } from './recycle-bin.ts';

/** How many items an import removed. */
export interface Pruned {
  readonly posts: number;
  readonly categories: number;
  readonly tags: number;
}

/** The items of a blog in a source, from all of its parts. */
export interface Source extends Readonly<Record<LabelKind, Set<string>>> {
  readonly posts: WrittenPost[];
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
  const rows = await db.selectFrom('posts').select('id').where('blog_id', '=', blogId).execute();
  const sourcePosts = new Set(source.posts.map(({ id }) => id));
  const posts = rows.map(({ id }) => id).filter((id) => !sourcePosts.has(id));
  await binPosts(db, blogId, posts, now);
  await removePosts(transaction, blogId, posts);
  return {
    posts: posts.length,
    categories: await pruneLabels(db, blogId, 'category', source),
    tags: await pruneLabels(db, blogId, 'tag', source),
  };
}

async function pruneLabels(db: Kysely<Tables>, blogId: string, kind: LabelKind, source: Source): Promise<number> {
  const { byId } = await readLabels(db, blogId, kind);
  const missing = [...byId.keys()].filter((id) => !source[kind].has(id));
  const removed: string[] = [];
  for (const some of chunks(missing, ROWS)) {
    const { rows } = await sql<{ id: string }>`
      delete from labels where blog_id = ${blogId} and kind = ${kind} and id in (${sql.join(some)})
        and not exists (select 1 from post_labels
          where blog_id = ${blogId} and kind = ${kind} and label_id = labels.id) returning id`.execute(db);
    removed.push(...rows.map(({ id }) => id));
  }
  if (removed.length > 0) await (await openOutbox(db, blogId))?.(changesOfLabels(kind, removed));
  return removed.length;
}
