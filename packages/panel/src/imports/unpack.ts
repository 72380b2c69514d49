import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, normalize, sep } from 'node:path';
import { AsyncUnzipInflate, Unzip, type UnzipFile, UnzipPassThrough } from 'fflate';

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
    await unzip(bytes, join(folder, 'content'));
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

async function unzip(bytes: Uint8Array, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const files: Promise<void>[] = [];
  let size = 0;
  const grown = (by: number) => {
    size += by;
    if (size > MOST_BYTES) throw new NotUnpacked('The zip unfolds to more than 256 MiB.');
  };
  const take = async (file: UnzipFile): Promise<void> => {
    const target = join(folder, normalize(file.name));
    if (!target.startsWith(folder + sep)) throw new NotUnpacked(`The zip has a file outside of itself: ${file.name}`);
    if (file.name.endsWith('/')) return;
    const body = await inflated(file, grown);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, body);
  };
  const reader = new Unzip((file) => {
    if (files.length >= MOST_FILES) file.terminate();
    else files.push(take(file));
  });
  reader.register(UnzipPassThrough);
  reader.register(AsyncUnzipInflate);
  try {
    reader.push(bytes, true);
  } catch (error) {
    files.push(Promise.reject(new NotUnpacked(`The zip is broken: ${error instanceof Error ? error.message : error}`)));
  }
  const [failed] = (await Promise.allSettled(files)).filter(({ status }) => status === 'rejected');
  if (failed) throw (failed as PromiseRejectedResult).reason;
  if (files.length === 0) throw new NotUnpacked('The zip is empty or broken: there is no file in it.');
}

function inflated(file: UnzipFile, grown: (by: number) => void): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    file.ondata = (error, chunk, final) => {
      try {
        if (error) throw new NotUnpacked(`The zip is broken at ${file.name}: ${error.message}`);
        grown(chunk.byteLength);
        chunks.push(chunk);
        if (final) resolve(Buffer.concat(chunks));
      } catch (problem) {
        file.terminate();
        reject(problem);
      }
    };
    try {
      file.start();
    } catch (error) {
      reject(
        new NotUnpacked(`The zip cannot be read at ${file.name}: ${error instanceof Error ? error.message : error}`),
      );
    }
  });
}
