import { decoded } from '@broadsheet/core';
import { expect, test } from 'vitest';
import { describeDatabases } from '../../../../tools/testing/databases.ts';
import { openStore } from '../open-store.ts';

const timeOf = (index: number) => new Date(Date.UTC(2020, 0, 1) + Math.floor(index / 7) * 60_000).toISOString();
const posts = (count: number, first = 0) =>
  Array.from({ length: count }, (_, index) => ({
    id: `p${String(first + index).padStart(6, '0')}`,
    title: 'A post',
    slug: `s${first + index}`,
    publishedAt: timeOf(first + index),
    tagIds: (first + index) % 2 === 0 ? ['t', 'even'] : ['t'],
  }));

describeDatabases('a page at any depth', (database) => {
  test('contains the same posts as counting from the top, even after a write', async () => {
    const store = await openStore(database.url);
    await store.putBlog(
      {
        id: 'b',
        name: 'B',
        apiKeys: ['key'],
        tags: [
          { id: 't', name: 'T' },
          { id: 'even', name: 'Even' },
        ],
        posts: posts(3500),
      },
      0,
    );
    const version = async () => (await store.findBlog('key')) ?? { id: 'nobody', revision: '' };
    const ids = async (offset: number) =>
      decoded(await store.listPosts(await version(), { offset, limit: 3 })).map(({ id }) => id);
    const tagged = async (offset: number, tag = 't', limit = 3) =>
      decoded((await store.listTagPosts(await version(), tag, { offset, limit }))?.items)?.map(({ id }) => id);
    const expected = (total: number, offset: number) =>
      [0, 1, 2]
        .map((step) => total - 1 - offset - step)
        .filter((index) => index >= 0)
        .map((index) => `p${String(index).padStart(6, '0')}`);

    const offsets = [0, 999, 1000, 1001, 2000, 3000, 3001, 3498, 3500, 1e9];
    expect(await Promise.all(offsets.map(ids))).toEqual(offsets.map((offset) => expected(3500, offset)));
    for (const offset of offsets) expect(await tagged(offset)).toEqual(expected(3500, offset));
    for (const offset of [1, 700, 1749])
      expect(await tagged(offset, 'even', 1)).toEqual([`p${String(3498 - 2 * offset).padStart(6, '0')}`]);

    await store.putBlog({ id: 'b', name: 'B', posts: posts(2, 3500) }, 0);
    for (const offset of offsets) expect(await ids(offset)).toEqual(expected(3502, offset));
    await store.close();
  });
});
