import type { SnapshotPost } from '@broadsheet/contract';
import { fold } from '@broadsheet/core';
import type { Kysely, Selectable } from 'kysely';
import type { SearchEntry, SearchWrite } from '../search/post-search.ts';
import type { Clash } from '../server-store.ts';
import type { LabelKind, Tables } from '../tables.ts';
import { shownPost } from './encoded-post.ts';
import type { WrittenLabels } from './label-writes.ts';
import { sortKey } from './sort-key.ts';

/** What posts are written with. */
export interface PostContext {
  readonly blogId: string;
  readonly categories: WrittenLabels;
  readonly tags: WrittenLabels;
  readonly stamp: string;
}

/** Labels whose number of posts may have changed. */
export type Touched = Record<LabelKind, Set<string>>;

type PostRow = Omit<Selectable<Tables['posts']>, 'words'>;

/** Writes posts, at most as many as fit one insert, with their labels and their entries of the search index. */
export async function writePosts(
  search: SearchWrite,
  db: Kysely<Tables>,
  posts: readonly SnapshotPost[],
  context: PostContext,
  touched: Touched,
): Promise<void> {
  const { blogId } = context;
  const ids = posts.map(({ id }) => id);
  const existing = await db
    .selectFrom('posts')
    .select(['id', 'created_at', 'updated_at', 'status', 'sort_key', 'fold_title', 'fold_subtitle', 'search_row'])
    .where('blog_id', '=', blogId)
    .where('id', 'in', ids)
    .execute();
  const before = new Map(existing.map((row) => [row.id, row]));
  const plain = posts.map((post) => toRow(post, before.get(post.id), context));
  const entries = plain.map((row) => toEntry(row, before.get(row.id)));
  const columns = await search.columns(entries);
  const rows = plain.map((row, index) => ({ ...row, ...columns[index] }));
  // The keys of a row are columns.
  const replaced = (Object.keys(rows[0] ?? {}) as (keyof PostRow)[]).filter((name) => !KEPT.has(name));
  await db
    .insertInto('posts')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['blog_id', 'id'])
        .doUpdateSet((set) => Object.fromEntries(replaced.map((column) => [column, set.ref(`excluded.${column}`)]))),
    )
    .execute();
  await writePostLabels(
    db,
    posts,
    rows,
    existing.map(({ id }) => id),
    context,
    touched,
  );
  await search.index(entries);
}

/** What a post that is there already keeps when it is written again. */
const KEPT: ReadonlySet<string> = new Set(['blog_id', 'id', 'search_row']);

type SearchedRow = Pick<PostRow, 'status' | 'sort_key' | 'fold_title' | 'fold_subtitle' | 'search_row'>;

const toEntry = (row: PostRow, before: SearchedRow | undefined): SearchEntry => ({
  ...row,
  published: row.status === 'PUBLISHED',
  before: before && { ...before, published: before.status === 'PUBLISHED' },
});

function toRow(
  post: SnapshotPost,
  before: Pick<PostRow, 'created_at' | 'updated_at'> | undefined,
  { blogId, stamp, ...labels }: PostContext,
): PostRow {
  const createdAt = post.createdAt ?? before?.created_at ?? stamp;
  const updatedAt = post.updatedAt ?? before?.updated_at ?? stamp;
  return {
    blog_id: blogId,
    id: post.id,
    title: post.title,
    subtitle: post.subtitle,
    slug: post.slug,
    status: post.status,
    published_at: post.publishedAt,
    scheduled_at: post.scheduledAt,
    author_id: post.authorId,
    cover_url: post.coverUrl,
    created_at: createdAt,
    updated_at: updatedAt,
    sort_key: sortKey(post.publishedAt, post.id),
    fold_title: fold(post.title),
    fold_subtitle: fold(post.subtitle),
    shown: JSON.stringify(shownPost(post, { blogId, createdAt, updatedAt, ...labels })),
    search_row: null,
  };
}

/** Rows of labels in one insert. */
const LABEL_ROWS = 1000;

async function writePostLabels(
  db: Kysely<Tables>,
  posts: readonly SnapshotPost[],
  rows: readonly PostRow[],
  existing: readonly string[],
  { blogId }: PostContext,
  touched: Touched,
): Promise<void> {
  if (existing.length > 0) {
    const removed = await db
      .deleteFrom('post_labels')
      .where('blog_id', '=', blogId)
      .where('post_id', 'in', existing)
      .returning(['kind', 'label_id'])
      .execute();
    for (const { kind, label_id } of removed) touched[kind].add(label_id);
  }
  const labels = posts.flatMap((post, index) => {
    const sort_key = post.status === 'PUBLISHED' ? (rows[index]?.sort_key ?? null) : null;
    const of = (kind: LabelKind, ids: readonly string[]) =>
      [...new Set(ids)].map((label_id) => {
        touched[kind].add(label_id);
        return { blog_id: blogId, kind, label_id, post_id: post.id, sort_key };
      });
    return [...of('category', post.categoryIds), ...of('tag', post.tagIds)];
  });
  for (let start = 0; start < labels.length; start += LABEL_ROWS) {
    await db
      .insertInto('post_labels')
      .values(labels.slice(start, start + LABEL_ROWS))
      .execute();
  }
}

/** The slugs of these posts, just written, that belong to another post of the blog as well. */
export async function findSlugClashes(
  db: Kysely<Tables>,
  blogId: string,
  posts: readonly SnapshotPost[],
  written: ReadonlySet<string>,
): Promise<Clash[]> {
  const slugs = posts.map(({ slug }) => slug);
  const owners = await db
    .selectFrom('posts')
    .select(['id', 'slug', 'title'])
    .where('blog_id', '=', blogId)
    .where('slug', 'in', (taken) =>
      taken
        .selectFrom('posts')
        .select('slug')
        .where('blog_id', '=', blogId)
        .where('slug', 'in', slugs)
        .groupBy('slug')
        .having((having) => having.fn.countAll(), '>', 1),
    )
    .execute();
  const before = new Map(owners.filter(({ id }) => !written.has(id)).map((owner) => [owner.slug, owner]));
  return posts.flatMap(({ id, title, slug }) => {
    const owner = before.get(slug);
    if (!owner) return [];
    const other = `the post ${owner.id} (${JSON.stringify(owner.title)})`;
    const message = `the slug "${slug}" belongs to ${other} of the blog already; an import keeps posts it does not name`;
    return [{ blogId, post: { id, title }, message }];
  });
}
