import {
  type Category,
  type EmbeddedCategory,
  type EmbeddedTag,
  LIMITS,
  type Post,
  type SnapshotCategory,
  type SnapshotTag,
  type Tag,
} from '@broadsheet/contract';
import { codeUnitOrder, fold } from '@broadsheet/core';
import sql, { join } from 'sql-template-tag';
import { requireRoom } from '../blogs/clashes.ts';
import { chunks, type Db, insert, updating } from '../sql.ts';
import type { LabelKind, Tables } from '../tables.ts';
import { changesOfLabels, openOutbox } from '../webhooks/outbox.ts';

export type LabelRow = Tables['labels'];

/** The order of categories and tags: folded name, then id, by code unit. */
export const inLabelOrder = (a: LabelRow, b: LabelRow): number =>
  codeUnitOrder(a.sort_name, b.sort_name) || codeUnitOrder(a.id, b.id);

/** All categories or all tags of a blog. */
export const selectLabels = (db: Db, blogId: string, kind: LabelKind) =>
  db<LabelRow>`select * from labels where blog_id = ${blogId} and kind = ${kind}`;

const commonOf = ({ blog_id: blogId, created_at: createdAt, updated_at: updatedAt, posts }: LabelRow) => ({
  blogId,
  createdAt,
  updatedAt,
  _count: { posts },
});

/** A tag as it leaves the store. */
export const toTag = (row: LabelRow): Tag => ({ id: row.id, name: row.name, ...commonOf(row) });

/** A category as it leaves the store. */
export const toCategory = (row: LabelRow): Category => ({
  id: row.id,
  name: row.name,
  description: row.description,
  ...commonOf(row),
});

/** The labels of one kind that a blog has, and the ids of those that were added and that have changed. */
export interface WrittenLabels {
  readonly kind: LabelKind;
  readonly byId: Map<string, LabelRow>;
  readonly added: readonly string[];
  readonly changed: readonly string[];
}

type LabelInput = SnapshotTag & Partial<Pick<SnapshotCategory, 'description'>>;
const ROWS = 500;
/** The columns that a write of an existing label may change. */
const CHANGING = ['name', 'sort_name', 'description', 'created_at', 'updated_at'] as const;

/** Writes labels of one kind; their counts of posts are not changed. */
export async function writeLabels(
  db: Db,
  { blogId, kind, stamp }: { readonly blogId: string; readonly kind: LabelKind; readonly stamp: string },
  inputs: readonly LabelInput[],
): Promise<WrittenLabels> {
  const { byId } = await readLabels(db, blogId, kind);
  const written = new Map<string, LabelRow>();
  const added: string[] = [];
  const changed: string[] = [];
  const reported: string[] = [];
  for (const input of inputs) {
    const before = byId.get(input.id);
    const { name, description = '' } = input;
    const isNew = before?.name !== name || before.description !== description;
    const row = {
      blog_id: blogId,
      kind,
      id: input.id,
      name,
      sort_name: fold(name),
      description,
      created_at: input.createdAt ?? before?.created_at ?? stamp,
      updated_at: input.updatedAt ?? (isNew ? stamp : before.updated_at),
      posts: before?.posts ?? 0,
    };
    if (!before) added.push(row.id);
    else if (isNew) changed.push(row.id);
    if (CHANGING.some((column) => before?.[column] !== row[column])) reported.push(row.id);
    written.set(row.id, row);
    byId.set(row.id, row);
  }
  for (const some of chunks([...written.values()], ROWS)) {
    await insert(db, 'labels', some, updating('labels', CHANGING));
  }
  if (added.length > 0) await requireRoom(db, blogId, kind === 'category' ? 'categories' : 'tags', LIMITS.labels);
  const outbox = reported.length > 0 ? await openOutbox(db, blogId) : undefined;
  await outbox?.(changesOfLabels(kind, reported));
  return { kind, byId, added, changed };
}

/** The stored labels of one kind, for writing posts. */
export async function readLabels(db: Db, blogId: string, kind: LabelKind): Promise<WrittenLabels> {
  const rows = await selectLabels(db, blogId, kind);
  return { kind, byId: new Map(rows.map((row) => [row.id, row])), added: [], changed: [] };
}

/** The labels with these ids, in their order. */
function inOrder({ byId }: WrittenLabels, ids: Iterable<string>): LabelRow[] {
  const rows = [...new Set(ids)].map((id) => byId.get(id)).filter((row) => row !== undefined);
  return rows.sort(inLabelOrder);
}

/** The categories of a post as they are embedded in it. */
export const embedCategories = (labels: WrittenLabels, ids: Iterable<string>): EmbeddedCategory[] =>
  inOrder(labels, ids).map(({ id, name, description, blog_id: blogId }) => ({ id, name, description, blogId }));

/** The tags of a post as they are embedded in it. */
export const embedTags = (labels: WrittenLabels, ids: Iterable<string>): EmbeddedTag[] =>
  inOrder(labels, ids).map(({ id, name, blog_id: blogId }) => ({ id, name, blogId }));

/** Updates labels with a new name or description in the posts that have them. */
export async function embedAgain(db: Db, blogId: string, labels: WrittenLabels): Promise<void> {
  const idsOf = (embedded: readonly { readonly id: string }[]) => embedded.map(({ id }) => id);
  const again = (post: Post): Post =>
    labels.kind === 'category'
      ? { ...post, categories: embedCategories(labels, idsOf(post.categories)) }
      : { ...post, tags: embedTags(labels, idsOf(post.tags)) };
  const ids = new Set<string>();
  for (const some of chunks(labels.changed, ROWS)) {
    const rows = await db<{ post_id: string }>`select post_id from post_labels
      where blog_id = ${blogId} and kind = ${labels.kind} and label_id in (${join(some)})`;
    for (const { post_id } of rows) ids.add(post_id);
  }
  for (const some of chunks([...ids], ROWS)) {
    const posts = await db<Pick<Tables['posts'], 'id' | 'json'>>`select id, json from posts
      where blog_id = ${blogId} and id in (${join(some)})`;
    for (const { id, json } of posts) {
      await db`update posts set json = ${JSON.stringify(again(JSON.parse(json)))}
        where blog_id = ${blogId} and id = ${id}`;
    }
  }
}

/** Counts the published posts of labels again. */
export async function countAgain(db: Db, blogId: string, kind: LabelKind, ids: ReadonlySet<string>): Promise<void> {
  for (const id of ids) {
    const count = sql`select count(*) from post_labels where blog_id = ${blogId} and kind = ${kind}
      and label_id = ${id} and sort_key is not null`;
    await db`update labels set posts = (${count})
      where blog_id = ${blogId} and kind = ${kind} and id = ${id}`;
  }
}
