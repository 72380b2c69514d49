import { readContent } from '@broadsheet/content';
import type { SnapshotBlogInput } from '@broadsheet/contract';

/**
 * Reads blogs for worlds from what `broadsheet import` takes: a snapshot, a Ghost export or a folder of Markdown. Notes
 * on what was mended or left out are written.
 *
 * @throws Error with every problem, when there is any
 */
export async function importBlogs(path: string, write: (line: string) => void): Promise<readonly SnapshotBlogInput[]> {
  const content = await readContent(path);
  if (!content.ok) {
    const problems = content.problems.map(({ at, message }) => `  ${at}: ${message}`);
    throw new Error([`${path} cannot be imported:`, ...problems].join('\n'));
  }
  for (const note of content.notes) write(`note: ${note}`);
  return content.snapshot.blogs;
}
