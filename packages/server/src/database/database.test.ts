import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '../../../../tools/testing/folder.ts';
import { openDatabase } from './database.ts';

const folder = temporaryFolder();

test('DATABASE_TIMEOUT applies to commands: a write gives up before the lock is released', async () => {
  const path = folder.join('locked.db');
  vi.stubEnv('DATABASE_TIMEOUT', '1');
  onTestFinished(() => void vi.unstubAllEnvs());
  const store = await openDatabase(`sqlite:${path}`, { create: true });
  onTestFinished(() => store.close());
  await store.createBlog({ id: 'b', name: 'B', domains: [] });
  const other = new DatabaseSync(path);
  other.exec('begin immediate');
  const unlock = setTimeout(() => other.close(), 6000);
  await expect(store.renameBlog('b', 'Renamed')).rejects.toThrow('cannot be used for now');
  clearTimeout(unlock);
  other.close();
});

test('a DATABASE_TIMEOUT that is not a number is refused', async () => {
  vi.stubEnv('DATABASE_TIMEOUT', 'soon');
  onTestFinished(() => void vi.unstubAllEnvs());
  await expect(openDatabase('sqlite::memory:', { create: true })).rejects.toThrow('DATABASE_TIMEOUT');
});
