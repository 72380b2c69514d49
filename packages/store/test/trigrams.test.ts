import { openStore } from '@broadsheet/store/node';
import { expect, inject, test, vi } from 'vitest';
import { createPostgres } from '../../../tools/testing/databases.ts';
import { queryPostgres } from '../../../tools/testing/query-postgres.ts';

const postgres = inject('postgres');
const INDEXES = `select indexname from pg_indexes where indexname = 'post_texts_by_trigram'`;
const all = { offset: 0, limit: 10 };

/** The URL of a database for a user who may create tables, but no extensions. */
async function createPlain(): Promise<string> {
  const url = await createPostgres('template0');
  const user = `plain_${/test_(\w+)/.exec(url)?.[1]}`;
  await queryPostgres(url, `create role ${user} login; grant create, usage on schema public to ${user}`);
  return url.replace('postgres@', `${user}@`);
}

test.skipIf(!postgres)(
  'without pg_trgm, search finds the same posts after one warning, and a later start uses the extension',
  async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    try {
      const url = await createPlain();
      const store = await openStore(url);
      expect(warn).toHaveBeenCalledOnce();
      expect(warn.mock.lastCall?.[0]).toContain('CREATE EXTENSION pg_trgm');
      await store.putBlog({ id: 'b', name: 'B', posts: [{ id: 'p', title: 'A walk in the park', slug: 's' }] }, 0);
      const find = async (here: typeof store) => (await here.searchPosts('b', ['walk', 'pa'], all)).map(({ id }) => id);
      expect(await find(store)).toEqual(['p']);
      expect(await queryPostgres(url, INDEXES)).toEqual([]);
      await store.close();

      await queryPostgres(url.replace(/\/\/\w+@/, '//postgres@'), 'create extension pg_trgm');
      const later = await openStore(url);
      expect(await find(later)).toEqual(['p']);
      expect(await queryPostgres(url, INDEXES)).toHaveLength(1);
      expect(warn).toHaveBeenCalledOnce();
      await later.close();
    } finally {
      warn.mockRestore();
    }
  },
);

test.skipIf(!postgres).each([
  ['without the right to use it', '', 'permission denied', 0],
  ['with the right to use it', 'grant usage on schema apart to USER;', undefined, 1],
])('an extension in a schema of its own, %s', async (_, grant, reason, indexes) => {
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  try {
    const url = await createPlain();
    const user = /\/\/(\w+)@/.exec(url)?.[1] ?? '';
    const asOwner = url.replace(/\/\/\w+@/, '//postgres@');
    await queryPostgres(
      asOwner,
      `create schema apart; create extension pg_trgm schema apart; ${grant.replace('USER', user)}`,
    );
    const store = await openStore(url);
    await store.putBlog({ id: 'b', name: 'B', posts: [{ id: 'p', title: 'A walk in the park', slug: 's' }] }, 0);
    expect((await store.searchPosts('b', ['walk'], all)).map(({ id }) => id)).toEqual(['p']);
    expect(await queryPostgres(url, INDEXES)).toHaveLength(indexes);
    expect(warn.mock.calls.map(([text]) => String(text).includes(reason ?? ''))).toEqual(reason ? [true] : []);
    await store.close();
  } finally {
    warn.mockRestore();
  }
});
