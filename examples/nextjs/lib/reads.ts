import { tagsOf } from '@broadsheet/sdk';
import { cacheLife, cacheTag } from 'next/cache';
import { blog, found } from './blog';

export async function readPosts() {
  'use cache';
  cacheLife('hours');
  cacheTag(...tagsOf('posts.list'));
  const { items } = await blog.posts.list({ limit: 20 });
  return items;
}

export async function readPost(slug: string) {
  'use cache';
  cacheLife('hours');
  cacheTag(...tagsOf('posts.getBySlug', { slug }));
  return found(blog.posts.getBySlug(slug));
}

export async function readCategories() {
  'use cache';
  cacheLife('hours');
  cacheTag(...tagsOf('categories.list'));
  return blog.categories.list();
}

export async function readCategory(id: string) {
  'use cache';
  cacheLife('hours');
  cacheTag(...tagsOf('categories.get', { id }), ...tagsOf('categories.posts', { id }));
  const category = await found(blog.categories.get(id));
  if (!category) return undefined;
  const { items } = await blog.categories.posts(id, { pageSize: 50 });
  return { ...category, items };
}

export async function readTags() {
  'use cache';
  cacheLife('hours');
  cacheTag(...tagsOf('tags.list'));
  return blog.tags.list();
}

export async function readTag(id: string) {
  'use cache';
  cacheLife('hours');
  cacheTag(...tagsOf('tags.get', { id }), ...tagsOf('tags.posts', { id }));
  const tag = await found(blog.tags.get(id));
  if (!tag) return undefined;
  const { items } = await blog.tags.posts(id, { pageSize: 50 });
  return { ...tag, items };
}
