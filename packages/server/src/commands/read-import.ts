import type { ContentProblem, NotedSnapshot } from '@broadsheet/content';
import { type Clash, ContentClash, type ImportedBlog, type ServerStore } from '@broadsheet/store';
import { note } from '../program/output.ts';
import { createProgress } from '../program/progress.ts';
import { Refusal } from '../program/refusal.ts';

/** Content that was read whole, ready to be written. */
export type ReadImport = NotedSnapshot;

/** Reads content for an import. @throws Refusal with all of its problems */
export async function readImport(path: string, blog?: string): Promise<ReadImport> {
  const { readContent } = await import('@broadsheet/content');
  const progress = createProgress('reading', 'files');
  const content = await readContent(path, { blog, onProgress: progress.update });
  progress.stop();
  if (!content.ok) throw refusal(content.problems);
  if (content.snapshot.blogs.length === 0) throw new Refusal(`${path}: has nothing in it: its list "blogs" is empty`);
  return content;
}

function refusal(problems: readonly ContentProblem[]): Refusal {
  return new Refusal([
    ...problems.slice(0, MOST_PROBLEMS).map(({ at, message }) => `${at}: ${message}`),
    ...(problems.length > MOST_PROBLEMS ? [`… and ${problems.length - MOST_PROBLEMS} more`] : []),
  ]);
}

/** More than anyone reads at once; the rest is counted. */
const MOST_PROBLEMS = 200;

/** Writes it: every blog or none. @throws Refusal when it does not fit beside what the database holds */
export async function writeImport(content: ReadImport, store: ServerStore): Promise<readonly ImportedBlog[]> {
  try {
    return await write(content, store);
  } catch (error) {
    if (!(error instanceof ContentClash)) throw error;
    throw refusal(error.clashes.map((clash) => explain(clash, content)));
  }
}

/** A post that a file stands for is named by that file, for there it can be mended. */
function explain({ blogId, post, message }: Clash, { files }: ReadImport): ContentProblem {
  if (!post) return { at: `blog ${blogId}`, message };
  const file = files?.get(post.id);
  if (file === undefined) {
    const at = `blog ${blogId}, post ${post.id} (${JSON.stringify(post.title)})`;
    return { at, message: `${message}; give it another slug, or the id of that post if it is the same` };
  }
  return { at: file, message: `${message}; rename the file back if it is the same post, else give it another slug` };
}

async function write({ snapshot, notes }: ReadImport, store: ServerStore): Promise<readonly ImportedBlog[]> {
  const posts = snapshot.blogs.reduce((sum, blog) => sum + (blog.posts?.length ?? 0), 0);
  const progress = createProgress('importing', 'posts');
  let imported: readonly ImportedBlog[];
  try {
    imported = await store.importBlogs(snapshot.blogs, Date.now(), {
      onProgress: (written) => progress.update(written, posts),
    });
  } finally {
    progress.stop();
  }
  for (const text of notes) note(`note: ${text}`);
  return imported;
}
