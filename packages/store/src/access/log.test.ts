import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeDatabases } from '../../../../tools/testing/databases.ts';
import { openStore } from '../open-store.ts';
import type { SqlStore } from '../sql-store.ts';

const now = Date.parse('2026-11-22T10:00:00Z');

describeDatabases('the log', (database) => {
  let store: SqlStore;
  let other: SqlStore;
  beforeAll(async () => {
    store = await openStore(database.url);
    other = await openStore(database.url);
  });
  afterAll(async () => {
    await store?.close();
    await other?.close();
  });

  const entry = (minute: number, who: string, blogId: string | null, what: string) => ({
    at: new Date(now + minute * 60_000).toISOString(),
    who,
    blogId,
    what,
  });
  const entries = [
    entry(3, 'Ada', null, 'invited Ben'),
    entry(2, 'Ada', 'news', 'paused the ad "100 % Tea"'),
    entry(1, 'Ben', 'other', 'published "Hello"'),
  ];

  test('the log is read newest first, with filters by blog and text, and in pages', async () => {
    for (const one of entries.toReversed()) await store.writeLog(one);
    expect(await other.readLog({ offset: 0, limit: 9 })).toEqual({ entries, total: 3 });
    expect(await store.readLog({ offset: 1, limit: 1 })).toEqual({ entries: entries.slice(1, 2), total: 3 });
    const of = async (query: object) =>
      (await store.readLog({ offset: 0, limit: 9, ...query })).entries.map(({ what }) => what);
    expect(await of({ oldestFirst: true, limit: 1 })).toEqual(['published "Hello"']);
    expect(await of({ blogId: 'news' })).toEqual(['paused the ad "100 % Tea"']);
    expect(await of({ search: 'BEN' })).toEqual(['invited Ben', 'published "Hello"']);
    expect(await of({ search: '0 %' })).toEqual(['paused the ad "100 % Tea"']);
    expect(await of({ search: 'p_used' })).toEqual([]);
  });

  test('a search in the log ignores case and accents in every alphabet', async () => {
    await store.writeLog(entry(4, 'Ærøskøbing Ünal', 'fold', 'published “École à Ярославль”'));
    for (const search of ['École', 'ecole', 'ÉCOLE', 'ярославль', 'ЯРО', 'ünal', 'UNAL', 'ÆRØ']) {
      expect([search, (await store.readLog({ search, offset: 0, limit: 9 })).total]).toEqual([search, 1]);
    }
  });

  test('an entry of the log has at most 2,000 characters', async () => {
    const at = new Date(now).toISOString();
    await store.writeLog({ at, who: 'Eve', blogId: 'long', what: `deleted ${'😀'.repeat(1_000_000)}` });
    const { entries } = await store.readLog({ blogId: 'long', offset: 0, limit: 1 });
    expect(entries[0]?.what).toMatch(/^deleted (😀)+.?…$/u);
    expect(entries[0]?.what).toHaveLength(2000);
  });
});
