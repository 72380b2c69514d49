import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../../tools/testing/folder.ts';
import { openStore } from '../../test/open-store.ts';

test('after an import the index of search is in one part, and finds what it found', async () => {
  const path = temporaryFolder().join('b.db');
  const store = await openStore(`sqlite:${path}`);
  const post = (id: number) => ({
    id: `p${id}`,
    slug: `p${id}`,
    title: `word${id} every ${id % 7}`,
    subtitle: `sub${id % 100}`,
  });
  const write = (first: number, count: number) =>
    store.putBlog({ id: 'b', name: 'B', posts: Array.from({ length: count }, (_, step) => post(first + step)) }, 0);
  const parts = () => {
    const connection = new DatabaseSync(path);
    const row = connection.prepare('select count(distinct segid) as parts from post_search_idx').get();
    connection.close();
    return row?.['parts'];
  };
  for (let index = 0; index < 3; index += 1) await write(index * 10, 10);
  expect(parts()).toBeGreaterThan(1);
  await write(100, 1200);
  expect(parts()).toBe(1);
  for (const id of [25, 129, 1299]) {
    const found = await store.searchPosts('b', [`word${id}`, 'every'], { offset: 0, limit: 50 });
    expect(found.map((item) => item.id)).toContain(`p${id}`);
  }
  await store.close();
});
