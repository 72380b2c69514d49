import { DatabaseSync } from 'node:sqlite';
import { createApi, StoreUnavailable } from '@broadsheet/core';
import { openStore } from '@broadsheet/store/node';
import pg from 'pg';
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { createPostgres, describeDatabases } from '../../../tools/testing/databases.ts';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { copyDatabase } from '../src/copy/copy.ts';
import { sqlCopyEnd } from '../src/copy/sql-copy-end.ts';
import { openDatabase } from '../src/open-database.ts';
import { createSqlStore } from '../src/sql-store.ts';

const DUE = Date.parse('2026-03-01T12:00:00.000Z');
const blog = {
  id: 'b',
  name: 'B',
  apiKeys: ['key'],
  posts: [{ id: 'p', title: 'A title', slug: 's', status: 'SCHEDULED' as const, scheduledAt: '2026-03-01T12:00:00Z' }],
};

/** Takes the locks of a long write, on the SQLite file or on the rows and tables; call the result to release them. */
async function lock(url: string): Promise<() => Promise<void>> {
  if (url.startsWith('sqlite')) {
    const connection = new DatabaseSync(url.slice('sqlite:'.length));
    connection.exec('begin immediate');
    return async () => connection.close();
  }
  const client = new pg.Client(url);
  await client.connect();
  await client.query('begin; update blogs set name = name; analyze posts, post_labels, post_texts');
  return () => client.end();
}

describeDatabases('while another process writes', (database) => {
  test('publishing a due post fails fast, and succeeds later', async () => {
    const store = await openStore(database.url);
    onTestFinished(() => store.close());
    await store.putBlog(blog, 0);
    const unlock = await lock(database.url);
    await expect(store.publishDuePosts('b', DUE)).rejects.toThrow(StoreUnavailable);
    expect((await store.findBlog('key'))?.nextDueAt).toBe(DUE);
    await unlock();
    await store.publishDuePosts('b', DUE);
    expect((await store.findBlog('key'))?.nextDueAt).toBeUndefined();
  });

  test('readers get the unchanged blog, and a due post as soon as it can be published', async () => {
    const store = await openStore(database.url);
    onTestFinished(() => store.close());
    await store.putBlog({ ...blog, id: 'read', apiKeys: ['reader'] }, 0);
    let now = DUE;
    const random = { uuid: () => crypto.randomUUID(), below: () => 0 };
    const api = createApi({ store, clock: { now: () => now }, random, hmac: () => 'signature', docsUrl: 'https://x' });
    const read = async () => {
      const request = new Request('http://x/public/posts', { headers: { 'x-api-key': 'reader' } });
      const response = await api.fetch(request);
      const { data } = (await response.json()) as { data?: { id: string }[] };
      return [response.status, data?.map(({ id }) => id)];
    };
    const unlock = await lock(database.url);
    expect(await read()).toEqual([200, []]);
    expect(await read()).toEqual([200, []]);
    await unlock();
    now += 1000;
    await expect.poll(read).toEqual([200, ['p']]);
  });

  test('a store can be opened and read, and on PostgreSQL, other blogs can be written', async () => {
    await (await openStore(database.url)).close();
    const unlock = await lock(database.url);
    const store = await openStore(database.url, { create: false });
    onTestFinished(() => store.close());
    expect(await store.listBlogs('b')).toHaveLength(1);
    expect((await store.exportBlog('b'))?.posts).toHaveLength(1);
    expect(await store.figures('b', { by: [] })).toEqual([]);
    const target = sqlCopyEnd(`sqlite:${temporaryFolder().join('copy.db')}`);
    expect(await copyDatabase(sqlCopyEnd(database.url), target)).toMatchObject({ blogs: 2, posts: 2 });
    if (database.kind === 'PostgreSQL') await store.putBlog({ ...blog, id: 'other', apiKeys: [] }, 0);
    await unlock();
  });
});

