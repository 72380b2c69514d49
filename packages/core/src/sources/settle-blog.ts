import type { SnapshotBlogInput, SourceBlogInput } from '@broadsheet/contract';
import { decideSlugs } from './decide-slugs.ts';
import { claimOf, notesOnDates, outlineOf } from './post-outline.ts';
import { type BlogClock, settlePost } from './settle-post.ts';

/** A blog of a source as it is stored if nothing is stored yet, and notes on what was changed. */
export function settleBlog(
  { posts = [], ...blog }: SourceBlogInput,
  options: BlogClock,
): { readonly blog: SnapshotBlogInput; readonly notes: readonly string[] } {
  const clock = { timeZone: blog.timeZone, ...options };
  const outlines = posts.map((post) => outlineOf(post, clock));
  const { slugs, notes } = decideSlugs(
    outlines.map((outline) => claimOf(outline)),
    () => false,
  );
  const settled = posts.map((post) => ({ ...settlePost(post, clock), slug: slugs.get(post.id) ?? post.slug }));
  return { blog: { ...blog, posts: settled }, notes: [...notesOnDates(outlines), ...notes] };
}
