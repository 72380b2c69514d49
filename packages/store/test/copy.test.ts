import { readdirSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { StoreUnavailable } from '@broadsheet/core';
import { openStore } from '@broadsheet/store/node';
import { expect, onTestFinished, test } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { copyDatabase } from '../src/copy/copy.ts';
import { sqlCopyEnd, writeCopy } from '../src/copy/sql-copy-end.ts';
import { openDatabase } from '../src/open-database.ts';

const blog = { id: 'b', name: 'B', posts: [{ id: 'p', slug: 'p', title: 'Title' }] };

async function createSource(): Promise<string> {
  const url = `sqlite:${temporaryFolder().join('source.db')}`;
  const store = await openStore(url);
  await store.putBlog(blog, 0);
  await store.close();
  return url;
}

describeDatabases('a copy into a database that cannot be cleaned up', (database) => {
  test('is complete, and the error is reported', async () => {
    const reports: string[] = [];
    const target = await openDatabase(database.url);
    const failing = { ...target, afterBulk: () => Promise.reject(new StoreUnavailable('for now')) };
    const report = (message: string) => void reports.push(message);
    const write = {
      ...sqlCopyEnd(database.url),
      write: <T>(work: Parameters<typeof writeCopy<T>>[1]) => writeCopy(failing, work, report),
    };
    expect(await copyDatabase(sqlCopyEnd(await createSource()), write)).toMatchObject({ posts: 1 });
    expect(reports).toEqual(['The database could not be cleaned up after a large write']);
    const store = await openStore(database.url);
    onTestFinished(() => store.close());
    expect((await store.exportBlog('b'))?.posts).toHaveLength(1);
  });
});

test('a new SQLite file appears when the copy is complete, and only its user can read it', async () => {
  const folder = temporaryFolder();
  const url = `sqlite:${folder.join('target.db')}`;
  const source = await createSource();
  const names: string[][] = [];
  await copyDatabase(sqlCopyEnd(source), sqlCopyEnd(url), () => void names.push(readdirSync(folder.path)));
  expect(names.flat()).not.toContain('target.db');
  expect(names.flat()).toContain('target.db.part');
  expect(readdirSync(folder.path)).toEqual(['target.db']);
  expect(statSync(folder.join('target.db')).mode & 0o077).toBe(0);
});

test('a copy whose last pages cannot be written to the file fails, instead of losing them', async () => {
  const folder = temporaryFolder();
  const url = `sqlite:${folder.join('target.db')}`;
  // While another program reads the file, SQLite leaves the latest writes in the WAL file beside it.
  let reader: DatabaseSync | undefined;
  onTestFinished(() => reader?.close());
  const hold = () => {
    reader ??= new DatabaseSync(folder.join('target.db.part'), { readOnly: true });
    reader.exec('begin; select * from blogs');
  };
  const copied = copyDatabase(sqlCopyEnd(await createSource()), sqlCopyEnd(url), hold);
  await expect(copied).rejects.toThrow('could not be completed');
  expect(readdirSync(folder.path)).not.toContain('target.db');
});

test('a copy does not send the messages again that its source is still to send', async () => {
  const source = `sqlite:${temporaryFolder().join('source.db')}`;
  const store = await openStore(source);
  await store.putBlog(blog, 0);
  await store.addHook('b', { id: 'h', url: 'https://x.example', types: ['post.removed'], secret: 'whsec_AAAA' }, 0);
  await store.deletePost('b', 'p', 0);
  await store.close();
  const pendingIn = async (url: string) => {
    const database = await openDatabase(url);
    onTestFinished(() => database.close());
    return (await database.reader<{ due: number }>`select next_at is not null as due from webhook_messages`).map(
      Object,
    );
  };
  const target = `sqlite:${temporaryFolder().join('target.db')}`;
  await copyDatabase(sqlCopyEnd(source), sqlCopyEnd(target));
  expect((await pendingIn(source)).filter(({ due }) => due === 1)).not.toEqual([]);
  expect((await pendingIn(target)).filter(({ due }) => due === 1)).toEqual([]);
});
