import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeImportFolder, removeAbandonedFolders } from './folders.ts';

it('removes the folders of processes and threads that ended, and no others', async () => {
  const { pid: ended } = spawnSync('true');
  const names = [`${ended}-1-abc`, `${process.pid}-4711-abc`, `${process.pid}-4712-abc`, `${process.ppid}-1-abc`];
  const folders = names.map((name) => join(tmpdir(), `broadsheet-import-${name}`));
  for (const folder of folders) await mkdir(join(folder, 'content'), { recursive: true });
  const own = await makeImportFolder();
  onTestFinished(async () => {
    for (const folder of [...folders, own]) await rm(folder, { recursive: true, force: true });
  });
  await removeAbandonedFolders(4711);
  expect([...folders, own].map((folder) => existsSync(folder))).toEqual([false, false, true, true, true]);
});
