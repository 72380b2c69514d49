import { expect, test } from 'vitest';
import { createMock, createSharedCache } from './node.ts';

test('a world sees what it stored, and nothing of another', () => {
  const part = createSharedCache(1000);
  const [one, other] = [part(), part()];
  const answer = { id: 'tags.list', body: '[]' } as const;
  for (const _ of ['first', 'again']) one.offer('key', answer);
  expect(new TextDecoder().decode(one.get('key')?.body)).toBe('[]');
  expect(other.get('key')).toBeUndefined();
});

test('a world of the same name, made anew, answers with its own content', async () => {
  const mock = createMock();
  const titles = async (title: string) => {
    const world = mock.world({ name: 'again', blog: { id: 'b', name: 'B', posts: [{ id: '1', title, slug: 'one' }] } });
    const seen: string[] = [];
    for (const _ of ['first', 'again', 'cached']) {
      const answer = await mock.fetch(`${mock.baseUrl}/public/posts/1`, { headers: { 'X-API-Key': world.apiKey } });
      seen.push((await answer.json()).data.title);
    }
    mock.drop(world);
    return seen;
  };
  expect(await titles('Old')).toEqual(['Old', 'Old', 'Old']);
  expect(await titles('New')).toEqual(['New', 'New', 'New']);
});
