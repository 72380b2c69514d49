import type { Category, Tag } from '@broadsheet/contract';
import { codeUnitOrder } from '@broadsheet/core';
import type { Db } from '../sql.ts';
import type { LabelKind, Tables } from '../tables.ts';

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
