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
  const post = await found(blog.posts.getBySlug(slug));
  cacheTag(...tagsOf('posts.getBySlug', { slug }, { post }));
  return post;
}

/** All categories, or all tags. */
export async function readLabels(kind: 'categories' | 'tags') {
  'use cache';
  cacheLife('hours');
  cacheTag(...tagsOf(`${kind}.list`));
  return blog[kind].list();
}

/** A category or a tag, with a page of its posts. */
export async function readLabel(kind: 'categories' | 'tags', id: string, page: number) {
  'use cache';
  cacheLife('hours');
  cacheTag(...tagsOf(`${kind}.get`, { id }), ...tagsOf(`${kind}.posts`, { id }));
  const label = await found(blog[kind].get(id));
  if (!label) return undefined;
  const { items, hasNext } = await blog[kind].posts(id, { page, pageSize: 50 });
  return { ...label, items, hasNext };
}
