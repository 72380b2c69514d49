import type { NotedSnapshot, ReadContentOptions } from '@broadsheet/content';
import { type ImportedContent, type Importer, importContent, OperationError } from '@broadsheet/management';
import type { ImportOptions } from '@broadsheet/store';
import { createProgress, note } from '../program/output.ts';

/** Reads content for an import. @throws OperationError with all problems of the content */
export async function readImport(
  path: string,
  options: Omit<ReadContentOptions, 'now' | 'signal' | 'onProgress'> = {},
): Promise<NotedSnapshot> {
  const { readContent } = await import('@broadsheet/content');
  const progress = await createProgress('reading', 'files');
  const content = await readContent(path, { ...options, onProgress: progress.update });
  progress.stop();
  if (!content.ok) throw new OperationError(content.problems);
  if (content.snapshot.blogs.length === 0)
    throw new OperationError(`${path}: contains nothing to import: its list "blogs" is empty`);
  return content;
}

/** Writes all blogs or none. @throws OperationError if the content conflicts with existing content of the database */
export async function writeImport(
  content: NotedSnapshot,
  importer: Importer,
  options: Omit<ImportOptions, 'onProgress'> = {},
): Promise<readonly ImportedContent[]> {
  const posts = content.snapshot.blogs.reduce((sum, blog) => sum + (blog.posts?.length ?? 0), 0);
  const progress = await createProgress('importing', 'posts');
  const onProgress = (written: number) => progress.update(written, posts);
  try {
    return await importContent(importer, content, { ...options, now: Date.now(), onProgress });
  } finally {
    progress.stop();
    for (const text of content.notes) note(`note: ${text}`);
    for (const { at, message } of content.skipped ?? []) note(`skipped: ${at}: ${message}`);
  }
}
