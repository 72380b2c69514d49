import type { SnapshotPost } from '@broadsheet/contract';

/**
 * Refuses posts that name a category or a tag the blog does not have, or share a slug.
 *
 * @throws Error that names the post and the problem
 */
export function checkPosts(
  posts: Iterable<SnapshotPost>,
  categories: ReadonlyMap<string, unknown>,
  tags: ReadonlyMap<string, unknown>,
): void {
  const owners = new Map<string, string>();
  for (const { id, slug, categoryIds, tagIds } of posts) {
    const category = categoryIds.find((categoryId) => !categories.has(categoryId));
    if (category !== undefined) throw new Error(`Post ${id} names the category ${category}, which does not exist.`);
    const tag = tagIds.find((tagId) => !tags.has(tagId));
    if (tag !== undefined) throw new Error(`Post ${id} names the tag ${tag}, which does not exist.`);
    const owner = owners.get(slug);
    if (owner !== undefined) throw new Error(`Posts ${owner} and ${id} have the same slug ${slug}.`);
    owners.set(slug, id);
  }
}

/** Properties that are not compared: a write may leave them out, and a renamed file has another id. */
const IGNORED: ReadonlySet<string> = new Set(['id', 'blogId', 'createdAt', 'updatedAt']);

/** Whether a post, category or tag that is written differs from what is stored; labels have no order. */
export function isChanged<T extends object>(before: T, after: T): boolean {
  return Object.entries(after).some(([name, value]) => {
    const old: unknown = before[name as keyof T];
    return !IGNORED.has(name) && value !== old && !(Array.isArray(value) && Array.isArray(old) && areSame(value, old));
  });
}

function areSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  const [before, after] = [new Set(one), new Set(other)];
  return before.size === after.size && one.every((id) => after.has(id));
}
