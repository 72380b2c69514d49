import type { Post, SnapshotPost } from '@broadsheet/contract';
import { fold, isChanged, publicPost } from '@broadsheet/core';
import { join } from 'sql-template-tag';
import type { Transaction } from '../database.ts';
import { type SearchedPost, searchedText } from '../search/post-texts.ts';
import { chunks, type Db, insert, names, updating } from '../sql.ts';
import type { LabelKind, Tables } from '../tables.ts';
import { type Change, changesOfPosts, type Outbox, openOutbox, Removals } from '../webhooks/outbox.ts';
import { countAgain, embedCategories, embedTags, readLabels, type WrittenLabels } from './labels.ts';
import { sortKey } from './sort-key.ts';

/** The context in which posts are written. */
export interface PostContext {
  readonly blogId: string;
  readonly categories: WrittenLabels;
  readonly tags: WrittenLabels;
  readonly stamp: string;
  /**
   * The ids of all posts of a source, if others are removed later: a new post with the slug of one of those replaces it.
   */
  readonly source?: ReadonlySet<string> | undefined;
  /**
   * Collects the posts that readers can no longer see, if further parts are written later; those parts report these
   * posts, too.
   */
  readonly removals?: Removals | undefined;
}

type PostRow = Tables['posts'];

/** The titles of the posts that a write added, and of those that it changed. */
export interface WrittenPosts {
  readonly added: readonly string[];
  readonly changed: readonly string[];
}

async function openPostWrite(
  transaction: Transaction,
  { blogId, ...context }: Pick<PostContext, 'blogId' | 'stamp' | 'removals'>,
): Promise<PostWrite> {
  const categories = await readLabels(transaction.db, blogId, 'category');
  const tags = await readLabels(transaction.db, blogId, 'tag');
  return new PostWrite(transaction, { blogId, categories, tags, ...context });
}

/** Writes posts that have stored labels. */
export async function writePosts(
  transaction: Transaction,
  blogId: string,
  stamp: string,
  posts: readonly SnapshotPost[],
): Promise<void> {
  const write = await openPostWrite(transaction, { blogId, stamp });
  await write.put(posts);
  await write.finish();
}

/** Removes posts, and counts the posts of their labels again. */
export async function removePosts(
  transaction: Transaction,
  blogId: string,
  ids: readonly string[],
  removals?: Removals,
): Promise<void> {
  const write = await openPostWrite(transaction, { blogId, stamp: '', removals });
  await write.remove(ids);
  await write.finish();
}

/** A write of posts of one blog and of their labels, in the transaction that locks the blog. */
export class PostWrite {
  readonly #transaction: Transaction;
  readonly #context: PostContext;
  readonly #removals: Removals;
  /** Labels whose posts must be counted again. */
  readonly #touched: Record<LabelKind, Set<string>> = { category: new Set(), tag: new Set() };
  #outbox: Promise<Outbox | undefined> | undefined;

  constructor(transaction: Transaction, context: PostContext) {
    this.#transaction = transaction;
    this.#context = context;
    this.#removals = context.removals ?? new Removals();
  }

