import * as z from 'zod/mini';
import { _isoDateTime, $ZodISODateTime } from 'zod/v4/core';
import { POST_STATUSES } from '../rules/enums.ts';

/** An instant as ISO 8601 in UTC, as api.md 2 asks of every timestamp. An explicit zone is read as well. */
// By its own name: `z.iso` would bring every format along, and a helper that each page then loads.
export const Timestamp = _isoDateTime($ZodISODateTime, { offset: true });

/** The states a post can be in; public answers only ever carry `PUBLISHED` (api.md 3). */
export const PostStatus = z.enum(POST_STATUSES);
export type PostStatus = z.infer<typeof PostStatus>;

/** A category as a post carries it (api.md 2, Post). */
export const EmbeddedCategory = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  blogId: z.string(),
});
export type EmbeddedCategory = z.infer<typeof EmbeddedCategory>;

/** A tag as a post carries it (api.md 2, Post). */
export const EmbeddedTag = z.object({ id: z.string(), name: z.string(), blogId: z.string() });
export type EmbeddedTag = z.infer<typeof EmbeddedTag>;

/** A published post (api.md 2). */
export const Post = z.object({
  id: z.string(),
  title: z.string(),
  subtitle: z.string(),
  content: z.string(),
  slug: z.string(),
  status: PostStatus,
  publishedAt: z.nullable(Timestamp),
  scheduledAt: z.nullable(Timestamp),
  blogId: z.string(),
  authorId: z.string(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  categories: z.array(EmbeddedCategory),
  tags: z.array(EmbeddedTag),
});
export type Post = z.infer<typeof Post>;

/** The fields no list of posts leaves out: items per category or tag may carry only these (api.md 2). */
export const PostSummary = z.extend(z.partial(Post), {
  id: z.string(),
  title: z.string(),
  slug: z.string(),
  status: PostStatus,
  publishedAt: z.nullable(Timestamp),
});
export type PostSummary = z.infer<typeof PostSummary>;
