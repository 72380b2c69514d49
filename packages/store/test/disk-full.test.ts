import { decoded, StoreUnavailable } from '@broadsheet/core';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { createSqlStore } from '../src/sql-store.ts';
import { openSqlite } from '../src/sqlite/database.ts';

test('on a full disk, no write is acknowledged, reads still work, and writes resume once there is space', async () => {
  const database = await openSqlite(temporaryFolder().join('b.db'), { create: true, migrate: true, wait: 1000 });
  const store = createSqlStore(database);
  onTestFinished(() => store.close());
  const due = {
    title: 'T',
    subtitle: 'x'.repeat(500),
    status: 'SCHEDULED' as const,
    scheduledAt: '2026-03-01T12:00:00Z',
  };
  const scheduled = Array.from({ length: 50 }, (_, index) => ({ ...due, id: `due-${index}`, slug: `due-${index}` }));
  const posts = [{ id: 'p', title: 'T', slug: 's' }, ...scheduled];
  await store.putBlog({ id: 'b', name: 'B', apiKeys: ['k'], posts }, 0);
  const limit = (pages: number) => database.transact((writer) => writer([`pragma max_page_count = ${pages}`]));
  // SQLite raises the limit to the current number of pages, so no page can be added.
  await limit(1);

  let acknowledged = 0;
  const deliver = async (turn: number) => {
    await store.deliver('b', { slots: [{ candidates: [`an-ad-${turn}-${'x'.repeat(500)}`] }] }, 0);
    acknowledged += 1;
  };
  // A few events still fit into the free space of existing pages.
  const fill = async () => {
    for (let turn = 0; turn < 1000; turn += 1) await deliver(turn);
  };
  await expect(fill()).rejects.toThrow(StoreUnavailable);
  await expect(deliver(acknowledged)).rejects.toThrow(/database or disk is full/);
  expect(await store.figures('b', { by: ['ad'] })).toHaveLength(acknowledged);
  expect((await store.findBlog('k'))?.id).toBe('b');
  await expect(store.publishDuePosts('b', Date.parse(due.scheduledAt))).rejects.toThrow(StoreUnavailable);
  expect(decoded(await store.listPosts({ id: 'b', revision: '1' }, { offset: 0, limit: 10 }))).toHaveLength(1);

  await limit(1_000_000);
  await deliver(acknowledged);
  expect(await store.figures('b', { by: ['ad'] })).toHaveLength(acknowledged);
  await store.publishDuePosts('b', Date.parse(due.scheduledAt));
  expect(await store.getPost('b', 'due-0')).toBeDefined();
});
