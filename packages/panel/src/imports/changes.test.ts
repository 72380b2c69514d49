import { expect, it } from 'vitest';
import { changesOf } from './changes.ts';

const none = { added: [], changed: [], removed: [] };
const imported = {
  ...{ id: 'b', posts: 3, categories: 0, tags: 0, campaigns: 3, ads: 0 },
  changes: {
    ...{ categories: none, tags: none, ads: none },
    posts: { added: ['New'], changed: ['Changed'], removed: [] },
    campaigns: { added: ['Spring'], changed: [], removed: [] },
  },
};
const before = {
  ...{ id: 'b', name: 'B', domains: [], apiKeys: [], tags: [], ads: [], campaigns: [] },
  categories: [{ id: 'c', name: 'C', description: '' }],
  posts: ['same', 'gone'].map((id) => ({
    ...{ id, title: id, slug: id, subtitle: '', content: 'x', status: 'PUBLISHED' as const, scheduledAt: null },
    ...{ authorId: '', coverUrl: null, publishedAt: '2026-01-01T00:00:00.000Z', categoryIds: [], tagIds: [] },
  })),
};

it('changesOf lists what is new, changed, unchanged and missing', () => {
  const post = (id: string) => ({ id, title: id, slug: id });
  const source = { id: 'b', name: 'B', posts: ['same', 'changed', 'new'].map(post) };
  const { isNew, kinds } = changesOf(imported, source, before);
  expect(isNew).toBe(false);
  expect(kinds.posts).toEqual({ added: ['New'], changed: ['Changed'], same: 1, missing: ['gone'] });
  expect(kinds.categories).toEqual({ added: [], changed: [], same: 0, missing: ['C'] });
  expect(kinds.campaigns).toEqual({ added: ['Spring'], changed: [], same: 2, missing: [] });
  expect(changesOf(imported, source, undefined)).toMatchObject({ isNew: true, kinds: { posts: { missing: [] } } });
});
