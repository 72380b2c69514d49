import { randomUUID } from 'node:crypto';
import type { SnapshotBlog } from '@broadsheet/contract';

type Label = Pick<SnapshotBlog['categories'][number], 'id'>;

/** What the checks of a snapshot look at. */
export interface CheckedBlog extends Pick<SnapshotBlog, 'id' | 'domains' | 'apiKeys'> {
  readonly categories: readonly Label[];
  readonly tags: readonly Label[];
  readonly posts: readonly Pick<SnapshotBlog['posts'][number], 'id' | 'slug' | 'categoryIds' | 'tagIds'>[];
  readonly ads: readonly Pick<SnapshotBlog['ads'][number], 'id' | 'startsAt' | 'endsAt'>[];
}

/**
 * A snapshot that its schema refuses, as far as it can be checked all the same, so that whoever mends it learns
 * everything at once. What is missing or of another kind is given a value that contradicts nothing.
 */
export function looseSnapshot(json: unknown): readonly CheckedBlog[] {
  const id = (value: unknown) => (typeof value === 'string' ? value : randomUUID());
  const date = (value: unknown) => (typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : null);
  return records(json, 'blogs').map((blog) => {
    const labels = { categories: records(blog, 'categories'), tags: records(blog, 'tags') };
    // A category without an id may be the very one that a post names.
    const named = (list: keyof typeof labels, ids: unknown) =>
      labels[list].every((label) => typeof label['id'] === 'string') ? texts(ids) : [];
    return {
      id: id(blog['id']),
      domains: texts(blog['domains']),
      apiKeys: texts(blog['apiKeys']),
      categories: labels.categories.map((label) => ({ id: id(label['id']) })),
      tags: labels.tags.map((label) => ({ id: id(label['id']) })),
      posts: records(blog, 'posts').map((post) => ({
        id: id(post['id']),
        slug: id(post['slug']),
        categoryIds: named('categories', post['categoryIds']),
        tagIds: named('tags', post['tagIds']),
      })),
      ads: records(blog, 'ads').map((ad) => ({
        id: id(ad['id']),
        startsAt: date(ad['startsAt']),
        endsAt: date(ad['endsAt']),
      })),
    };
  });
}

type Fields = Readonly<Record<string, unknown>>;

/** The items of a list, each in its place; one that is no object has no fields. */
function records(owner: unknown, list: string): Fields[] {
  const items: unknown = isObject(owner) ? owner[list] : undefined;
  return Array.isArray(items) ? items.map((item: unknown) => (isObject(item) ? item : {})) : [];
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

/** Only a list of nothing but texts: otherwise the places would not be those of the file. */
function texts(value: unknown): string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : [];
}
