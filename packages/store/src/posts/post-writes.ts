import type { Post, SnapshotPost } from '@broadsheet/contract';
import { fold, publicPost } from '@broadsheet/core';
import { type Kysely, type Selectable, sql } from 'kysely';
import { chunks } from '../chunks.ts';
import type { Transaction } from '../database.ts';
import { type SearchedPost, searchedText } from '../search/post-texts.ts';
import { excluded, type LabelKind, type Tables } from '../tables.ts';
import { changesOfPosts, type Outbox, openOutbox, readStoredPosts } from '../webhooks/outbox.ts';
import { countAgain, embedCategories, embedTags, readLabels, type WrittenLabels } from './label-writes.ts';
import { sortKey } from './sort-key.ts';

/** The context in which posts are written. */
export interface PostContext {
  readonly blogId: string;
  readonly categories: WrittenLabels;
  readonly tags: WrittenLabels;
  readonly stamp: string;
  /** Whether a post with a new id replaces the post with the same slug, which is removed later. */
  readonly replaces?: boolean;
}

type PostRow = Selectable<Tables['posts']>;

async function openPostWrite(transaction: Transaction, blogId: string, stamp: string): Promise<PostWrite> {
  const categories = await readLabels(transaction.db, blogId, 'category');
  const tags = await readLabels(transaction.db, blogId, 'tag');
  return new PostWrite(transaction, { blogId, categories, tags, stamp });
}

/** Writes posts that have stored labels. */
export async function writePosts(
  transaction: Transaction,
  blogId: string,
  stamp: string,
  posts: readonly SnapshotPost[],
): Promise<void> {
  const write = await openPostWrite(transaction, blogId, stamp);
  await write.put(posts);
  await write.finish();
}

/** Removes posts, and counts those of their labels again. */
export async function removePosts(transaction: Transaction, blogId: string, ids: readonly string[]): Promise<void> {
  const write = await openPostWrite(transaction, blogId, '');
  await write.remove(ids);
  await write.finish();
}

/** A write of posts of one blog and of their labels, in the transaction that locks the blog. */
export class PostWrite {
  readonly #transaction: Transaction;
  readonly #context: PostContext;
  /** Labels whose posts must be counted again. */
  readonly #touched: Record<LabelKind, Set<string>> = { category: new Set(), tag: new Set() };
  #outbox: Promise<Outbox | undefined> | undefined;

  constructor(transaction: Transaction, context: PostContext) {
    this.#transaction = transaction;
    this.#context = context;
  }

  /** Adds posts, or replaces those with the same id; returns the number of new posts. */
  async put(posts: readonly SnapshotPost[]): Promise<number> {
    let added = 0;
    for (const some of chunks(posts, this.#transaction.database.rowsPerInsert)) added += await this.#upsert(some);
    return added;
  }

  async remove(ids: readonly string[]): Promise<void> {
    const { db, database } = this.#transaction;
    const { blogId } = this.#context;
    for (const some of chunks(ids, database.rowsPerInsert)) {
      await this.#reported(some, async () => {
        await this.#removeLabels(some);
        await db.deleteFrom('posts').where('blog_id', '=', blogId).where('id', 'in', some).execute();
        await db.deleteFrom('post_texts').where('blog_id', '=', blogId).where('post_id', 'in', some).execute();
        return [];
      });
    }
  }

  /** Must be called after the last post. */
  async finish(): Promise<void> {
    for (const kind of ['category', 'tag'] as const) {
      await countAgain(this.#transaction.db, this.#context.blogId, kind, this.#touched[kind]);
    }
  }

  async #upsert(posts: readonly SnapshotPost[]): Promise<number> {
    const { db, database } = this.#transaction;
    const { blogId, replaces } = this.#context;
    const ids = posts.map(({ id }) => id);
    const posted = db.selectFrom('posts').where('blog_id', '=', blogId);
    const existing = await posted.select(['id', 'created_at', 'updated_at']).where('id', 'in', ids).execute();
    const before = new Map(existing.map((row) => [row.id, row]));
    const replaced = replaces ? await readReplaced(db, blogId, posts, before) : undefined;
    const rows = posts.map((post) => toRow(post, before.get(post.id) ?? replaced?.get(post.slug), this.#context));
    const columns = Object.keys(rows[0] ?? {}).filter((name) => !RETAINED.has(name));
    await this.#reported(ids, async () => {
      await db
        .insertInto('posts')
        .values(rows)
        .onConflict((conflict) => conflict.columns(['blog_id', 'id']).doUpdateSet(excluded(columns)))
        .execute();
      return rows;
    });
    if (existing.length > 0) await this.#removeLabels(existing.map(({ id }) => id));
    await this.#addLabels(posts, rows);
    await database.search.write(db, blogId, rows.map(toSearched));
    return posts.length - existing.length;
  }

