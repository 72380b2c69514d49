import {
  type EmbeddedCategory,
  type EmbeddedTag,
  LIMITS,
  type Post,
  type SnapshotCategory,
  type SnapshotTag,
} from '@broadsheet/contract';
import { fold } from '@broadsheet/core';
import { type Kysely, sql } from 'kysely';
import { requireRoom } from '../blogs/clashes.ts';
import { chunks } from '../chunks.ts';
import { excluded, type LabelKind, type Tables } from '../tables.ts';
import { changesOfLabels, openOutbox } from '../webhooks/outbox.ts';
import { inLabelOrder, type LabelRow, selectLabels } from './labels.ts';

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
  db: Kysely<Tables>,
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
    await db
      .insertInto('labels')
      .values(some)
      .onConflict((conflict) => conflict.columns(['blog_id', 'kind', 'id']).doUpdateSet(excluded(CHANGING)))
      .execute();
  }
  if (added.length > 0) await requireRoom(db, blogId, kind === 'category' ? 'categories' : 'tags', LIMITS.labels);
  const outbox = reported.length > 0 ? await openOutbox(db, blogId) : undefined;
  await outbox?.(changesOfLabels(kind, reported));
  return { kind, byId, added, changed };
}

/** The stored labels of one kind, for writing posts. */
export async function readLabels(db: Kysely<Tables>, blogId: string, kind: LabelKind): Promise<WrittenLabels> {
  const rows = await selectLabels(db, blogId, kind).execute();
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
export async function embedAgain(db: Kysely<Tables>, blogId: string, labels: WrittenLabels): Promise<void> {
  const idsOf = (embedded: readonly { readonly id: string }[]) => embedded.map(({ id }) => id);
  const again = (post: Post): Post =>
    labels.kind === 'category'
      ? { ...post, categories: embedCategories(labels, idsOf(post.categories)) }
      : { ...post, tags: embedTags(labels, idsOf(post.tags)) };
  const ids = new Set<string>();
  for (const some of chunks(labels.changed, ROWS)) {
    const found = db.selectFrom('post_labels').select('post_id').where('blog_id', '=', blogId);
    const rows = await found.where('kind', '=', labels.kind).where('label_id', 'in', some).execute();
    for (const { post_id } of rows) ids.add(post_id);
  }
  for (const some of chunks([...ids], ROWS)) {
    const posts = db.selectFrom('posts').select(['id', 'json']).where('blog_id', '=', blogId).where('id', 'in', some);
    for (const { id, json } of await posts.execute()) {
      const post = db.updateTable('posts').where('blog_id', '=', blogId).where('id', '=', id);
      await post.set({ json: JSON.stringify(again(JSON.parse(json))) }).execute();
    }
  }
}

/** Counts the published posts of labels again. */
export async function countAgain(
  db: Kysely<Tables>,
  blogId: string,
  kind: LabelKind,
  ids: ReadonlySet<string>,
): Promise<void> {
  for (const id of ids) {
    const count = sql`select count(*) from post_labels where blog_id = ${blogId} and kind = ${kind}
      and label_id = ${id} and sort_key is not null`;
    await sql`update labels set posts = (${count})
      where blog_id = ${blogId} and kind = ${kind} and id = ${id}`.execute(db);
  }
}
