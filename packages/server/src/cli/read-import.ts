import type { SnapshotInput } from '@broadsheet/contract';
import type { ServerStore } from '../store/server-store.ts';
import { note } from './output.ts';
import { createProgress } from './progress.ts';
import { Refusal } from './refusal.ts';

/** Content that was read whole, ready to be written. */
export interface ReadImport {
  readonly snapshot: SnapshotInput;
  readonly notes: readonly string[];
}

/** Reads content for an import. @throws Refusal with all of its problems */
export async function readImport(path: string, blog?: string): Promise<ReadImport> {
  const { readContent } = await import('../content/index.ts');
  const progress = createProgress('reading', 'files');
  const content = await readContent(path, { blog, onProgress: progress.update });
  progress.stop();
  if (content.ok) return content;
  throw new Refusal([
    ...content.problems.slice(0, MOST_PROBLEMS).map(({ at, message }) => `${at}: ${message}`),
    ...(content.problems.length > MOST_PROBLEMS ? [`… and ${content.problems.length - MOST_PROBLEMS} more`] : []),
  ]);
}

/** More than anyone reads at once; the rest is counted. */
const MOST_PROBLEMS = 200;

/** Writes it: every blog or none. */
export async function writeImport({ snapshot, notes }: ReadImport, store: ServerStore) {
  const posts = snapshot.blogs.reduce((sum, blog) => sum + (blog.posts?.length ?? 0), 0);
  const progress = createProgress('importing', 'posts');
  const imported = await store.importBlogs(snapshot.blogs, Date.now(), (written) => progress.update(written, posts));
  progress.stop();
  for (const text of notes) note(`note: ${text}`);
  return imported;
}
