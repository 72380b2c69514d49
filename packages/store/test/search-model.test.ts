import { randomUUID } from 'node:crypto';
import { createMemoryStore, decoded, fold } from '@broadsheet/core';
import { openStore } from '@broadsheet/store/node';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import { seedsOf } from '../../../tools/testing/seeds.ts';

const word = fc.constantFrom('alpha', 'alphabet', 'bet', 'be', 'a', 'Été', '日本語', '100%', 'x_y', '"q"', '\\');
const text = fc.array(word, { maxLength: 4 }).map((words) => words.join(' '));
const post = fc.record({
  id: fc.integer({ min: 0, max: 20 }).map((number) => `p${number}`),
  title: text,
  subtitle: text,
  status: fc.constantFrom('PUBLISHED' as const, 'PUBLISHED' as const, 'DRAFT' as const),
  publishedAt: fc.integer({ min: 0, max: 3 }).map((day) => (day ? `2024-01-0${day}T00:00:00.000Z` : null)),
});
const writes = fc.array(fc.uniqueArray(post, { selector: ({ id }) => id, maxLength: 10 }), { maxLength: 4 });
const terms = fc.uniqueArray(
  fc.constantFrom('alpha', 'bet', 'habe', 'be', 'a', 'ete', '日本語', '0%', 'x_y', '"q"', '\\', 'nowhere'),
  { minLength: 1, maxLength: 6 },
);
const range = fc.record({ offset: fc.integer({ min: 0, max: 6 }), limit: fc.integer({ min: 1, max: 6 }) });

async function agreesWithMemory(url: string, runs: number): Promise<void> {
  const store = await openStore(url);
  let blogs = 0;
  try {
    for (const seed of seedsOf())
      await fc.assert(
        fc.asyncProperty(
          writes,
          fc.array(fc.tuple(terms, range), { minLength: 1, maxLength: 8 }),
          async (batches, searches) => {
            blogs += 1;
            const id = `b${blogs}`;
            const memory = createMemoryStore();
            for (const batch of batches) {
              const blog = { id, name: id, posts: batch.map((item) => ({ ...item, slug: item.id })) };
              memory.putBlog(blog, 0);
              await store.putBlog(blog, 0);
            }
            for (const [words, cut] of searches) {
              expect(await store.searchPosts(id, words, cut)).toEqual(memory.searchPosts(id, words, cut));
            }
            expect(decoded(await store.listPosts({ id, revision: randomUUID() }, { offset: 0, limit: 50 }))).toEqual(
              memory.listPosts({ id, revision: randomUUID() }, { offset: 0, limit: 50 }),
            );
          },
        ),
        { seed, numRuns: runs },
      );
  } finally {
    await store.close();
  }
}

describeDatabases('search and order after any writes', (database) => {
  test('equal the results of the memory store', () =>
    agreesWithMemory(database.url, database.kind === 'SQLite' ? 150 : 40));
});

/** Words from very common to rare: the square makes low numbers frequent. */
const wordAt = (place: number) => `${['kar', 'lo', '東', 'mé', 'sten'][place % 5]}${(place * place) % 2003}`;
const sentence = (seed: number, length: number) =>
  Array.from({ length }, (_, index) =>
    wordAt((((seed * 31 + index * 17) % 97) * ((seed * 7 + index) % 23)) % 1500),
  ).join(' ');

async function agreesWhenLarge(url: string): Promise<void> {
  const [store, memory] = [await openStore(url), createMemoryStore()];
  const put = async (from: number, count: number, salt: number) => {
    const posts = Array.from({ length: count }, (_, step) => ({
      id: `p${from + step}`,
      slug: `p${from + step}`,
      title: sentence(from + step + salt, 4),
      subtitle: sentence(from + step + salt + 5, 5),
      status: (from + step) % 50 === 0 ? ('DRAFT' as const) : ('PUBLISHED' as const),
      publishedAt: new Date(Date.UTC(2020, 0, 1) + (from + step) * 60_000).toISOString(),
    }));
    await store.putBlog({ id: 'b', name: 'B', posts }, 0);
    memory.putBlog({ id: 'b', name: 'B', posts }, 0);
  };
  await put(0, 3000, 0);
  // Some of these posts change their words.
  await put(1000, 200, 777);
  const typed = [
    'kar',
    'lo',
    'kar1 lo',
    '東',
    '東1',
    '東12 kar',
    'me4',
    'en4 1',
    '9 8',
    'sten1849',
    'kar0 lo1 東4',
    'zz',
    'sten zz',
    '00',
  ];
  for (let place = 0; place < 30; place += 1)
    typed.push(fold(wordAt(place * 24)), fold(`${wordAt(place * 7)} ${wordAt(place * 13)}`));
  for (const q of typed) {
    for (const range of [
      { offset: 0, limit: 10 },
      { offset: 3, limit: 50 },
      { offset: 400, limit: 10 },
    ]) {
      expect(await store.searchPosts('b', q.split(' '), range), `${q} from ${range.offset}`).toEqual(
        memory.searchPosts('b', q.split(' '), range),
      );
    }
  }
  await store.close();
}

describeDatabases('search in a large blog', (database) => {
  test('returns the results of the memory store', () => agreesWhenLarge(database.url));
});
