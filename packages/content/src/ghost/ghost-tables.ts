import * as z from 'zod/mini';

const text = z.nullish(z.string());
const order = z._default(z.nullable(z.number()), 0);

const GhostPost = z.object({
  id: z.string(),
  title: z.string(),
  slug: z.string(),
  html: text,
  plaintext: text,
  lexical: text,
  mobiledoc: text,
  feature_image: text,
  custom_excerpt: text,
  type: z.optional(z.string()),
  /** Exports of versions before Ghost 3 mark pages here. */
  page: z.optional(z.union([z.boolean(), z.number()])),
  status: z.string(),
  visibility: text,
  published_at: text,
  created_at: text,
  updated_at: text,
  author_id: text,
});
export type GhostPost = z.infer<typeof GhostPost>;

const GhostTag = z.object({
  id: z.string(),
  name: z.string(),
  description: text,
  visibility: text,
  created_at: text,
  updated_at: text,
});
export type GhostTag = z.infer<typeof GhostTag>;

/** The tables and columns of a Ghost export that Broadsheet can store; all others are ignored. */
export const GhostTables = z.object({
  posts: z.array(GhostPost),
  tags: z._default(z.array(GhostTag), []),
  users: z._default(z.array(z.object({ id: z.string(), name: z.string(), slug: z.string() })), []),
  posts_tags: z._default(z.array(z.object({ post_id: z.string(), tag_id: z.string(), sort_order: order })), []),
  posts_meta: z._default(
    z.array(z.object({ post_id: z.string(), email_only: z.nullish(z.union([z.boolean(), z.number()])) })),
    [],
  ),
  posts_authors: z._default(z.array(z.object({ post_id: z.string(), author_id: z.string(), sort_order: order })), []),
  settings: z._default(z.array(z.object({ key: z.string(), value: z.unknown() })), []),
});
export type GhostTables = z.infer<typeof GhostTables>;
