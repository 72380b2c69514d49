import { createMemoryStore, type MemoryStore } from '@broadsheet/core';
import type { SqlStore } from '@broadsheet/store';

/** An in-memory store for tests of the doors, which use only the API's port and the secret of a server's store. */
export function memoryServerStore(changes: Partial<SqlStore> = {}): { store: SqlStore; memory: MemoryStore } {
  const memory = createMemoryStore();
  const part: Partial<SqlStore> = {
    signingSecret: async () => 'a secret that only this test knows, long enough',
    close: async () => {},
  };
  return { memory, store: { ...memory, peekBlog: memory.findBlog, ...part, ...changes } as unknown as SqlStore };
}

/** A blog with a post and an ad, opened by `test-key`. */
export const TEST_BLOG = {
  id: 'news',
  name: 'News',
  apiKeys: ['test-key'],
  posts: [
    {
      id: 'p1',
      title: 'Hello world',
      slug: 'hello-world',
      publishedAt: '2026-01-31T09:00:00.000Z',
      content: 'x'.repeat(2000),
    },
  ],
  ads: [
    {
      id: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
      format: 'BANNER' as const,
      title: 'Tea',
      linkUrl: 'https://tea.example/',
    },
  ],
};
