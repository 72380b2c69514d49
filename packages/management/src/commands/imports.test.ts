import type { ImportedBlog } from '@broadsheet/store';
import { expect, test } from 'vitest';
import { describeImport } from './imports.ts';

const nothing = { posts: 0, categories: 0, tags: 0, ads: 0, campaigns: 0 };
const none = { added: [], changed: [], removed: [] };
const blog: ImportedBlog = {
  ...{ id: 'news', ...nothing, newPosts: 0, changed: [], pruned: nothing, newKey: undefined, notes: [] },
  totals: { published: 0, drafts: 0, scheduled: 0, undated: 0, withoutAuthor: 0 },
  changes: { posts: none, categories: none, tags: none, ads: none, campaigns: none } as never,
};

test('the log counts the items of each kind that an import has written or removed', () => {
  expect(describeImport(blog)).toBe('imported 0 posts, 0 of them new');
  const written = { ...blog, posts: 5, newPosts: 1, categories: 2, tags: 3, ads: 5, campaigns: 1 };
  const changed = ['ads', 'time zone'] as const;
  expect(describeImport({ ...written, changed, pruned: { ...nothing, posts: 6, tags: 1 } }, 'news.json')).toBe(
    'imported “news.json”: 5 posts, 1 of them new, 2 categories, 3 tags, 5 ads, 7 removed; changed the time zone',
  );
});
