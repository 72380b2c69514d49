import { settleBlog } from '@broadsheet/core';
import type { ContentResult } from '../src/index.ts';

/** Content as a blog in UTC that has no posts yet would store it. */
export function settled(content: ContentResult, now = Date.now()) {
  if (!content.ok) return content;
  const blogs = content.snapshot.blogs.map((blog) => settleBlog(blog, { now }));
  const notes = [...content.notes, ...blogs.flatMap(({ notes: found }) => found)];
  return { ...content, snapshot: { blogs: blogs.map(({ blog }) => blog) }, notes };
}
