import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { openDatabase } from '../src/open-database.ts';

// A process that is killed leaves what it wrote to the operating system, so only a power cut shows these settings.
test('a commit on SQLite is on the disk before it is acknowledged', async () => {
  const database = await openDatabase(`sqlite:${temporaryFolder().join('blog.db')}`);
  const settings = await database.transact(async (db) => [
    ...(await db<object>`pragma synchronous`),
    ...(await db<object>`pragma journal_mode`),
  ]);
  // 2 is FULL: https://sqlite.org/pragma.html#pragma_synchronous
  expect(settings.map((setting) => ({ ...setting }))).toEqual([{ synchronous: 2 }, { journal_mode: 'wal' }]);
  await database.close();
});
