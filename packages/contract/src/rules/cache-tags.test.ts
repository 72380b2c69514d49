import { expect, test } from 'vitest';
import type { EndpointId } from '../endpoints.ts';
import { tagsOf } from './cache-tags.ts';
import { tagsOfLabel, tagsOfPost } from './webhooks.ts';

test.each<[EndpointId | 'request', Record<string, string>, string[]]>([
  ['posts.list', {}, ['posts']],
  ['posts.get', { id: '7' }, ['posts', 'post:7']],
  ['posts.getBySlug', { slug: 'hello' }, ['posts', 'post:slug:hello']],
  ['categories.list', {}, ['categories']],
  ['categories.get', { id: 'c' }, ['categories', 'category:c']],
  ['categories.posts', { id: 'c' }, ['posts', 'category:c', 'category:c:posts']],
  ['tags.list', {}, ['tags']],
  ['tags.get', { id: 't' }, ['tags', 'tag:t']],
  ['tags.posts', { id: 't' }, ['posts', 'tag:t', 'tag:t:posts']],
  ['search', {}, ['posts', 'search']],
  ['ads.deliver', { format: 'BANNER' }, []],
  ['request', {}, []],
])('the tags of %s', (endpoint, params, tags) => {
  expect(tagsOf(endpoint, params)).toEqual(tags);
});

test('a post that was read has the tags of the items that it shows, and only changes of these affect it', () => {
  const post = { id: '7', categories: [{ id: 'c' }], tags: [{ id: 't' }] };
  const tags = tagsOf('posts.getBySlug', { slug: 'hello' }, { post });
  expect(tags).toEqual(['post:slug:hello', 'post:7', 'category:c:posts', 'tag:t:posts']);
  expect(tagsOf('posts.get', { id: '7' }, { post })).toEqual(tags.slice(1));
  const isConcerned = (changed: readonly string[]) => changed.some((tag) => tags.includes(tag));
  const changed = { id: '8', slugs: ['other'], categoryIds: ['c'], tagIds: ['t'] };
  expect(isConcerned(tagsOfPost(changed))).toBe(false);
  expect(isConcerned(tagsOfPost({ ...changed, id: '7' }))).toBe(true);
  expect(isConcerned(tagsOfLabel('tag', 't'))).toBe(true);
  expect(isConcerned(tagsOfLabel('category', 'd'))).toBe(false);
});

test('a post that does not exist has only the tag under which it would appear', () => {
  expect(tagsOf('posts.getBySlug', { slug: 'soon' }, { post: undefined })).toEqual(['post:slug:soon']);
});
