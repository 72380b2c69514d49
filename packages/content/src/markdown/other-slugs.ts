import { LIMITS } from '@broadsheet/contract';
import { slugify } from '../named-id.ts';
import type { MarkdownPost } from './markdown-post.ts';

/** The slugs of a post if another post has its slug: with its folder as a prefix, then with the folder around that. */
export function otherSlugs({ path, post }: Pick<MarkdownPost, 'path' | 'post'>): string[] {
  const folders = path.split('/').slice(0, -1).map(slugify).filter(Boolean);
  const slugs = folders.map((_, index) => [...folders.slice(-1 - index), post.slug].join('-'));
  return slugs.filter((slug) => Buffer.byteLength(slug) <= LIMITS.id.max);
}
