import { expect, it } from 'vitest';
import { compareBlogs } from './changes.ts';

const post = (id: string, more = {}) => ({ id, title: id, slug: id, ...more });
const before = {
  ...{ id: 'b', name: 'B', domains: [], apiKeys: [], tags: [], ads: [] },
  categories: [{ id: 'c', name: 'C', description: '' }],
  campaigns: ['same', 'changed', 'kept'].map((id) => ({
    ...{ id, sponsor: 'Tea & Co', name: id, kind: 'paid' as const, pace: 'even' as const, perDay: null },
    ...{ startsAt: null, endsAt: null, goal: { impressions: 10 } },
  })),
  posts: ['same', 'changed', 'gone'].map((id) => ({
    ...post(id),
    ...{ subtitle: '', content: 'x', status: 'PUBLISHED' as const, scheduledAt: null, authorId: '', coverUrl: null },
    ...{ publishedAt: '2026-01-01T00:00:00.000Z', categoryIds: ['c', 'd'], tagIds: [] },
  })),
};

it('compareBlogs lists what is new, changed, unchanged and missing', () => {
  const input = {
    id: 'b',
    name: 'B',
    campaigns: [
      { id: 'same', sponsor: 'Tea & Co', name: 'same', goal: { impressions: 10 } },
      { id: 'changed', sponsor: 'Tea & Co', name: 'changed', goal: { impressions: 20 } },
      { id: 'new', sponsor: 'Tea & Co', name: 'Spring' },
    ],
    posts: [
      post('same', { publishedAt: '2026-01-01T01:00:00+01:00', categoryIds: ['d', 'c'] }),
      post('changed', { content: 'y' }),
      post('new'),
    ],
  };
  const { isNew, kinds } = compareBlogs(input, before);
  expect(isNew).toBe(false);
  expect(kinds.posts).toEqual({ added: ['new'], changed: ['changed'], same: 1, removed: ['gone'] });
  expect(kinds.categories).toEqual({ added: [], changed: [], same: 0, removed: ['C'] });
  expect(kinds.campaigns).toEqual({ added: ['Spring'], changed: ['changed'], same: 1, removed: [] });
  expect(compareBlogs(input, undefined)).toMatchObject({ isNew: true, kinds: { posts: { same: 0, removed: [] } } });
});
