import type { SnapshotBlogInput, SourceBlogInput, SourceFile } from '@broadsheet/contract';
import {
  type BlogClock,
  claimOf,
  decideSlugs,
  notesOnDates,
  outlineOf,
  type PostOutline,
  settlePost,
} from '@broadsheet/core';
import { lockBlog, readHead } from '../blogs/blogs.ts';
import type { Db } from '../sql.ts';
import { requireUrls, type StoredUrl } from './moved-urls.ts';

/** The blogs of an import, which are read more than once; a blog that is too large for memory is passed in parts. */
export type BlogSource = Iterable<SourceBlogInput> | AsyncIterable<SourceBlogInput>;

/** What the posts of a source become. */
export interface PostTotals {
  readonly published: number;
  readonly drafts: number;
  readonly scheduled: number;
  /** Published posts without a date. */
  readonly undated: number;
  readonly withoutAuthor: number;
}

/** How a blog of a source is written: what its parts decide together, and with what is stored. */
export interface BlogPlan {
  /** The ids of its posts. */
  readonly ids: ReadonlySet<string>;
  readonly files: ReadonlyMap<string, SourceFile>;
  readonly totals: PostTotals;
  /** What was corrected. */
  readonly notes: readonly string[];
  /** A part of the blog with timestamps, statuses and slugs. */
  settle(part: SourceBlogInput): SnapshotBlogInput;
}

interface PlanOptions {
  readonly now: number;
  /** Whether the posts that the source does not have are removed. */
  readonly prune: boolean;
  readonly allowMovedUrls: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Called before a blog is read. */
  load(blogId: string): Promise<void>;
}

/** Reads all parts of an import once, and decides what they leave open. @throws ContentClash */
export async function planImport(
  db: Db,
  blogs: BlogSource,
  options: PlanOptions,
): Promise<ReadonlyMap<string, BlogPlan>> {
  const found = new Map<string, { readonly clock: BlogClock; readonly posts: Map<string, PostOutline> }>();
  for await (const part of blogs) {
    options.signal?.throwIfAborted();
    await options.load(part.id);
    let blog = found.get(part.id);
    if (!blog) {
      // Nobody may change a slug or a status between this and the write.
      await lockBlog(db, part.id);
      const timeZone = part.timeZone ?? (await readHead(db, part.id))?.timeZone;
      blog = { clock: { now: options.now, timeZone }, posts: new Map() };
      found.set(part.id, blog);
    }
    for (const post of part.posts ?? []) blog.posts.set(post.id, outlineOf(post, blog.clock));
  }
  const plans = new Map<string, BlogPlan>();
  for (const [blogId, { clock, posts }] of found) {
    plans.set(blogId, await planBlog(db, blogId, { ...options, clock, posts: [...posts.values()] }));
  }
  return plans;
}

async function planBlog(
  db: Db,
  blogId: string,
  { clock, posts, prune, allowMovedUrls }: PlanOptions & { clock: BlogClock; posts: readonly PostOutline[] },
): Promise<BlogPlan> {
  const rows = await db<StoredUrl>`select id, slug, status from posts where blog_id = ${blogId}`;
  const stored = new Map(rows.map((row) => [row.id, row]));
  const ids = new Set(posts.map(({ id }) => id));
  const others = prune ? [] : rows.filter(({ id }) => !ids.has(id));
  const taken = new Set(others.map(({ slug }) => slug));
  const claims = posts.map((post) => claimOf(post, stored.get(post.id)?.slug));
  const { slugs, notes } = decideSlugs(claims, (slug) => taken.has(slug));
  const decided = posts.map((post) => ({ ...post, slug: slugs.get(post.id) ?? post.slug }));
  if (!allowMovedUrls) requireUrls(blogId, decided, stored);
  return {
    ids,
    files: new Map(posts.flatMap(({ id, file }) => (file ? [[id, file]] : []))),
    totals: totalsOf(posts),
    notes: [...notesOnDates(posts), ...notes],
    settle: ({ posts: sourcePosts, ...part }) => ({
      ...part,
      ...(sourcePosts && {
        posts: sourcePosts.map((post) => {
          const settled = settlePost(post, clock);
          return { ...settled, slug: slugs.get(post.id) ?? settled.slug };
        }),
      }),
    }),
  };
}

function totalsOf(posts: readonly PostOutline[]): PostTotals {
  const count = (matches: (post: PostOutline) => boolean) => posts.filter(matches).length;
  return {
    published: count(({ status }) => status === 'PUBLISHED'),
    drafts: count(({ status }) => status === 'DRAFT'),
    scheduled: count(({ status }) => status === 'SCHEDULED'),
    undated: count(({ status, isDated }) => status === 'PUBLISHED' && !isDated),
    withoutAuthor: count(({ hasAuthor }) => !hasAuthor),
  };
}
