import { expect, test } from 'vitest';
import { createMemoryStore } from '../index.ts';

const post = { id: 'p', title: 'P', slug: 's' };

test.each([
  [[{ ...post, categoryIds: ['c'] }], 'Post p names the category c, which does not exist.'],
  [[{ ...post, tagIds: ['t'] }], 'Post p names the tag t, which does not exist.'],
  [[post, { ...post, id: 'q' }], 'Posts p and q have the same slug s.'],
])('inconsistent posts are refused, and the error names them: %j', (posts, message) => {
  const store = createMemoryStore();
  expect(() => store.putBlog({ id: 'b', name: 'B', posts }, 0)).toThrow(message);
});
