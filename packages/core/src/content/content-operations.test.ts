import { expect, test } from 'vitest';
import { createApi, createMemoryStore } from '../index.ts';

const store = createMemoryStore();
store.putBlog({ id: 'b', name: 'B', apiKeys: ['key'], posts: [{ id: '1', title: 'One', slug: 'one' }] }, 0);
const random = { uuid: () => 'id', below: () => 0 };
const api = createApi({ store, clock: Date, random, hmac: () => '', docsUrl: '' });
const get = async (path: string) => {
  const response = await api.fetch(
    new Request(`https://blog.example/public${path}`, { headers: { 'X-API-Key': 'key' } }),
  );
  return response.json();
};

test.each([
  ['post', '/posts/none'],
  ['post', '/posts/slug/none'],
  ['category', '/categories/none'],
  ['category', '/categories/none/posts'],
  ['tag', '/tags/none'],
  ['tag', '/tags/none/posts'],
])('the error for a missing %s names its kind: %s', async (kind, path) => {
  const message = `There is no such ${kind}, or it is not published.`;
  expect(await get(path)).toMatchObject({ error: { code: 'NOT_FOUND', message } });
});

test('a search term of combining marks finds nothing on its own, and is ignored among others', async () => {
  const marks = '\u0301\u0301\u0301';
  expect((await get(`/search?q=${encodeURIComponent(marks)}`)).data).toEqual({
    data: [],
    meta: { q: marks, limit: 10, offset: 0, count: 0 },
  });
  expect((await get(`/search?q=${encodeURIComponent(`one ${marks}`)}`)).data.data).toMatchObject([{ id: '1' }]);
});
