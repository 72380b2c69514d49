import { describe, expect, inject, test } from 'vitest';
import { createPostgres } from '../../../tools/testing/databases.ts';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { openDatabase } from '../src/open-database.ts';
import { createPostgresSearch } from '../src/postgres/search.ts';
import { createContentReads } from '../src/posts/content-reads.ts';
import { createSqlStore } from '../src/sql-store.ts';
import { createSqliteSearch } from '../src/sqlite/search.ts';
import { countRows } from './count-rows.ts';

const POSTS = 2000;
const postgres = inject('postgres');

describe.for([
  ['SQLite', createSqliteSearch, async () => `sqlite:${temporaryFolder().join('b.db')}`],
  ['PostgreSQL', createPostgresSearch, createPostgres],
] as const)('a search with a large offset on %s', ([name, createSearch, createUrl]) => {
  test.skipIf(name === 'PostgreSQL' && !postgres)('reads no more than the posts of the blog', async () => {
    const database = await openDatabase(await createUrl());
    const posts = Array.from({ length: POSTS }, (_, index) => ({
      id: `p${index}`,
      slug: `p${index}`,
      title: `Title ${index}`,
      subtitle: 'weekly news',
      publishedAt: new Date(index * 1000).toISOString(),
    }));
    await createSqlStore(database).putBlog({ id: 'b', name: 'B', posts }, 0);
    const counter = countRows(database.reader);
    const reader = counter.db;
    const { searchPosts } = createContentReads({ ...database, reader, search: createSearch(reader) });
    const find = async (term: string, offset: number) => {
      counter.rows = 0;
      const found = await searchPosts('b', [term], { offset, limit: 10 });
      return [found.map(({ id }) => id), counter.rows] as const;
    };
    for (const term of ['title', 'weekly']) {
      for (const offset of [POSTS, 1_000_000, Number.MAX_SAFE_INTEGER])
        expect(await find(term, offset)).toEqual([[], 0]);
      const [ids, read] = await find(term, POSTS - 1);
      expect(ids).toEqual(['p0']);
      // On SQLite, the candidates of the index and every post once; PostgreSQL skips rows itself.
      expect(read).toBeLessThan(name === 'SQLite' ? 1010 + POSTS : 10);
    }
    await database.close();
  });
});
