import { blog, found } from './blog';

export async function readPosts() {
  const { items } = await blog.posts.list({ limit: 20 });
  return items;
}

export async function readPost(slug: string) {
  return found(blog.posts.getBySlug(slug));
}

export async function readCategories() {
  return blog.categories.list();
}

export async function readCategory(id: string) {
  const category = await found(blog.categories.get(id));
  if (!category) return undefined;
  const { items } = await blog.categories.posts(id, { pageSize: 50 });
  return { ...category, items };
}

export async function readTags() {
  return blog.tags.list();
}

export async function readTag(id: string) {
  const tag = await found(blog.tags.get(id));
  if (!tag) return undefined;
  const { items } = await blog.tags.posts(id, { pageSize: 50 });
  return { ...tag, items };
}
