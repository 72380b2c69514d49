import { accept, SnapshotBlog } from '@broadsheet/contract';
import { expect, test } from 'vitest';
import { sampleBlog } from './sample-blog.ts';

test('the sample is a valid snapshot, the same for the same seed', () => {
  expect(accept(SnapshotBlog, { id: 'b', ...sampleBlog('a') })).toMatchObject({ ok: true });
  expect(sampleBlog('a')).toEqual(sampleBlog('a'));
  expect(sampleBlog('a').posts).not.toEqual(sampleBlog('b').posts);
});

test('the sample has a draft, a scheduled post, an empty category and an unused tag, for tests', () => {
  const { posts = [], categories = [], tags = [] } = sampleBlog('a');
  expect(new Set(posts.map(({ status }) => status))).toEqual(new Set(['PUBLISHED', 'DRAFT', 'SCHEDULED']));
  expect(posts.flatMap(({ categoryIds }) => categoryIds)).not.toContain(categories.at(-1)?.id);
  expect(posts.flatMap(({ tagIds }) => tagIds)).not.toContain(tags.at(-1)?.id);
});
