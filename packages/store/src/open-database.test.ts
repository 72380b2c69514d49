import { chmod, readFile, stat } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { StoreUnavailable } from '@broadsheet/core';
import { expect, inject, onTestFinished, test } from 'vitest';
import { createPostgres, describeDatabases } from '../../../tools/testing/databases.ts';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { betweenPostgres, fatal } from '../../../tools/testing/postgres-proxy.ts';
import { queryPostgres } from '../../../tools/testing/query-postgres.ts';
import { NotOurs } from './migrations.ts';
import { openStore } from './open-store.ts';
import { DatabaseTooNew } from './schema/versions.ts';

const postgres = inject('postgres');

describeDatabases('a store', (database) => {
  let databases = 0;
  /** An empty database for each test. */
  const url = async () =>
    database.kind === 'SQLite' ? database.url.replace('test.db', `new/${++databases}.db`) : createPostgres('template0');

  test('an empty database may be opened ten times at once, with one shared secret', async () => {
    const target = await url();
    const stores = await Promise.all(Array.from({ length: 10 }, () => openStore(target)));
    const secrets = await Promise.all(stores.map((store) => store.signingSecret()));
    expect(new Set(secrets).size).toBe(1);
    expect(secrets[0]?.length).toBeGreaterThan(40);
    for (const store of stores) await store.close();
  });

  test('another store notices a write and a revoked key automatically', async () => {
    const target = await url();
    const [here, there] = [await openStore(target), await openStore(target)];
    await here.putBlog({ id: 'b', name: 'B', apiKeys: ['old'] }, 0);
    const before = await there.findBlog('old');
    expect(before?.id).toBe('b');
    await here.rotateKey('b', 'new', 1);
    // The limit of one second is tested over HTTP (revoked-key.test.ts).
    await expect.poll(() => there.findBlog('old')).toBeUndefined();
    expect(await here.findBlog('old')).toBeUndefined();
    expect((await there.findBlog('new'))?.id).toBe('b');
    await here.putBlog({ id: 'b', name: 'B', domains: ['example.org'], apiKeys: ['old'] }, 2);
    await expect.poll(async () => (await there.findBlog('new'))?.domains).toEqual(['example.org']);
    // An import never brings a revoked key back.
    expect(await here.findBlog('old')).toBeUndefined();
    expect((await here.listKeys('b')).map(({ revokedAt }) => revokedAt !== null)).toEqual([true, false]);
    await here.close();
    await there.close();
  });

  test('content persists after reopening, and importing an export changes nothing', async () => {
    const target = await url();
    const first = await openStore(target);
    const [imported] = await first.importBlogs(
      [
        {
          id: 'b',
          name: 'B',
          categories: [{ id: 'c', name: 'C' }],
          posts: [
            { id: 'p', title: 'T', slug: 's', categoryIds: ['c'] },
            { id: 'd', title: 'D', slug: 'd', status: 'DRAFT' },
          ],
          ads: [{ id: '00000000-0000-4000-8000-000000000001', format: 'POPUP', active: false }],
        },
      ],
      0,
    );
    const exported = await first.exportBlog('b');
    expect(imported?.newKey).toMatch(/^bs_[\w-]{43}$/);
    await first.close();
    const second = await openStore(target);
    expect((await second.findBlog(imported?.newKey ?? ''))?.id).toBe('b');
    expect(exported?.posts).toHaveLength(2);
    expect(exported?.ads).toHaveLength(1);
    if (exported) expect((await second.importBlogs([exported], 5))[0]?.newKey).toBeUndefined();
    expect(await second.exportBlog('b')).toEqual(exported);
    expect(await second.listBlogs()).toEqual([{ id: 'b', name: 'B', domains: [], posts: 2, ads: 1 }]);
    await second.close();
  });

  test('an import gives a key only to a blog that it creates', async () => {
    const store = await openStore(database.url);
    onTestFinished(() => store.close());
    await store.putBlog({ id: 'b', name: 'B' }, 0);
    const exported = await store.exportBlog('b');
    const existing = exported ? [exported] : [];
    const changed = { id: 'b', name: 'New name', apiKeys: [], posts: [{ id: 'p', title: 'T', slug: 's' }] };
    expect(await store.importBlogs(existing, 1)).toMatchObject([{ id: 'b', changed: [], newKey: undefined }]);
    expect(await store.importBlogs([changed], 2)).toMatchObject([{ changed: ['name'], newKey: undefined }]);
    const moved = existing.map((blog) => ({ ...blog, id: 'c' }));
    const [created] = await store.importBlogs(moved, 3);
    expect((await store.findBlog(created?.newKey ?? ''))?.id).toBe('c');
    expect(await store.importBlogs(moved, 4)).toMatchObject([{ id: 'c', changed: [], newKey: undefined }]);
  });

  test('a query that contains NUL finds nothing and does not fail', async () => {
    const store = await openStore(await url());
    await store.putBlog({ id: 'b', name: 'B', apiKeys: ['k'], posts: [{ id: 'p', title: 'Title', slug: 's' }] }, 0);
    const all = { offset: 0, limit: 10 };
    expect(await store.findBlog('k\0')).toBeUndefined();
    expect(await store.getPost('b', 'p\0')).toBeUndefined();
    expect(await store.getPostBySlug('b', '\0')).toBeUndefined();
    expect(await store.getTag('b', '\0')).toBeUndefined();
    expect(await store.listCategoryPosts({ id: 'b', revision: '1' }, '\0', all)).toBeUndefined();
    expect(await store.searchPosts('b', ['tit\0'], all)).toEqual([]);
    expect(await store.searchPosts('b', ['title', '\0'], all)).toEqual([]);
    await store.close();
  });
});

