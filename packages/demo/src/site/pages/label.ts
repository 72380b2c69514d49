import { blog } from '../blog.ts';
import type { Screen } from '../view.ts';
import { listing } from './listing.ts';

const PAGE_SIZE = 5;

/** The posts of a section. */
export const category: Screen = async ({ name, signal }) => {
  const [found, posts] = await Promise.all([
    blog.categories.get(name, { signal }),
    blog.categories.posts(name, { pageSize: PAGE_SIZE, signal }),
  ]);
  return listing({ kind: 'Section', ...found }, posts, found._count.posts);
};

/** The posts on a subject. */
export const tag: Screen = async ({ name, signal }) => {
  const [found, posts] = await Promise.all([
    blog.tags.get(name, { signal }),
    blog.tags.posts(name, { pageSize: PAGE_SIZE, signal }),
  ]);
  return listing({ kind: 'Subject', name: found.name }, posts, found._count.posts);
};
