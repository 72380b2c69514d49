import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Read, refuse } from '../problem.ts';
import { whyUnreadable } from '../text/read-text.ts';

/** Paths inside a folder, with `/`, in the order of their code units whatever the file system says. */
interface MarkdownFiles {
  readonly files: readonly string[];
  /** Links to folders are not followed: they may lead back. */
  readonly linkedFolders: readonly string[];
}

/** Finds the Markdown files in a folder. */
export async function markdownFiles(root: string): Promise<Read<MarkdownFiles>> {
  const files: string[] = [];
  const linkedFolders: string[] = [];
  const visit = async (folder: string): Promise<void> => {
    const entries = await readdir(join(root, folder), { withFileTypes: true });
    for (const entry of entries) {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      const isMarkdown = /\.(?:md|mdx|markdown)$/i.test(entry.name);
      if (entry.isDirectory()) await visit(path);
      else if (isMarkdown && entry.isFile()) files.push(path);
      else if (entry.isSymbolicLink()) {
        const leadsTo = await stat(join(root, path)).catch(() => undefined);
        if (leadsTo?.isDirectory()) linkedFolders.push(path);
        // A link that leads nowhere is left for the reader to report.
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
  if (files.length === 0) return refuse(root, 'has no .md, .mdx or .markdown file in it; give the folder of the posts');
  return { ok: true, value: { files: files.sort(), linkedFolders: linkedFolders.sort() } };
}
