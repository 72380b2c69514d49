import * as z from 'zod/mini';
import { Count, field, Timestamp } from './fields.ts';
import { EmbeddedCategory, EmbeddedTag } from './post.ts';

/** How many published posts a category or a tag has (api.md 2, `_count`). */
export const PostCount = z.object({ posts: field(Count, 'Number of published posts.', 1) });

/** A category of the blog (api.md 2). */
export const Category = z.extend(EmbeddedCategory, {
  createdAt: field(Timestamp, 'When the category was created.', '2026-01-31T09:00:00.000Z'),
  updatedAt: field(Timestamp, 'When the category was last changed.', '2026-01-31T09:00:00.000Z'),
  _count: field(PostCount, 'Counters of the category.'),
});
export type Category = z.infer<typeof Category>;

/** A tag of the blog (api.md 2). */
export const Tag = z.extend(EmbeddedTag, {
  createdAt: field(Timestamp, 'When the tag was created.', '2026-01-31T09:00:00.000Z'),
  updatedAt: field(Timestamp, 'When the tag was last changed.', '2026-01-31T09:00:00.000Z'),
  _count: field(PostCount, 'Counters of the tag.'),
});
export type Tag = z.infer<typeof Tag>;