  /** Runs work that replaces posts with its result, and reports visible changes to the webhooks of the blog. */
  async #reported(ids: readonly string[], work: () => Promise<readonly PostRow[]>): Promise<void> {
    const { db } = this.#transaction;
    const { blogId } = this.#context;
    this.#outbox ??= openOutbox(db, blogId);
    const outbox = await this.#outbox;
    const before = outbox ? await readStoredPosts(db, blogId, ids) : [];
    const after = await work();
    await outbox?.(changesOfPosts(before, after));
  }

  async #removeLabels(ids: readonly string[]): Promise<void> {
    const { blogId } = this.#context;
    const { rows } = await sql<Pick<Tables['post_labels'], 'kind' | 'label_id'>>`delete from post_labels
      where blog_id = ${blogId} and post_id in (${sql.join(ids)}) returning kind, label_id`.execute(
      this.#transaction.db,
    );
    for (const { kind, label_id } of rows) this.#touched[kind].add(label_id);
  }

  async #addLabels(posts: readonly SnapshotPost[], rows: readonly PostRow[]): Promise<void> {
    const labels = posts.flatMap((post, index) => {
      const sort_key = post.status === 'PUBLISHED' ? (rows[index]?.sort_key ?? null) : null;
      const of = (kind: LabelKind, ids: readonly string[]) =>
        [...new Set(ids)].map((label_id) => {
          this.#touched[kind].add(label_id);
          return { blog_id: this.#context.blogId, kind, label_id, post_id: post.id, sort_key };
        });
      return [...of('category', post.categoryIds), ...of('tag', post.tagIds)];
    });
    for (const some of chunks(labels, LABEL_ROWS)) {
      await this.#transaction.db.insertInto('post_labels').values(some).execute();
    }
  }
}

/** The number of label rows in one insert. */
const LABEL_ROWS = 1000;

/** When a stored post was created and changed. */
type Before = Pick<PostRow, 'created_at' | 'updated_at'>;

/** The posts that new ones replace, by slug: a renamed file has a new id. */
async function readReplaced(
  db: Kysely<Tables>,
  blogId: string,
  posts: readonly SnapshotPost[],
  before: ReadonlyMap<string, unknown>,
): Promise<Map<string, Before>> {
  const slugs = posts.filter(({ id }) => !before.has(id)).map(({ slug }) => slug);
  if (slugs.length === 0) return new Map();
  const posted = db.selectFrom('posts').where('blog_id', '=', blogId);
  const rows = await posted.select(['slug', 'created_at', 'updated_at']).where('slug', 'in', slugs).execute();
  return new Map(rows.map((row) => [row.slug, row]));
}

/** The columns that an existing post keeps when it is written again. */
const RETAINED: ReadonlySet<string> = new Set(['blog_id', 'id']);

/** A post as search indexes it. */
export const toSearched = ({ id, sort_key, status, title, subtitle }: PostRow): SearchedPost => ({
  post_id: id,
  sort_key,
  text: status === 'PUBLISHED' ? searchedText(title, subtitle) : undefined,
});

/** A stored post as it was imported. */
export function snapshotOf({ blogId: _, categories, tags, ...post }: Post, coverUrl: string | null): SnapshotPost {
  const { createdAt, updatedAt, ...fields } = post;
  const ids = (labels: readonly { readonly id: string }[]) => labels.map(({ id }) => id);
  return { ...fields, coverUrl, createdAt, updatedAt, categoryIds: ids(categories), tagIds: ids(tags) };
}

/** A post of any status. */
export async function readAnyPost(
  db: Kysely<Tables>,
  blogId: string,
  postId: string,
): Promise<SnapshotPost | undefined> {
  const posts = db.selectFrom('posts').select(['json', 'cover_url']);
  const row = await posts.where('blog_id', '=', blogId).where('id', '=', postId).executeTakeFirst();
  return row && snapshotOf(JSON.parse(row.json), row.cover_url);
}

function toRow(
  post: SnapshotPost,
  before: Before | undefined,
  { blogId, stamp, categories, tags }: PostContext,
): PostRow {
  const createdAt = post.createdAt ?? before?.created_at ?? stamp;
  const updatedAt = post.updatedAt ?? before?.updated_at ?? stamp;
  // A post is stored in the form in which it is returned, so that a read only copies it.
  const stored = publicPost(post, {
    blogId,
    createdAt,
    updatedAt,
    categories: embedCategories(categories, post.categoryIds),
    tags: embedTags(tags, post.tagIds),
  });
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
    json: JSON.stringify(stored),
  };
}
