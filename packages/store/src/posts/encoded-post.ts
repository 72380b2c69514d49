import type { Post, SnapshotPost } from '@broadsheet/contract';
import { Encoded } from '@broadsheet/core';
import type { Bytes } from '../database.ts';

/** The post as it was given. */
export function snapshotOf({ blogId: _, categories, tags, ...post }: Post, coverUrl: string | null): SnapshotPost {
  const { createdAt, updatedAt, ...words } = post;
  const ids = (labels: readonly { readonly id: string }[]) => labels.map(({ id }) => id);
  return { ...words, coverUrl, createdAt, updatedAt, categoryIds: ids(categories), tagIds: ids(tags) };
}

/** A post as it came from the database, which keeps nothing of it. */
export const encodedPost = (json: Bytes): Encoded<Post> =>
  new Encoded(typeof json === 'string' ? json : { chunks: [json], owned: true });
