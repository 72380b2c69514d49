import type { SnapshotPost } from '@broadsheet/contract';
import { sql } from 'kysely';
import { chunks } from '../chunks.ts';
import type { Transaction } from '../database.ts';

/** One thing of a written blog that contradicts what the database holds. */
export interface Clash {
  readonly code: 'KEY_IN_USE' | 'SLUG_IN_USE' | 'ID_IN_USE' | 'NO_CAMPAIGN';
  readonly blogId: string;
  /** The post that was to be written; absent when it is no post that clashes. */
  readonly post?: { readonly id: string; readonly title: string };
  /** What it clashes with, and the fix. */
  readonly message: string;
}

/** Thrown when a blog cannot be written beside what the database holds: nothing of it is. */
export class ContentClash extends Error {
  override readonly name = 'ContentClash';
  readonly clashes: readonly Clash[];

  constructor(clashes: readonly Clash[]) {
    super(
      clashes
        .map(({ blogId, post, message }) => `${post ? `post ${post.id} of ` : ''}blog ${blogId}: ${message}`)
        .join('\n'),
    );
    this.clashes = clashes;
  }
}

/** What is remembered of a post until its whole blog is written. */
export type WrittenPost = Pick<SnapshotPost, 'id' | 'slug' | 'title'>;

/** @throws ContentClash when a post that was written has the slug of another one */
export async function requireOwnSlugs(
  { db, database }: Transaction,
  blogId: string,
  posts: readonly WrittenPost[],
): Promise<void> {
  const written = new Set(posts.map(({ id }) => id));
  const clashes = new Map<string, Clash>();
  for (const some of chunks(posts, database.rowsPerInsert)) {
    const { rows } = await sql<WrittenPost>`
      select id, slug, title from posts where blog_id = ${blogId} and slug in (
        select slug from posts where blog_id = ${blogId} and slug in (${sql.join(some.map(({ slug }) => slug))})
        group by slug having count(*) > 1)
      order by sort_key`.execute(db);
    for (const [slug, same] of Map.groupBy(rows, (post) => post.slug)) {
      const stored = same.find(({ id }) => !written.has(id));
      const owner = stored ?? same[0];
      for (const { id, title } of same) {
        if (id === owner?.id) continue;
        const message = stored
          ? `the slug "${slug}" belongs to the post ${stored.id} (${JSON.stringify(stored.title)}) of the blog already; an import without --prune leaves posts it does not name`
          : `the posts ${owner?.id} and ${id} have the same slug "${slug}"; give one of them another`;
        clashes.set(id, { code: 'SLUG_IN_USE', blogId, ...(stored && { post: { id, title } }), message });
      }
    }
  }
  if (clashes.size > 0) throw new ContentClash([...clashes.values()]);
}
