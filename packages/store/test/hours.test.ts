import { hourOf } from '@broadsheet/core';
import { openStore } from '@broadsheet/store/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import type { SqlStore } from '../src/sql-store.ts';

const HOUR = 3_600_000;
const NOW = Date.parse('2026-11-22T12:30:00Z');
const WEEKS = 14 * 24 * HOUR;

describeDatabases('the hours of a blog', (database) => {
  let store: SqlStore;
  beforeAll(async () => {
    store = await openStore(database.url);
    await store.putBlog({ id: 'news', name: 'News' }, NOW);
  });
  afterAll(() => store?.close());

  test('the hours contain the requests of readers in the last two weeks, regardless of later writes', async () => {
    const deliver = (at: number, more = {}) => store.deliver('news', { slots: [{ candidates: [] }], ...more }, at);
    await deliver(NOW - WEEKS);
    await deliver(NOW - HOUR);
    for (const at of [NOW, NOW, NOW - WEEKS]) await deliver(at);
    await deliver(NOW, { traffic: 'bot' });
    const hours = await store.readHours('news', NOW);
    expect(Object.fromEntries(hours)).toEqual({ [hourOf(NOW)]: 2, [hourOf(NOW) - 1]: 1 });
  });
});
