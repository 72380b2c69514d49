import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../../../tools/testing/folder.ts';
import { countRows } from '../../test/count-rows.ts';
import type { Database } from '../database.ts';
import { openDatabase } from '../open-database.ts';
import type { PostSearch } from '../search/post-texts.ts';
import { createSqlStore } from '../sql-store.ts';
import { createSqliteSearch } from './search.ts';

const POSTS = 3000;
const TEN = { offset: 0, limit: 10 };
let database: Database;
let search: PostSearch;
let counter: ReturnType<typeof countRows>;

beforeAll(async () => {
  database = await openDatabase(`sqlite:${temporaryFolder().join('b.db')}`);
  const posts = Array.from({ length: POSTS }, (_, index) => ({
    id: `p${index}`,
    slug: `p${index}`,
    title: `A title ${index}${index === 7 ? ' zq xj' : ''}`,
    subtitle: 'weekly news',
    publishedAt: new Date(index * 1000).toISOString(),
  }));
  await createSqlStore(database).putBlog({ id: 'b', name: 'B', posts }, 0);
  counter = countRows(database.reader);
  search = createSqliteSearch(counter.db);
});
afterAll(() => database.close());

async function find(terms: readonly string[]): Promise<{ ids: string[]; read: number }> {
  counter.rows = 0;
  const found = await search.find('b', terms, TEN);
  return { ids: found.map(({ id }) => id), read: counter.rows };
}

test('rare terms, even of one or two characters, are found through the index', async () => {
  expect(await find(['zq', 'xj'])).toMatchObject({ ids: ['p7'] });
  for (const terms of [['zq', 'xj'], ['q'], ['qq'], ['title', 'q'], ['a', 'zq'], ['jj', 'a']]) {
    expect((await find(terms)).read, terms.join(' ')).toBeLessThan(5);
  }
});

test('common terms of any length are found in the newest posts first', async () => {
  for (const terms of [['title'], ['a'], ['a', 't'], ['title', 'e']]) {
    const { ids, read } = await find(terms);
    expect(ids[0]).toBe(`p${POSTS - 1}`);
    // The candidates, one step of posts, and the results.
    expect(read, terms.join(' ')).toBeLessThan(2100);
  }
});

test('other requests are served while all posts are being read', async () => {
  let served = false;
  setImmediate(() => {
    served = true;
  });
  expect((await find(['weekly'])).ids).toHaveLength(10);
  expect(served).toBe(true);
});
