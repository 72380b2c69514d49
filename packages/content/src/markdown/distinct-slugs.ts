import { slugify } from '../named-id.ts';
import type { MarkdownPost } from './markdown-post.ts';

/**
 * Gives every post a unique slug. If several posts have the same slug, one that is not a draft keeps it, then one that
 * sets it in its front matter, then the first by path; the others add their folders as a prefix or a number as a suffix. The same files get
 * the same slugs at every import. A note names each post whose slug had to change.
 */
export function distinctSlugs(posts: readonly MarkdownPost[]) {
  const owner = new Map<string, MarkdownPost>();
  const inOrder = [...posts].sort(
    (a, b) =>
      Number(isDraft(a)) - Number(isDraft(b)) ||
      Number(b.slugWritten) - Number(a.slugWritten) ||
      (a.path < b.path ? -1 : 1),
  );
  for (const post of inOrder) if (!owner.has(post.post.slug)) owner.set(post.post.slug, post);
  const notes: string[] = [];
  const distinct = posts.map((entry): MarkdownPost => {
    const { slug } = entry.post;
    const holder = owner.get(slug);
    if (holder === entry) return entry;
    const free = candidates(entry).find((candidate) => !owner.has(candidate)) ?? entry.post.id;
    owner.set(free, entry);
    notes.push(`${entry.path}: the slug "${slug}" is taken by ${holder?.path}; this post is "${free}"`);
    return { ...entry, post: { ...entry.post, slug: free } };
  });
  return { posts: distinct, notes };
}

const isDraft = ({ post }: MarkdownPost): boolean => post.status === 'DRAFT';

function candidates({ path, post }: MarkdownPost): string[] {
  const folders = path.split('/').slice(0, -1).map(slugify).filter(Boolean);
  const withFolders = folders.map((_, index) => [...folders.slice(-1 - index), post.slug].join('-'));
  return [...withFolders, ...Array.from({ length: 8 }, (_, index) => `${post.slug}-${index + 2}`)];
}
