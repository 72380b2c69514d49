import {
  fallback,
  flag,
  type InputOf,
  id,
  list,
  nullable,
  type OutputOf,
  optional,
  paragraph,
  strictRecord,
  text,
} from './rule.ts';
import { BLOG_FIELDS, POST_FIELDS } from './snapshot.ts';

/** A timestamp, or a local time such as `2026-01-31T09:30:00`, which is in the time zone of the blog. */
const time = text({ min: 1, max: 40 });

/** The file of a post, by which its slug is decided if other posts have the same. */
const SourceFile = strictRecord({
  /** Its path inside the folder, with `/`. */
  path: paragraph,
  /** Whether the file names the slug; otherwise it was made from the path. */
  hasSlug: flag,
  /** The slugs to use instead, in order of preference. */
  otherSlugs: list(id),
});

/** A post as a source has it: its times may be local, and its status and its slug may depend on the blog. */
export const SourcePost = strictRecord({
  ...POST_FIELDS,
  publishedAt: fallback(nullable(time), null),
  scheduledAt: fallback(nullable(time), null),
  updatedAt: optional(time),
  /** When a published post appears, if this is later than the import. */
  releaseAt: optional(time),
  /** When the post disappears: it is a draft if this is over. */
  expiresAt: optional(time),
  file: optional(SourceFile),
});

/** A blog as a source has it, before it is settled; every snapshot of a blog is one. */
export const SourceBlog = strictRecord({ ...BLOG_FIELDS, posts: fallback(list(SourcePost), []) });

export type SourceFile = OutputOf<typeof SourceFile>;
export type SourceBlogInput = InputOf<typeof SourceBlog>;
export type SourcePostInput = InputOf<typeof SourcePost>;
