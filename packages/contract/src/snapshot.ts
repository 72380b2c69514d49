import * as z from 'zod/mini';
import { AdFormat } from './ad.ts';
import { PostStatus } from './post.ts';
import { Timestamp } from './timestamp.ts';

const text = z.string();
const id = z.string().check(z.minLength(1));
/** Any zone may be written; what is kept is UTC, as api.md 2 asks, with milliseconds, so that text sorts as time. */
const instant = z.pipe(
  Timestamp,
  z.transform((text) => new Date(text).toISOString()),
);
const moment = z.nullable(instant);
/** What browsers drop from an address before they read its scheme. */
const ignoredByBrowsers = /[\p{Cc}\s]/gu;
const schemeOf = (address: string): string | undefined =>
  /^([a-z][a-z0-9+.-]*):/i.exec(address.replace(ignoredByBrowsers, ''))?.[1]?.toLowerCase();

/** An address on the web, whole or relative to the page; a scheme that runs code cannot come in. */
const address = (schemes: readonly string[]) =>
  text.check(
    z.refine((value) => schemes.includes(schemeOf(value) ?? 'https'), {
      error: `Expected an address with ${schemes.map((scheme) => `${scheme}:`).join(' or ')}`,
    }),
  );

/** A category as a snapshot holds it. */
export const SnapshotCategory = z.strictObject({
  id,
  name: text,
  description: z._default(text, ''),
  createdAt: z.optional(instant),
  updatedAt: z.optional(instant),
});

/** A tag as a snapshot holds it. */
export const SnapshotTag = z.strictObject({
  id,
  name: text,
  createdAt: z.optional(instant),
  updatedAt: z.optional(instant),
});

/** A post as a snapshot holds it, drafts and scheduled posts included. */
export const SnapshotPost = z.strictObject({
  id,
  title: text,
  subtitle: z._default(text, ''),
  content: z._default(text, ''),
  slug: id,
  status: z._default(PostStatus, 'PUBLISHED'),
  publishedAt: z._default(moment, null),
  scheduledAt: z._default(moment, null),
  authorId: z._default(text, ''),
  coverUrl: z._default(z.nullable(text), null),
  createdAt: z.optional(instant),
  updatedAt: z.optional(instant),
  categoryIds: z._default(z.array(id), []),
  tagIds: z._default(z.array(id), []),
});

/** An ad as a snapshot holds it. */
export const SnapshotAd = z.strictObject({
  id: z.guid(),
  format: AdFormat,
  priority: z._default(z.int(), 0),
  active: z._default(z.boolean(), true),
  startsAt: z._default(moment, null),
  endsAt: z._default(moment, null),
  imageUrl: z._default(z.nullable(address(['https', 'http', 'data'])), null),
  linkUrl: z._default(z.nullable(address(['https', 'http'])), null),
  title: z._default(z.nullable(text), null),
  content: z._default(z.nullable(text), null),
  linkText: z._default(z.nullable(text), null),
});

/** One blog with everything in it. */
export const SnapshotBlog = z.strictObject({
  id,
  name: text,
  domains: z._default(z.array(id), []),
  apiKeys: z._default(z.array(id), []),
  categories: z._default(z.array(SnapshotCategory), []),
  tags: z._default(z.array(SnapshotTag), []),
  posts: z._default(z.array(SnapshotPost), []),
  ads: z._default(z.array(SnapshotAd), []),
});

/** Blogs as one file: what `broadsheet import` takes and `broadsheet export` gives. */
export const Snapshot = z.strictObject({ blogs: z.array(SnapshotBlog) });

export type Snapshot = z.infer<typeof Snapshot>;
/** A snapshot as it may be written, with what has a default left out. */
export type SnapshotInput = z.input<typeof Snapshot>;
export type SnapshotBlog = z.infer<typeof SnapshotBlog>;
export type SnapshotBlogInput = z.input<typeof SnapshotBlog>;
export type SnapshotPost = z.infer<typeof SnapshotPost>;
export type SnapshotCategory = z.infer<typeof SnapshotCategory>;
export type SnapshotTag = z.infer<typeof SnapshotTag>;
export type SnapshotAd = z.infer<typeof SnapshotAd>;
