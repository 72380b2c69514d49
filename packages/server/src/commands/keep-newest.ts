import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** A day in the name of a file, such as that of `backup-2026-01-31.db`. */
const DAY = /\d{4}-\d{2}-\d{2}/;

/** Why the copies beside a database cannot be counted; `undefined` when they can. */
export function whyNotKeep(target: string): string | undefined {
  if (target.startsWith('sqlite:') && DAY.test(basename(target))) return undefined;
  return '--keep: TO must be sqlite:PATH with a date in its file name, such as sqlite:./backup-2026-01-31.db';
}

/**
 * Deletes the oldest copies: files beside the target with the same name but for the date.
 *
 * @returns the names of the deleted files, the oldest first
 */
export async function keepNewest(target: string, count: number): Promise<readonly string[]> {
  const path = target.slice('sqlite:'.length);
  const [before = '', after = ''] = basename(path).split(DAY);
  const isCopy = (name: string) =>
    name.startsWith(before) &&
    name.endsWith(after) &&
    name.length === basename(path).length &&
    DAY.test(name.slice(before.length, before.length + 10));
  const copies = (await readdir(dirname(path))).filter(isCopy).sort();
  const old = copies.slice(0, -count);
  for (const name of old) {
    for (const ending of ['', '-wal', '-shm']) await rm(join(dirname(path), name + ending), { force: true });
  }
  return old;
}
