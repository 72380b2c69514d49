import { constants, existsSync } from 'node:fs';
import { access, mkdir, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { StoreUnavailable } from '@broadsheet/core';
import { createManagementClient, isRemote, OperationError } from '@broadsheet/management';
import { type CopyEnd, copyDatabase, DatabaseNotEmpty } from '@broadsheet/store';
import { sqlCopyEnd, sqliteFiles } from '@broadsheet/store/node';
import { openDatabase } from '../database/database.ts';
import { unusable } from '../database/unusable.ts';
import { createProgress, note, printResult } from '../program/output.ts';
import { readDatabase, withoutPassword } from '../settings/database-url.ts';
import { readEnvironment } from '../settings/environment.ts';

/** A day in the name of a file, such as `backup-2026-01-31.db`. */
const DAY = /\d{4}-\d{2}-\d{2}/;

export async function copy(
  from: string,
  to: string,
  flags: { readonly json?: boolean; readonly keep?: string },
): Promise<void> {
  const problems: string[] = [];
  const [source, target] = [readDatabase(from, {}, problems, 'FROM'), readDatabase(to, {}, problems, 'TO')];
  for (const [name, url] of [
    ['FROM', source],
    ['TO', target],
  ]) {
    if (url === 'sqlite::memory:') problems.push(`${name}: ${url} is empty and exists only in memory; name a file`);
  }
  if (isNewFile(source)) problems.push(`FROM: there is no database at ${pathOf(source)}`);
  if (source === target) problems.push('FROM and TO are the same database; name another');
  const keep = readKeep(flags.keep, target, problems);
  if (problems.length > 0) throw new OperationError(problems);
  // Opened one by one, so that an error names the database that failed. An older source is not changed.
  for (const [url, create] of [
    [source, false],
    [target, true],
  ] as const) {
    if (create && isNewFile(url)) await requireFolder(url);
    else if (!isRemote(url)) await (await openDatabase(url, { create, migrate: create })).close();
    else await createManagementClient(url, readEnvironment()['BROADSHEET_ADMIN_TOKEN']).listBlogIds();
  }
  const progress = await createProgress('copying', 'posts');
  try {
    const copied = await copyDatabase(await copyEnd(source), await copyEnd(target), progress.update);
    progress.stop();
    printResult(flags, copied, describe(copied, target));
    if (keep !== undefined) for (const name of await keepNewest(target, keep)) note(`Deleted the old copy ${name}`);
  } catch (error) {
    if (error instanceof DatabaseNotEmpty) throw new OperationError(`${withoutPassword(target)}: ${error.message}`);
    throw error instanceof StoreUnavailable ? unusable(target, error) : error;
  } finally {
    progress.stop();
  }
}

const pathOf = (url: string): string => url.slice('sqlite:'.length);
const isNewFile = (url: string): boolean => url.startsWith('sqlite:') && !existsSync(pathOf(url));

/** Creates the folder of a new file. @throws OperationError if no file can be written to it */
async function requireFolder(url: string): Promise<void> {
  const folder = dirname(pathOf(url));
  try {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK);
  } catch (error) {
    throw unusable(url, error);
  }
}

/** The number of copies to keep; all by default. */
function readKeep(text: string | undefined, target: string, problems: string[]): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,3}$/.test(text)) problems.push(`--keep: expected a whole number from 1 to 9999, received ${text}`);
  if (!target.startsWith('sqlite:') || !DAY.test(basename(target))) {
    problems.push('--keep: TO must be sqlite:PATH with a date in its file name, such as sqlite:./backup-2026-01-31.db');
  }
  return Number(text);
}

async function copyEnd(url: string): Promise<CopyEnd> {
  if (!isRemote(url)) return sqlCopyEnd(url, (message, cause) => note(`${message}: ${cause}`));
  const { deploymentCopyEnd } = await import('@broadsheet/workers/deployment');
  return deploymentCopyEnd(url, readEnvironment()['BROADSHEET_ADMIN_TOKEN']);
}

function describe(copied: Awaited<ReturnType<typeof copyDatabase>>, target: string): string {
  const rows = Object.entries(copied).filter(([, count]) => count > 0);
  const all = rows.map(([table, count]) => `  ${table.replaceAll('_', ' ')}: ${count}`);
  return `Copied into ${withoutPassword(target)}, as it was when the copy began:\n${all.join('\n')}`;
}

/**
 * Deletes the oldest copies: files next to the target whose names differ from it only in the date. Files without blogs,
 * such as those of copies that failed, do not count as copies. The copy that was just made is never deleted, whatever its
 * date. Returns the deleted names, the oldest first.
 */
async function keepNewest(target: string, count: number): Promise<readonly string[]> {
  const { hasBlogs, removeFile } = await sqliteFiles();
  const path = pathOf(target);
  const [before = '', after = ''] = basename(path).split(DAY);
  const isCopy = (name: string) =>
    name.startsWith(before) &&
    name.endsWith(after) &&
    name.length === basename(path).length &&
    DAY.test(name.slice(before.length, before.length + 10));
  const copies = (await readdir(dirname(path))).filter(isCopy).sort();
  const complete = copies.filter((name) => name === basename(path) || hasBlogs(join(dirname(path), name)));
  const oldest = complete.at(-count) ?? '';
  const old = copies.filter((name) => name < oldest && name !== basename(path));
  for (const name of old) await removeFile(join(dirname(path), name));
  return old;
}
