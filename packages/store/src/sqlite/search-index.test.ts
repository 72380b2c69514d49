import { createMemoryStore } from '@broadsheet/core';
import { expect, test } from 'vitest';
import { openStore } from '../../test/open-store.ts';

const post = (id: string, instant: number) => ({
  id,
  slug: id,
  title: `needle ${id}`,
  publishedAt: new Date(instant).toISOString(),
});

test('more posts between two others than there are rows free are found, in order', async () => {
  const [store, memory] = [await openStore('sqlite::memory:'), createMemoryStore()];
  const put = async (posts: ReturnType<typeof post>[]) => {
    const blog = { id: 'b', name: 'B', posts };
    await store.putBlog(blog, 0);
    memory.putBlog(blog, 0);
  };
  await put([post('first', 0), post('last', 10_000_000)]);
  await put(Array.from({ length: 1500 }, (_, index) => post(`between-${index}`, 1000 + index)));
  // One at a time, each right below the one before: the free rows are halved until none is left.
  for (let index = 0; index < 15; index += 1) await put([post(`late-${index}`, 9_000_000 - index)]);
  for (const terms of [['needle'], ['between'], ['late'], ['needle', '-1'], ['last']]) {
    for (const range of [
      { offset: 0, limit: 50 },
      { offset: 1490, limit: 50 },
    ]) {
      expect(await store.searchPosts('b', terms, range)).toEqual(memory.searchPosts('b', terms, range));
    }
  }
  await store.close();
});
