import { readFileSync, realpathSync, statSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join, relative, resolve, sep } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { IMAGE_LIMITS } from '@broadsheet/core';
import { failedRead, type Read } from './problem.ts';
import { decodeText, readText, whyUnreadable } from './text/read-text.ts';

/** A folder of files, on disk or uploaded. */
export interface SourceFolder {
  readonly name: string;
  /** Paths inside the folder, with `/`, sorted by code units on every file system. */
  readonly files: readonly string[];
  /** Symbolic links to folders, which are not followed because they may form a cycle. */
  readonly linkedFolders: readonly string[];
  /** Where the folder is, if it is on disk. */
  readonly place?: string;
  read(path: string): Promise<Read<string>>;
  /** The bytes of an image, or the reason why they cannot be read, as the end of a sentence. */
  readImage(path: string): Uint8Array<ArrayBuffer> | string;
}

/** Uploaded files by their paths, with `/` as separator. */
export type UploadedFiles = ReadonlyMap<string, Uint8Array>;

const isLeftOut = (name: string): boolean => name.startsWith('.') || name === 'node_modules';

/** The folder of the files that were uploaded. */
export function uploadedFolder(name: string, uploaded: UploadedFiles): SourceFolder {
  const bytesOf = (path: string) => uploaded.get(path) ?? new Uint8Array();
  const read = async (path: string): Promise<Read<string>> => {
    // Yields to other work between files, as reading from disk does.
    await turn();
    return decodeText(bytesOf(path), path);
  };
  const files = [...uploaded.keys()].filter((path) => !path.split('/').some(isLeftOut)).sort();
  return { name, files, linkedFolders: [], read, readImage: (path) => new Uint8Array(bytesOf(path)) };
}

/** Finds the files in a folder on disk, or in its subfolder `within`. */
export async function folderOnDisk(place: string, within = ''): Promise<Read<SourceFolder>> {
  const root = resolve(place);
  const files: string[] = [];
  const linkedFolders: string[] = [];
  const visit = async (folder: string): Promise<void> => {
    const entries = await readdir(join(root, folder), { withFileTypes: true });
    for (const entry of entries) {
      if (isLeftOut(entry.name)) continue;
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) await visit(path);
      else if (entry.isFile()) files.push(path);
      else if (entry.isSymbolicLink()) {
        const leadsTo = await stat(join(root, path)).catch(() => undefined);
        if (leadsTo?.isDirectory()) linkedFolders.push(path);
        // A broken link stays in the list, so that reading it reports the problem.
        else if (leadsTo?.isFile() ?? true) files.push(path);
      }
    }
  };
  try {
    await visit(within);
  } catch (error) {
    const folder = error instanceof Error && 'path' in error ? String(error.path) : root;
    return failedRead(folder, whyUnreadable(error));
  }
  const read = (path: string) => readText(join(root, path), path);
  const readImage = (path: string) => readImageOnDisk(root, path);
  const value = { name: basename(root), place: root, read, readImage };
  return { ok: true, value: { ...value, files: files.sort(), linkedFolders: linkedFolders.sort() } };
}

/** Reads an image, unless its path leads out of the folder or it is too large. */
function readImageOnDisk(root: string, path: string): Uint8Array<ArrayBuffer> | string {
  try {
    const file = realpathSync(join(root, path));
    if (!isInside(realpathSync(root), file)) return 'is a symbolic link that leads out of its folder and is not read';
    const { size } = statSync(file);
    const most = IMAGE_LIMITS.bytes / 1024 / 1024;
    if (size > IMAGE_LIMITS.bytes) return `is larger than ${most} MiB, the limit for an image; make it smaller`;
    return readFileSync(file);
  } catch (error) {
    return whyUnreadable(error);
  }
}

/** Whether an absolute path is inside a folder. */
const isInside = (folder: string, path: string): boolean => !relative(folder, path).split(sep).includes('..');
