import type { Post, SnapshotPost } from '@broadsheet/contract';
import { Encoded, publicPost } from '@broadsheet/core';
import type { Bytes } from '../database.ts';
import { embedCategories, embedTags, type WrittenLabels } from './label-writes.ts';

/** What a post carries beside its own fields. */
export interface PostFrame {
  readonly blogId: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly categories: WrittenLabels;
  readonly tags: WrittenLabels;
}

/** A post as it leaves the store. It is written in this form, so that reading it is nothing but copying. */
export function toPost(post: SnapshotPost, { blogId, createdAt, updatedAt, categories, tags }: PostFrame): Post {
  return publicPost(post, {
    blogId,
    createdAt,
    updatedAt,
    categories: embedCategories(categories, post.categoryIds),
    tags: embedTags(tags, post.tagIds),
  });
}

/** The post as it was given. */
export function snapshotOf({ blogId: _, categories, tags, ...post }: Post, coverUrl: string | null): SnapshotPost {
  const { createdAt, updatedAt, ...words } = post;
  const ids = (labels: readonly { readonly id: string }[]) => labels.map(({ id }) => id);
  return { ...words, coverUrl, createdAt, updatedAt, categoryIds: ids(categories), tagIds: ids(tags) };
}

/** A post as it came from the database, which keeps nothing of it. */
export const encodedPost = (json: Bytes): Encoded<Post> =>
  new Encoded(typeof json === 'string' ? json : { chunks: [json], owned: true });
