import type { Category, Tag } from '@broadsheet/contract';
import { codeUnitOrder } from '@broadsheet/core';
import type { Kysely, Selectable } from 'kysely';
import type { Database } from '../database.ts';
import { type Arg, prepareRead } from '../prepared.ts';
import type { LabelKind, Tables } from '../tables.ts';

export type LabelRow = Selectable<Tables['labels']>;

/** The order of categories and tags: folded name, then id, by code unit. */
export const inLabelOrder = (a: LabelRow, b: LabelRow): number =>
  codeUnitOrder(a.sort_name, b.sort_name) || codeUnitOrder(a.id, b.id);

/** All categories or all tags of a blog. */
export const selectLabels = (db: Kysely<Tables>, blogId: string, kind: LabelKind) =>
  db.selectFrom('labels').selectAll().where('blog_id', '=', blogId).where('kind', '=', kind);

/** Prepares the queries that read categories and tags. */
export function createLabels({ reader: db, ready }: Database) {
  const select = (arg: Arg<{ blogId: string; kind: LabelKind }>) => selectLabels(db, arg('blogId'), arg('kind'));
  const all = prepareRead(ready, select);
  const one = prepareRead(ready, (arg: Arg<{ blogId: string; kind: LabelKind; id: string }>) =>
    select(arg).where('id', '=', arg('id')),
  );
  return {
    list: async (blogId: string, kind: LabelKind) => [...(await all({ blogId, kind }))].sort(inLabelOrder),
    get: async (blogId: string, kind: LabelKind, id: string) => (await one({ blogId, kind, id }))[0],
  };
}

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
