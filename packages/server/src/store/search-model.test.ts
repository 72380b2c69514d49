import { createMemoryStore, decoded } from '@broadsheet/core';
import fc from 'fast-check';
import { describe, expect, inject, test } from 'vitest';
import { openStore } from './open-store.ts';
import { createDatabase } from './postgres-testing.ts';

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
    await fc.assert(
      fc.asyncProperty(
        writes,
        fc.array(fc.tuple(terms, range), { minLength: 1, maxLength: 8 }),
        async (batches, asked) => {
          blogs += 1;
          const id = `b${blogs}`;
          const memory = createMemoryStore();
          for (const batch of batches) {
            const blog = { id, name: id, posts: batch.map((item) => ({ ...item, slug: item.id })) };
            memory.putBlog(blog, 0);
            await store.putBlog(blog, 0);
          }
          for (const [words, cut] of asked) {
            expect(await store.searchPosts(id, words, cut)).toEqual(memory.searchPosts(id, words, cut));
          }
          expect(decoded(await store.listPosts(id, { offset: 0, limit: 50 }))).toEqual(
            memory.listPosts(id, { offset: 0, limit: 50 }),
          );
        },
      ),
      { numRuns: runs },
    );
  } finally {
    await store.close();
  }
}

describe('search and order after any writes are those of the memory store', () => {
  test('SQLite', () => agreesWithMemory('sqlite::memory:', 150));
  const postgres = inject('postgres');
  test.skipIf(!postgres)('PostgreSQL', async () => agreesWithMemory(await createDatabase(postgres), 40));
});
