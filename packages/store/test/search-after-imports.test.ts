import { execFileSync } from 'node:child_process';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { openStore } from '@broadsheet/store/node';
import { expect, onTestFinished, test } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { copyDatabase } from '../src/copy/copy.ts';
import { sqlCopyEnd } from '../src/copy/sql-copy-end.ts';
import type { SqlStore } from '../src/sql-store.ts';
import { blogWith, countEntries, openStagedStore } from './staged-store.ts';

const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const ALL = { offset: 0, limit: 10_000 };
/** More posts with a word than the index may return as candidates. */
const MANY = 1100;

async function open(url: string): Promise<SqlStore> {
  const store = await openStore(url);
  onTestFinished(() => store.close());
  return store;
}

/** Searches for each post of `blogWith` by terms that only it has, and returns the number of posts found. */
async function countFound(store: SqlStore, word: string, count: number, id = 'b'): Promise<number> {
  let found = 0;
  for (let index = 0; index < count; index += 1) {
    const posts = await store.searchPosts(id, [`${word} ${index}`], ALL);
    if (posts.some((post) => post.id === `p${index}`)) found += 1;
  }
  return found;
}

describeDatabases('after an import', (database) => {
  test('search finds the posts whose titles have changed', async () => {
    const store = await open(database.url);
    for (const word of ['first', 'second', 'third']) await store.importBlogs([blogWith(word, 50)], NOW);
    expect(await countFound(store, 'third', 50)).toBe(50);
    expect(await store.searchPosts('b', ['second'], ALL)).toEqual([]);

    const last = blogWith('fourth', 50).posts.slice(-1);
    await store.importBlogs([{ id: 'b', name: 'b', posts: last }], NOW);
    expect(await countFound(store, 'third', 49)).toBe(49);
    expect(await store.searchPosts('b', ['fourth'], ALL)).toMatchObject([{ id: 'p49' }]);
  });
});

/** Imports a blog in another process, which ends after the posts were indexed and before they are written. */
const killImport = (path: string, word: string, count: number, id: string) =>
  execFileSync(process.execPath, [
    '--conditions=@broadsheet/source',
    fileURLToPath(new URL('killed-import.ts', import.meta.url)),
    ...[path, word, String(count), id],
  ]);

test('posts are found while the index has the entries of a killed import, which the next import removes', async () => {
  const path = temporaryFolder().join('b.db');
  const store = await open(`sqlite:${path}`);
  await store.putBlog(blogWith('old', 3), NOW);
  killImport(path, 'common', MANY, 'b');
  expect(countEntries(path)).toBe(3 + MANY);
  await store.putBlog(blogWith('common', 4), NOW);
  expect(await store.searchPosts('b', ['common'], ALL)).toHaveLength(4);
  expect(await store.searchPosts('b', ['old'], ALL)).toEqual([]);
  await store.importBlogs([blogWith('common', 5)], NOW);
  expect(await countFound(store, 'common', 5)).toBe(5);
  expect(countEntries(path)).toBe(5);
});

test.each(['same', 'other'])('an import keeps its entries while the %s blog is imported elsewhere', async (id) => {
  const path = temporaryFolder().join('b.db');
  let isKilled = false;
  const store = await openStagedStore(path, () => {
    if (isKilled || countEntries(path) < MANY) return;
    isKilled = true;
    killImport(path, 'other', MANY, id);
  });
  onTestFinished(() => store.close());
  await store.importBlogs([blogWith('mine', MANY, 'same')], NOW);
  expect(isKilled).toBe(true);
  expect(await countFound(store, 'mine', MANY, 'same')).toBe(MANY);
});

test('a deleted blog leaves no entries in the index', async () => {
  const path = temporaryFolder().join('b.db');
  const store = await open(`sqlite:${path}`);
  for (const id of ['a', 'b', 'empty']) await store.putBlog(blogWith('word', id === 'empty' ? 0 : 3, id), NOW);
  killImport(path, 'killed', 10, 'b');
  await store.deleteBlog('b');
  await store.deleteBlog('empty');
  expect(countEntries(path)).toBe(3);
  await store.putBlog(blogWith('new', 2, 'b'), NOW);
  expect(await countFound(store, 'word', 3, 'a')).toBe(3);
  expect(await countFound(store, 'new', 2, 'b')).toBe(2);
});

test('an import is written again when its blog was created and deleted in the meantime', async () => {
  const path = temporaryFolder().join('b.db');
  let attempts = 0;
  const file = await openStagedStore(path, () => undefined);
  onTestFinished(() => file.close());
  const interrupt = new DatabaseSync(path);
  onTestFinished(() => interrupt.close());
  const store = await openStagedStore(path, () => {
    if (attempts > 0 || countEntries(path) < 3) return;
    attempts += 1;
    interrupt.exec(`insert into blogs (blog_id, name, domains, revision) values ('b', 'B', '[]', 'r');
      delete from blogs where blog_id = 'b'`);
  });
  onTestFinished(() => store.close());
  await store.importBlogs([blogWith('word', 3)], NOW);
  expect(attempts).toBe(1);
  expect(await countFound(store, 'word', 3)).toBe(3);
  expect(countEntries(path)).toBe(3);
});

test('a copy rebuilds the index of an older file', async () => {
  const folder = temporaryFolder();
  const store = await open(`sqlite:${folder.join('old.db')}`);
  await store.putBlog(blogWith('word', 20), NOW);
  const old = new DatabaseSync(folder.join('old.db'));
  onTestFinished(() => old.close());
  old.exec('delete from post_search where rowid % 2 = 0');
  expect(await countFound(store, 'word', 20)).toBe(10);
  old.exec(`drop trigger blogs_deleted; drop table post_rows;
    alter table blogs add column number integer not null default 1`);
  await copyDatabase(sqlCopyEnd(`sqlite:${folder.join('old.db')}`), sqlCopyEnd(`sqlite:${folder.join('new.db')}`));
  expect(await countFound(await open(`sqlite:${folder.join('new.db')}`), 'word', 20)).toBe(20);
});
