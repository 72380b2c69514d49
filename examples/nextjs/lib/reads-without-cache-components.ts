import { found, blog as uncached } from './blog';

/** Next stores these reads for an hour, under the tags that /api/revalidate renews. */
const blog = uncached.with({ fetchOptions: { next: { revalidate: 3600 } }, nextTags: true });

export async function readPosts() {
  const { items } = await blog.posts.list({ limit: 20 });
  return items;
}

export const readPost = (slug: string) => found(blog.posts.getBySlug(slug));

/** All categories, or all tags. */
export const readLabels = (kind: 'categories' | 'tags') => blog[kind].list();

/** A category or a tag, with a page of its posts. */
export async function readLabel(kind: 'categories' | 'tags', id: string, page: number) {
  const label = await found(blog[kind].get(id));
  if (!label) return undefined;
  const { items, hasNext } = await blog[kind].posts(id, { page, pageSize: 50 });
  return { ...label, items, hasNext };
}
