import { expect, test } from 'vitest';
import { createMock } from './node.ts';

test('worlds of one mock that share a cache response with their own content', async () => {
  const mock = createMock();
  const tagsOf = async (tag: string) => {
    const world = mock.world({ blog: { id: 'b', name: 'B', tags: [{ id: '1', name: tag }] } });
    const seen: string[] = [];
    for (const _ of ['first', 'again', 'cached']) {
      const response = await mock.fetch(`${mock.baseUrl}/public/tags/1`, { headers: { 'X-API-Key': world.apiKey } });
      seen.push((await response.json()).data.name);
    }
    return seen;
  };
  expect(await tagsOf('one')).toEqual(['one', 'one', 'one']);
  expect(await tagsOf('other')).toEqual(['other', 'other', 'other']);
});

test('a new world with the name of a dropped one responds with its own content', async () => {
  const mock = createMock();
  const titles = async (title: string) => {
    const world = mock.world({ name: 'again', blog: { id: 'b', name: 'B', posts: [{ id: '1', title, slug: 'one' }] } });
    const seen: string[] = [];
    for (const _ of ['first', 'again', 'cached']) {
      const response = await mock.fetch(`${mock.baseUrl}/public/posts/1`, { headers: { 'X-API-Key': world.apiKey } });
      seen.push((await response.json()).data.title);
    }
    mock.drop(world);
    return seen;
  };
  expect(await titles('Old')).toEqual(['Old', 'Old', 'Old']);
  expect(await titles('New')).toEqual(['New', 'New', 'New']);
});
