import * as z from 'zod/mini';
import { POST_STATUSES } from '../rules/enums.ts';
import { Count, field, Timestamp } from './fields.ts';

const moment = '2026-01-31T09:00:00.000Z';

/** The states a post can be in; public responses only ever carry `PUBLISHED` (api.md 3). */
export const PostStatus = z.enum(POST_STATUSES);
export type PostStatus = z.infer<typeof PostStatus>;

/** A category as a post carries it (api.md 2, Post). */
export const EmbeddedCategory = z.object({
  id: field(z.string(), 'Identifies the category.', 'c1'),
  name: field(z.string(), 'Display name.', 'Craft'),
  description: field(z.string(), 'What the category is about; may be empty.', 'How things are made'),
  blogId: field(z.string(), 'The blog the category belongs to.', 'my-blog'),
});
export type EmbeddedCategory = z.infer<typeof EmbeddedCategory>;

/** A tag as a post carries it (api.md 2, Post). */
export const EmbeddedTag = z.object({
  id: field(z.string(), 'Identifies the tag.', 't1'),
  name: field(z.string(), 'Display name.', 'letterpress'),
  blogId: field(z.string(), 'The blog the tag belongs to.', 'my-blog'),
});
export type EmbeddedTag = z.infer<typeof EmbeddedTag>;

/** A published post (api.md 2). */
export const Post = z.object({
  id: field(z.string(), 'Identifies the post.', 'p1'),
  title: field(z.string(), 'Title.', 'Hello world'),
  subtitle: field(z.string(), 'Supporting line below the title; may be empty.', 'The first of many'),
  content: field(
    z.string(),
    'Body: HTML or Markdown, as the editor produced it. Sanitize it before you insert it into a page.',
    'Set in **Caslon**, printed by hand.',
  ),
  slug: field(z.string(), 'Readable identifier for the URL of the post.', 'hello-world'),
  status: field(PostStatus, 'State of the post: always `PUBLISHED` in public responses.', 'PUBLISHED'),
  publishedAt: field(z.nullable(Timestamp), 'When the post was published.', moment),
  scheduledAt: field(z.nullable(Timestamp), 'The time for which the post was scheduled, if any.', null),
  blogId: field(z.string(), 'The blog the post belongs to.', 'my-blog'),
  authorId: field(z.string(), 'Identifies the author; may be empty.', 'author-1'),
  createdAt: field(Timestamp, 'When the post was created.', moment),
  updatedAt: field(Timestamp, 'When the post was last changed.', moment),
  categories: field(z.array(EmbeddedCategory), 'The categories of the post.'),
  tags: field(z.array(EmbeddedTag), 'The tags of the post.'),
});
export type Post = z.infer<typeof Post>;

/** A post in the list of a category or a tag: all but these five fields may be absent (api.md 2). */
export const PostSummary = z.extend(
  z.partial(Post),
  z.pick(Post, { id: true, title: true, slug: true, status: true, publishedAt: true }).shape,
);
export type PostSummary = z.infer<typeof PostSummary>;

/** How many published posts a category or a tag has (api.md 2, `_count`). */
export const PostCount = z.object({ posts: field(Count, 'Number of published posts.', 1) });

/** A category of the blog (api.md 2). */
export const Category = z.extend(EmbeddedCategory, {
  createdAt: field(Timestamp, 'When the category was created.', moment),
  updatedAt: field(Timestamp, 'When the category was last changed.', moment),
  _count: field(PostCount, 'Counters of the category.'),
});
export type Category = z.infer<typeof Category>;

/** A tag of the blog (api.md 2). */
export const Tag = z.extend(EmbeddedTag, {
  createdAt: field(Timestamp, 'When the tag was created.', moment),
  updatedAt: field(Timestamp, 'When the tag was last changed.', moment),
  _count: field(PostCount, 'Counters of the tag.'),
});
export type Tag = z.infer<typeof Tag>;
