import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, normalize, sep } from 'node:path';
import { type UnzipFileInfo, type Unzipped, unzip } from 'fflate';

/** What a file that was sent could not be unpacked for. */
export class NotUnpacked extends Error {
  override readonly name = 'NotUnpacked';
}

/** Bytes and files that a zip may unfold to. */
const MOST_BYTES = 256 * 1024 * 1024;
const MOST_FILES = 20_000;

/** How what was sent is called: a file by its name, the files of a folder by that of the folder. */
export function nameOf([file]: readonly File[]): string {
  return file?.name.split('/')[0] ?? '';
}

/**
 * Puts what was sent into a folder of its own and hands over the path to read: that of a file, of the folder in a zip,
 * or of the folder whose files came one by one, each named by its path. The folder is gone afterwards.
 *
 * @throws NotUnpacked
 */
export async function withUnpacked<T>(files: readonly File[], work: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'broadsheet-import-'));
  const content = join(folder, 'content');
  try {
    const [file] = files;
    if (!file?.name) throw new NotUnpacked('Nothing was sent: choose a file or a folder.');
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
    for (const [name, body] of Object.entries(await inflated(bytes))) await write(content, name, body);
    return await work(await onlyFolder(content));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Programs that make zips put a folder around everything; what was meant is in it. */
async function onlyFolder(path: string): Promise<string> {
  const names = (await readdir(path)).filter((name) => name !== '__MACOSX' && name !== '.DS_Store');
  const [name] = names;
  if (names.length !== 1 || name === undefined) return path;
  const inside = join(path, name);
  return (await stat(inside)).isDirectory() ? onlyFolder(inside) : path;
}

async function write(folder: string, name: string, body: Uint8Array): Promise<void> {
  const target = join(folder, normalize(name));
  if (!target.startsWith(folder + sep)) throw new NotUnpacked(`There is a file outside of the folder: ${name}`);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, body);
}

/** The files of a zip. What they unfold to is bounded by what the zip says of it, and nothing unfolds to more than that. */
function inflated(bytes: Uint8Array): Promise<Unzipped> {
  let [files, size, tooLarge] = [0, 0, false];
  const filter = ({ name, originalSize }: UnzipFileInfo): boolean => {
    files += 1;
    size += originalSize;
    tooLarge ||= files > MOST_FILES || size > MOST_BYTES;
    return !tooLarge && !name.endsWith('/');
  };
  return new Promise((resolve, reject) => {
    unzip(bytes, { filter }, (error, content) => {
      if (tooLarge) reject(new NotUnpacked('The zip unfolds to more than 256 MiB, or more than 20,000 files.'));
      else if (error) reject(new NotUnpacked(`The zip is broken: ${error.message}.`));
      else if (files === 0) reject(new NotUnpacked('The zip is empty: there is no file in it.'));
      else resolve(content);
    });
  });
}