test('a new SQLite file and its companions are private to the user; an existing file keeps its mode', async () => {
  const path = temporaryFolder().join('private.db');
  const modes = async () => {
    const store = await openStore(`sqlite:${path}`);
    await store.signingSecret();
    const found = await Promise.all(['', '-wal', '-shm'].map((end) => stat(path + end)));
    await store.close();
    return found.map(({ mode }) => (mode & 0o777).toString(8));
  };
  expect(await modes()).toEqual(['600', '600', '600']);
  await chmod(path, 0o640);
  expect(await modes()).toEqual(['640', '640', '640']);
});

test('with `create: false`, a SQLite file of another program gets no tables', async () => {
  const path = temporaryFolder().join('other.db');
  const connection = new DatabaseSync(path);
  connection.exec('create table schema_version (version); create table notes (text)');
  connection.close();
  const before = await readFile(path);
  await expect(openStore(`sqlite:${path}`, { create: false })).rejects.toThrow(NotOurs);
  expect((await readFile(path)).equals(before)).toBe(true);
});

test.skipIf(!postgres)('with `create: false`, an empty PostgreSQL database gets no tables', async () => {
  const url = await createPostgres('template0');
  await expect(openStore(url, { create: false })).rejects.toThrow(NotOurs);
  expect(await queryPostgres(url, "select 1 from pg_tables where schemaname = 'public'")).toEqual([]);
  await (await openStore(url)).close();
  await (await openStore(url, { create: false })).close();
});

test('a SQLite file of another program never gets tables', async () => {
  const path = temporaryFolder().join('other.db');
  const connection = new DatabaseSync(path);
  connection.exec('create table notes (text); create table users (name)');
  connection.close();
  const before = await readFile(path);
  await expect(openStore(`sqlite:${path}`)).rejects.toThrow(/another program \(notes, users\)/);
  expect((await readFile(path)).equals(before)).toBe(true);
});

test.skipIf(!postgres)('a PostgreSQL database of another program never gets tables', async () => {
  const url = await createPostgres('template0');
  await queryPostgres(url, 'create table notes (text text)');
  await expect(openStore(url)).rejects.toThrow(NotOurs);
  expect(await queryPostgres(url, "select tablename from pg_tables where schemaname = 'public'")).toEqual([
    { tablename: 'notes' },
  ]);
});

test.skipIf(!postgres)('a connection pooler that refuses our settings is noticed at startup', async () => {
  const url = await createPostgres('template0');
  const message = 'unsupported startup parameter: statement_timeout';
  const pooled = await betweenPostgres(url, {
    refuse: (startup) => (startup.includes('statement_timeout') ? fatal('08P01', message) : undefined),
  });
  await expect(openStore(pooled)).rejects.toThrow(message);
});

const newer = 'update schema_version set version = 999';

test('a SQLite database of a newer Broadsheet is refused', async () => {
  const path = temporaryFolder().join('newer.db');
  await (await openStore(`sqlite:${path}`)).close();
  const connection = new DatabaseSync(path);
  connection.exec(newer);
  connection.close();
  await expect(openStore(`sqlite:${path}`)).rejects.toThrow(DatabaseTooNew);
});

test.skipIf(!postgres)('a PostgreSQL database of a newer Broadsheet is refused', async () => {
  const url = await createPostgres('template0');
  await (await openStore(url)).close();
  await queryPostgres(url, newer);
  await expect(openStore(url)).rejects.toThrow(DatabaseTooNew);
});

test('the error for an unsupported URL names the supported ones, but no password', async () => {
  await expect(openStore('"postgres://u:hush@h/x"')).rejects.toThrow(/^((?!hush).)*$/);
  await expect(openStore('mysql://x')).rejects.toThrow(/mysql:.*sqlite:PATH/);
});

test('a server that cannot be reached is StoreUnavailable', async () => {
  const url = `postgres://postgres@/nothing?host=${encodeURIComponent(temporaryFolder().path)}`;
  await expect(openStore(url)).rejects.toThrow(StoreUnavailable);
});

test.skipIf(!postgres)('broken connections are replaced', async () => {
  const url = await createPostgres('template0');
  const store = await openStore(url);
  await store.putBlog({ id: 'b', name: 'B' }, 0);
  await queryPostgres(
    url,
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  const readBlog = async () =>
    (await store.listBlogs().catch((error: unknown) => (error instanceof StoreUnavailable ? [] : [error])))[0];
  await expect.poll(readBlog).toMatchObject({ id: 'b' });
  await store.close();
});

test.skipIf(!postgres)('a PostgreSQL database that cannot hold every text is refused, and gets no tables', async () => {
  const host = await createPostgres('template0');
  const name = `latin_${Date.now()}`;
  await queryPostgres(host, `create database ${name} template template0 encoding 'LATIN1' locale 'C'`);
  const url = host.replace(/\/test_\w+/, `/${name}`);
  await expect(openStore(url)).rejects.toThrow(/^The encoding of the database is LATIN1, .*--encoding UTF8/);
  expect(await queryPostgres(url, "select 1 from pg_tables where schemaname = 'public'")).toEqual([]);
});
