import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { StoreUnavailable } from '@broadsheet/core';
import sql from 'sql-template-tag';
import { openUnused } from './driver.ts';

/** Writes a database file. A new file has another name until it is complete. */
export async function writeFile<T>(path: string, write: (path: string) => Promise<T>): Promise<T> {
  if (existsSync(path)) return write(path);
  const partial = `${path}.part`;
  // A copy that was killed may have left such a file.
  await removeFile(partial);
  try {
    const result = await write(partial);
    // A database that is closed has no WAL file, unless its pages could not be written to the file itself.
    if (existsSync(`${partial}-wal`)) {
      throw new StoreUnavailable(
        `${path} could not be completed: the disk is full, or another program uses ${partial}`,
      );
    }
    if (existsSync(path)) throw new Error(`${path} was created by another program during the copy`);
    await rename(partial, path);
    return result;
  } finally {
    await removeFile(partial);
  }
}

/** Removes a database file together with the files that belong to it. */
export async function removeFile(path: string): Promise<void> {
  for (const ending of ['', '-wal', '-shm']) await rm(path + ending, { force: true });
}

/** Whether a file that no program uses is a database with blogs. */
export function hasBlogs(path: string): boolean {
  try {
    const connection = openUnused(path);
    try {
      return connection.run(sql`select 1 from blogs limit 1`).length > 0;
    } finally {
      connection.close();
    }
  } catch {
    return false;
  }
}
