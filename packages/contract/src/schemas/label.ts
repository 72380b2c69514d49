import * as z from 'zod/mini';
import { Timestamp } from './post.ts';

/** How many published posts a category or a tag has. */
export const PostCount = z.object({ posts: z.int().check(z.minimum(0)) });

/** A category of the blog (api.md 2). */
export const Category = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  blogId: z.string(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  _count: PostCount,
});
export type Category = z.infer<typeof Category>;

/** A tag of the blog (api.md 2). */
export const Tag = z.object({
  id: z.string(),
  name: z.string(),
  blogId: z.string(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  _count: PostCount,
});
export type Tag = z.infer<typeof Tag>;
