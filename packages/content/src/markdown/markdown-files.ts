import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { type Read, refuse } from '../problem.ts';
import { decodeText, readText, whyUnreadable } from '../text/read-text.ts';

/** A folder of Markdown files, on disk or uploaded. */
export interface MarkdownFolder {
  readonly name: string;
  /** Paths inside the folder, with `/`, sorted by code units on every file system. */
  readonly files: readonly string[];
  /** Symbolic links to folders, which are not followed because they may form a cycle. */
  readonly linkedFolders: readonly string[];
  read(path: string): Promise<Read<string>>;
}

/** Uploaded files by their paths, with `/`. */
export type UploadedFiles = ReadonlyMap<string, Uint8Array>;

export const MARKDOWN = /\.(?:md|mdx|markdown)$/i;
const EMPTY = 'has no .md, .mdx or .markdown file in it; give the folder of the posts';

const isLeftOut = (name: string): boolean => name.startsWith('.') || name === 'node_modules';

/** The Markdown files among those that were uploaded. */
export function uploadedFolder(name: string, uploaded: UploadedFiles): Read<MarkdownFolder> {
  const files = [...uploaded.keys()].filter((path) => MARKDOWN.test(path) && !path.split('/').some(isLeftOut));
  if (files.length === 0) return refuse(name, EMPTY);
  const read = async (path: string): Promise<Read<string>> => {
    // Yields to other work between files, as reading from disk does.
    await turn();
    return decodeText(uploaded.get(path) ?? new Uint8Array(), path);
  };
  return { ok: true, value: { name, files: files.sort(), linkedFolders: [], read } };
}

/** Finds the Markdown files in a folder on disk. */
export async function folderOnDisk(root: string): Promise<Read<MarkdownFolder>> {
  const files: string[] = [];
  const linkedFolders: string[] = [];
  const visit = async (folder: string): Promise<void> => {
    const entries = await readdir(join(root, folder), { withFileTypes: true });
    for (const entry of entries) {
      if (isLeftOut(entry.name)) continue;
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      const isMarkdown = MARKDOWN.test(entry.name);
      if (entry.isDirectory()) await visit(path);
      else if (isMarkdown && entry.isFile()) files.push(path);
      else if (entry.isSymbolicLink()) {
        const leadsTo = await stat(join(root, path)).catch(() => undefined);
        if (leadsTo?.isDirectory()) linkedFolders.push(path);
        // A broken link is kept, so that reading it reports the problem.
        else if (isMarkdown && (leadsTo?.isFile() ?? true)) files.push(path);
      }
    }
  };
  try {
    await visit('');
  } catch (error) {
    const folder = error instanceof Error && 'path' in error ? String(error.path) : root;
    return refuse(folder, whyUnreadable(error));
  }
  if (files.length === 0) return refuse(root, EMPTY);
  const read = (path: string) => readText(join(root, path), path);
  return { ok: true, value: { name: basename(root), files: files.sort(), linkedFolders: linkedFolders.sort(), read } };
}
