import * as z from 'zod/mini';
import { PostCount } from './category.ts';
import { Timestamp } from './timestamp.ts';

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
