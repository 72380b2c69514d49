import type { SnapshotPost } from '@broadsheet/contract';
import type { GhostPost, GhostTables, GhostTag } from './ghost-tables.ts';

/** Who wrote a post and where it belongs. */
export type Relations = Pick<SnapshotPost, 'authorId' | 'categoryIds' | 'tagIds'>;

/** Tags that Ghost shows: those with a `#` before their name are for its own templates. */
export function publicTags(tags: readonly GhostTag[]): GhostTag[] {
  return tags.filter(({ name, visibility }) => visibility !== 'internal' && !name.startsWith('#'));
}

/**
 * Finds the relations of a post. Ghost has tags alone, and the first tag of a post is its section (`primary_tag`):
 * that one becomes its category as well. The first author is the author, by slug, as in Ghost's addresses.
 */
export function relationsOf(tables: GhostTables): (post: GhostPost) => Relations {
  const known = new Set(publicTags(tables.tags).map(({ id }) => id));
  const users = new Map(tables.users.map(({ id, slug }) => [id, slug]));
  const tags = linked(tables.posts_tags.map((row) => ({ ...row, id: row.tag_id })));
  const authors = linked(tables.posts_authors.map((row) => ({ ...row, id: row.author_id })));
  return ({ id, author_id }) => {
    const tagIds = (tags.get(id) ?? []).filter((tag) => known.has(tag));
    const author = authors.get(id)?.[0] ?? author_id ?? '';
    return { authorId: users.get(author) ?? author, categoryIds: tagIds.slice(0, 1), tagIds };
  };
}

/** The other ends of a table of links, by post, each once and in the author's order. */
function linked(rows: readonly { post_id: string; id: string; sort_order: number | null }[]): Map<string, string[]> {
  const byPost = new Map<string, string[]>();
  for (const { post_id, id } of rows.toSorted((a, b) => (a.sort_order ?? 0) - (b.sort_order ?? 0))) {
    const ids = byPost.get(post_id) ?? [];
    if (!ids.includes(id)) byPost.set(post_id, [...ids, id]);
  }
  return byPost;
}
