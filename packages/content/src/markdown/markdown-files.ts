import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Read, refuse } from '../problem.ts';
import { whyUnreadable } from '../text/read-text.ts';

/** Paths inside a folder, with `/`, in the order of their code units whatever the file system says. */
export async function markdownFiles(root: string): Promise<Read<readonly string[]>> {
  const files: string[] = [];
  const visit = async (folder: string): Promise<void> => {
    const entries = await readdir(join(root, folder), { withFileTypes: true });
    for (const entry of entries) {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) await visit(path);
      else if (
        /\.(?:md|mdx|markdown)$/i.test(entry.name) &&
        (entry.isFile() || (await isLinkedFile(join(root, path))))
      ) {
        files.push(path);
      }
    }
  };
  try {
    await visit('');
  } catch (error) {
    const folder = error instanceof Error && 'path' in error ? String(error.path) : root;
    return refuse(folder, whyUnreadable(error));
  }
  if (files.length === 0) return refuse(root, 'has no .md, .mdx or .markdown file in it; give the folder of the posts');
  return { ok: true, value: files.sort() };
}

/** A link to a folder is not followed: it may lead back. A link that leads nowhere is left for the reader to report. */
const isLinkedFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => true,
  );
