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

/**
 * Puts a file that was sent into a folder of its own, a zip unfolded, and hands over the path to read: that of the
 * file, or of the folder in it. The folder is gone afterwards.
 *
 * @throws NotUnpacked
 */
export async function withUnpacked<T>(file: File, work: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'broadsheet-import-'));
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    // Every zip begins so, an empty one included.
    const zipped = bytes[0] === 0x50 && bytes[1] === 0x4b;
    if (!zipped) {
      const path = join(folder, file.name.replace(/[^\w.-]/g, '_').slice(-100) || 'file.json');
      await writeFile(path, bytes);
      return await work(path);
    }
    await unfold(bytes, join(folder, 'content'));
    return await work(await onlyFolder(join(folder, 'content')));
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

async function unfold(bytes: Uint8Array, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, body] of Object.entries(await inflated(bytes))) {
    const target = join(folder, normalize(name));
    if (!target.startsWith(folder + sep)) throw new NotUnpacked(`The zip has a file outside of itself: ${name}`);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, body);
  }
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
