import { expect, test } from 'vitest';
import type { EndpointId } from '../endpoints.ts';
import { tagsOf } from './cache-tags.ts';

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