describeDatabases('an import after which the database cannot be cleaned up', (database) => {
  test('succeeds and returns its new key, and the operator is warned', async () => {
    const opened = await openDatabase(database.url);
    const warnings: string[] = [];
    const failing = { ...opened, afterBulk: () => Promise.reject(new StoreUnavailable('for now')) };
    const store = createSqlStore(failing, (message) => warnings.push(message));
    onTestFinished(() => store.close());
    const posts = Array.from({ length: 1000 }, (_, index) => ({ id: `${index}`, slug: `${index}`, title: 'A title' }));
    const [imported] = await store.importBlogs([{ id: 'b', name: 'B', posts }], 0);
    expect(imported).toMatchObject({ posts: 1000, newPosts: 1000 });
    expect((await store.findBlog(imported?.newKey ?? ''))?.id).toBe('b');
    expect(warnings).toEqual(['The database could not be cleaned up after a large write']);
  });
});

describeDatabases('while a large blog is being deleted', (database) => {
  test('events of other blogs are recorded, and readers with a key see the whole blog or nothing', async () => {
    const [store, other] = [await openStore(database.url), await openStore(database.url)];
    onTestFinished(() => store.close());
    onTestFinished(() => other.close());
    const posts = Array.from({ length: 3000 }, (_, index) => ({ id: `${index}`, slug: `${index}`, title: 'A title' }));
    await store.putBlog({ id: 'large', name: 'Large', apiKeys: ['large'], posts }, 0);
    await store.putBlog({ id: 'other', name: 'Other' }, 0);
    let deleted = false;
    const deleting = store.deleteBlog('large').finally(() => {
      deleted = true;
    });
    let recorded = 0;
    let partly = 0;
    while (!deleted) {
      await other.deliver('other', { slots: [{ candidates: ['ad'] }] }, 0);
      recorded += 1;
      const [blog] = await other.listBlogs('large');
      if (blog && blog.posts > 0 && blog.posts < posts.length) {
        partly += 1;
        await expect.poll(() => other.findBlog('large')).toBeUndefined();
      }
    }
    expect(await deleting).toBe(true);
    expect(recorded).toBeGreaterThan(5);
    expect(partly).toBeGreaterThan(0);
    expect(await other.listBlogs('large')).toEqual([]);
    expect(await other.figures('other', { by: [] })).toMatchObject([{ delivered: recorded }]);
  });
});

describe.skipIf(!inject('postgres'))('PostgreSQL', () => {
  test('an export waits while all connections for long work are in use', async () => {
    const database = await openDatabase(await createPostgres());
    onTestFinished(() => database.close());
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const started: number[] = [];
    const long = (number: number) =>
      database.snapshot(async () => {
        started.push(number);
        await gate;
      });
    const first = [long(1), long(2)];
    await expect.poll(() => started, { timeout: 20_000 }).toEqual([1, 2]);
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const third = long(3);
    await vi.advanceTimersByTimeAsync(60_000);
    open();
    await Promise.all([...first, third]);
    expect(started).toEqual([1, 2, 3]);
  });

  test('events of other blogs are written while the many events of a deleted blog are removed', async () => {
    const url = await createPostgres();
    const store = await openStore(url);
    onTestFinished(() => store.close());
    await store.putBlog(blog, 0);
    const client = new pg.Client(url);
    await client.connect();
    onTestFinished(() => client.end());
    await client.query(`insert into used_tokens (blog_id, token_id, expires_at)
      select 'b', 'token' || number, 0 from generate_series(1, 12001) as number`);
    // A trigger records how many rows each batch removed, and whether it held the lock of the table.
    await client.query(`create table batches (rows bigint, locked boolean);
      create function note_batch() returns trigger language plpgsql as $$ begin
        insert into batches select count(*), exists (select from pg_locks
          where pid = pg_backend_pid() and relation = 'used_tokens'::regclass and mode = 'ShareRowExclusiveLock')
        from removed; return null; end $$;
      create trigger note_batch after delete on used_tokens referencing old table as removed
        for each statement execute function note_batch()`);
    expect(await store.deleteBlog('b')).toBe(true);
    const { rows } = await client.query(
      'select locked, max(rows)::int as most, sum(rows)::int as total from batches group by locked order by locked',
    );
    // No rows are left when the lock is taken, because events of other blogs wait for it.
    expect(rows).toEqual([
      { locked: false, most: 5000, total: 12_001 },
      { locked: true, most: 0, total: 0 },
    ]);
  });
});