  /** Adds posts, or replaces those with the same id. */
  async put(posts: readonly SnapshotPost[]): Promise<WrittenPosts> {
    const written: WrittenPosts[] = [];
    for (const some of chunks(posts, this.#transaction.database.rowsPerInsert)) written.push(await this.#upsert(some));
    return { added: written.flatMap(({ added }) => added), changed: written.flatMap(({ changed }) => changed) };
  }

  async remove(ids: readonly string[]): Promise<void> {
    const { db, database } = this.#transaction;
    const { blogId } = this.#context;
    for (const some of chunks(ids, database.rowsPerInsert)) {
      await this.#removeLabels(some);
      await db`delete from post_texts where blog_id = ${blogId} and post_id in (${join(some)})`;
      const removed = await db<Stored>`delete from posts where blog_id = ${blogId} and id in (${join(some)})
        returning ${names(...STORED)}`;
      await this.#report(removed, []);
    }
  }

  /** Must be called after the last post. */
  async finish(): Promise<void> {
    for (const kind of ['category', 'tag'] as const) {
      await countAgain(this.#transaction.db, this.#context.blogId, kind, this.#touched[kind]);
    }
    if (!this.#context.removals) await this.#removals.report(this.#transaction.db, this.#context.blogId);
  }

  async #upsert(posts: readonly SnapshotPost[]): Promise<WrittenPosts> {
    const { db, database } = this.#transaction;
    const { blogId, source } = this.#context;
    const ids = posts.map(({ id }) => id);
    const existing = await db<Stored>`select ${names(...STORED)} from posts
      where blog_id = ${blogId} and id in (${join(ids)})`;
    const before = new Map(existing.map((row) => [row.id, row]));
    const added = source ? posts.filter(({ id }) => !before.has(id)) : [];
    const replaced = await readReplaced(db, blogId, added, source);
    const rows = posts.map((post) => toRow(post, before.get(post.id) ?? replaced.get(post.id), this.#context));
    await insert(db, 'posts', rows, updating('posts'));
    await this.#report(existing, rows, replaced);
    if (existing.length > 0) await this.#removeLabels(existing.map(({ id }) => id));
    await this.#addLabels(posts, rows);
    await database.search.write(db, blogId, rows.map(toSearched));
    return writtenOf(new Map([...replaced, ...before]), rows);
  }

  /** Reports the changes of posts that readers can see to the webhooks of the blog. */
  async #report(
    before: readonly Stored[],
    after: readonly Stored[],
    replaced: ReadonlyMap<string, Stored> = new Map(),
  ): Promise<void> {
    this.#outbox ??= openOutbox(this.#transaction.db, this.#context.blogId);
    const outbox = await this.#outbox;
    if (!outbox) return;
    const isRemoval = ({ type }: Change) => type === 'post.removed';
    const changes = changesOfPosts(before, after, replaced);
    await outbox(changes.filter((change) => !isRemoval(change)));
    this.#removals.add(changes.filter(isRemoval));
    this.#removals.replaced([...replaced.values()].map(({ id }) => id));
  }

  async #removeLabels(ids: readonly string[]): Promise<void> {
    const { blogId } = this.#context;
    const rows = await this.#transaction.db<Pick<Tables['post_labels'], 'kind' | 'label_id'>>`delete from post_labels
      where blog_id = ${blogId} and post_id in (${join(ids)}) returning kind, label_id`;
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
      await insert(this.#transaction.db, 'post_labels', some);
    }
  }
}

/** The number of label rows in one insert. */
const LABEL_ROWS = 1000;

/** A stored post, and when it was created and changed. */
const STORED = ['id', 'status', 'created_at', 'updated_at', 'json', 'cover_url'] as const;
type Stored = Pick<PostRow, (typeof STORED)[number]>;

/** Compares rows that were written with those that were stored before, by the ids of the written ones. */
function writtenOf(before: ReadonlyMap<string, Stored>, rows: readonly PostRow[]): WrittenPosts {
  const titles = (isWanted: (row: PostRow, old: Stored | undefined) => boolean) =>
    rows.filter((row) => isWanted(row, before.get(row.id))).map(({ title }) => title);
  return {
    added: titles((_, old) => old === undefined),
    changed: titles((row, old) => old !== undefined && (old.json !== row.json || old.cover_url !== row.cover_url)),
  };
}

/**
 * The stored posts that are not in the source and that new ones replace, by the ids of the new ones: a renamed file has
 * a new id.
 */
async function readReplaced(
  db: Db,
  blogId: string,
  posts: readonly SnapshotPost[],
  source: ReadonlySet<string> = new Set(),
): Promise<Map<string, Stored>> {
  if (posts.length === 0) return new Map();
  const idOf = new Map(posts.map(({ id, slug }) => [slug, id]));
  const rows = await db<Stored & Pick<PostRow, 'slug'>>`select slug, ${names(...STORED)} from posts
    where blog_id = ${blogId} and slug in (${join([...idOf.keys()])})`;
  const gone = rows.filter(({ id }) => !source.has(id));
  return new Map(gone.map(({ slug, ...row }) => [idOf.get(slug) ?? '', row]));
}

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
export async function readAnyPost(db: Db, blogId: string, postId: string): Promise<SnapshotPost | undefined> {
  const [row] = await db<PostRow>`select json, cover_url from posts where blog_id = ${blogId} and id = ${postId}`;
  return row && snapshotOf(JSON.parse(row.json), row.cover_url);
}

const isAsBefore = (post: SnapshotPost, { json, cover_url }: Stored): boolean =>
  !isChanged(snapshotOf(JSON.parse(json), cover_url), post);

function toRow(
  post: SnapshotPost,
  before: Stored | undefined,
  { blogId, stamp, categories, tags }: PostContext,
): PostRow {
  const createdAt = post.createdAt ?? before?.created_at ?? stamp;
  const foldedSlug = fold(post.slug);
  const updatedAt = post.updatedAt ?? (before && isAsBefore(post, before) ? before.updated_at : stamp);
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
    fold_slug: foldedSlug === post.slug ? null : foldedSlug,
    json: JSON.stringify(stored),
  };
}
