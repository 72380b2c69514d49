import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, normalize, sep } from 'node:path';
import { OperationError } from '@broadsheet/management';
import { type UnzipFileInfo, unzipSync } from 'fflate';
import { makeImportFolder } from './folders.ts';

/** Bytes that anything compressed may expand to, and files in a zip. */
export const MOST_BYTES = 128 * 1024 * 1024;
export const MOST_FILES = 20_000;

/** The name of an upload: that of the file, or of the folder. */
export function nameOf([file]: readonly File[]): string {
  return file?.name.split('/')[0] ?? '';
}

/**
 * Puts what was sent into a folder of its own and hands over the path to read: that of a file, of the folder in a zip,
 * or of the folder whose files came one by one, each named by its path. The folder is gone afterwards.
 *
 * @throws OperationError
 */
export async function withUnpacked<T>(files: readonly File[], work: (path: string) => Promise<T>): Promise<T> {
  const folder = await makeImportFolder();
  const content = join(folder, 'content');
  try {
    const [file] = files;
    if (!file?.name) throw new OperationError('No file was uploaded: choose a file or a folder.');
    if (files.length > 1 || file.name.includes('/')) {
      for (const one of files) await write(content, one.name, await one.bytes());
      return await work(await onlyFolder(content));
    }
    const bytes = await file.bytes();
    // Every zip begins so, an empty one included.
    const zipped = bytes[0] === 0x50 && bytes[1] === 0x4b;
    if (!zipped) {
      const path = join(folder, file.name.replace(/[^\w.-]/g, '_').slice(-100) || 'file.json');
      await writeFile(path, bytes);
      return await work(path);
    }
    for (const [name, body] of filesOf(bytes)) await write(content, name, body);
    return await work(await onlyFolder(content));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Programs that create zips put a folder around everything: the content is in it. */
async function onlyFolder(path: string): Promise<string> {
  const names = (await readdir(path)).filter((name) => name !== '__MACOSX' && name !== '.DS_Store');
  const [name] = names;
  if (names.length !== 1 || name === undefined) return path;
  const inside = join(path, name);
  return (await stat(inside)).isDirectory() ? onlyFolder(inside) : path;
}

async function write(folder: string, name: string, body: Uint8Array): Promise<void> {
  const target = join(folder, normalize(name));
  if (!target.startsWith(folder + sep))
    throw new OperationError(`The path of a file leads outside the folder: ${name}`);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, body);
}

/** The files of a zip. What they expand to is bounded by what the zip says of them, before any is expanded. */
function filesOf(bytes: Uint8Array): [name: string, body: Uint8Array][] {
  let [count, total] = [0, 0];
  // An entry that is not compressed has the size of its bytes, whatever it claims: entries may overlap.
  expand(bytes, ({ size, originalSize }) => {
    count += 1;
    total += Math.max(size, originalSize);
    if (count > MOST_FILES) throw new OperationError('The zip has more than 20,000 files.');
    if (total > MOST_BYTES) throw new OperationError('The zip expands to more than 128 MiB.');
    return false;
  });
  if (count === 0) throw new OperationError('The zip contains no files.');
  return Object.entries(expand(bytes, ({ name }) => !name.endsWith('/')));
}

function expand(bytes: Uint8Array, filter: (file: UnzipFileInfo) => boolean): Record<string, Uint8Array> {
  try {
    return unzipSync(bytes, { filter });
  } catch (error) {
    if (error instanceof OperationError) throw error;
    throw new OperationError(`The zip is damaged: ${error instanceof Error ? error.message : String(error)}.`);
  }
}
