import { expect, test } from 'vitest';
import { tagsOfLabel, tagsOfPost } from './webhooks.ts';

test('a changed post expires its reads under both slugs, every list of posts, and the counts of its labels', () => {
  const post = { id: '7', slugs: ['old', 'new', 'old'], categoryIds: ['c'], tagIds: ['t'] };
  expect(tagsOfPost(post)).toEqual([
    'posts',
    'post:7',
    'post:slug:old',
    'post:slug:new',
    'categories',
    'category:c',
    'tags',
    'tag:t',
  ]);
});

test('a changed label expires its own reads, its list, and all posts, because posts contain it', () => {
  expect(tagsOfLabel('category', 'c')).toEqual(['categories', 'category:c', 'posts', 'category:c:posts']);
  expect(tagsOfLabel('tag', 't')).toEqual(['tags', 'tag:t', 'posts', 'tag:t:posts']);
});
