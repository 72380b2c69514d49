import type { SnapshotPost } from '@broadsheet/contract';
import sql, { join } from 'sql-template-tag';
import type { Transaction } from '../database.ts';
import { chunks, type Db, names } from '../sql.ts';

/** A conflict between a blog that is written and the stored data. */
export interface Clash {
  readonly code: 'KEY_IN_USE' | 'SLUG_IN_USE' | 'ID_IN_USE' | 'NO_BLOG' | 'NO_CAMPAIGN' | 'TOO_MANY' | 'URL_MOVED';
  readonly blogId: string;
  /** The post that cannot be written; absent when the conflict is not about a post. */
  readonly post?: { readonly id: string; readonly title: string; readonly file?: string | undefined };
  /** The conflict, and the fix. */
  readonly message: string;
}

/** Thrown when a blog conflicts with stored data; nothing of it is written. */
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

/** The fields of a post that are kept in memory until its whole blog is written. */
export type WrittenPost = Pick<SnapshotPost, 'id' | 'slug' | 'title'> & { readonly file?: string | undefined };

/** @throws ContentClash when a written post has the slug of another post */
export async function requireOwnSlugs(
  { db, database }: Transaction,
  blogId: string,
  posts: readonly WrittenPost[],
): Promise<void> {
  const written = new Map(posts.map((post) => [post.id, post]));
  const clashes = new Map<string, Clash>();
  for (const some of chunks(posts, database.rowsPerInsert)) {
    const rows = await db<WrittenPost>`
      select id, slug, title from posts where blog_id = ${blogId} and slug in (
        select slug from posts where blog_id = ${blogId} and slug in (${join(some.map(({ slug }) => slug))})
        group by slug having count(*) > 1)
      order by sort_key`;
    for (const [slug, same] of Map.groupBy(rows, (post) => post.slug)) {
      const stored = same.find(({ id }) => !written.has(id));
      const owner = stored ?? same[0];
      for (const { id, title } of same) {
        if (id === owner?.id) continue;
        const message = stored
          ? `the slug "${slug}" belongs to the post ${stored.id} (${JSON.stringify(stored.title)}); an import that does not prune keeps posts that it does not name`
          : `the posts ${owner?.id} and ${id} have the same slug "${slug}"; change one of them`;
        clashes.set(id, {
          code: 'SLUG_IN_USE',
          blogId,
          ...(stored && { post: { id, title, file: written.get(id)?.file } }),
          message,
        });
      }
    }
  }
  if (clashes.size > 0) throw new ContentClash([...clashes.values()]);
}

/** The tables of which a blog may have a limited number of rows, besides posts. */
const ROOM = {
  ads: { table: 'ads', condition: sql`true` },
  campaigns: { table: 'campaigns', condition: sql`true` },
  categories: { table: 'labels', condition: sql`kind = 'category'` },
  tags: { table: 'labels', condition: sql`kind = 'tag'` },
  images: { table: 'images', condition: sql`part = 0` },
  keys: { table: 'api_keys', condition: sql`revoked_at is null` },
} as const;

/** @throws ContentClash when a blog exceeds a limit on its number of items */
export async function requireRoom(
  db: Db,
  blogId: string,
  what: keyof typeof ROOM,
  { max }: { readonly max: number },
): Promise<void> {
  const { table, condition } = ROOM[what];
  const rows = await db`select 1 from ${names(table)} where blog_id = ${blogId} and ${condition}
    limit 1 offset ${max}`;
  if (rows.length === 0) return;
  throw new ContentClash([
    { code: 'TOO_MANY', blogId, message: `a blog has at most ${max.toLocaleString('en')} ${what}` },
  ]);
}
