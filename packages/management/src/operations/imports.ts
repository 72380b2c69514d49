import type { SnapshotInput } from '@broadsheet/contract';
import { type Clash, ContentClash, type ImportedBlog, type ImportOptions } from '@broadsheet/store';
import type { ManagedStore } from '../remote/verbs.ts';
import { reservedId } from './blog-id.ts';
import { OperationError, type OperationProblem } from './operation-error.ts';

/** Content that was read whole, ready to be written. */
export interface ReadyContent {
  readonly snapshot: SnapshotInput;
  /** Whether the source does not name its blogs; existing blogs then keep their names. */
  readonly unnamed?: boolean;
  /** The file of each post, by post id, if each post has its own file. */
  readonly files?: ReadonlyMap<string, string>;
}

/**
 * Writes content: every blog or none.
 *
 * @throws OperationError when the content is empty or conflicts with what is stored
 */
export async function importContent(
  store: ManagedStore,
  content: ReadyContent,
  { now, ...options }: ImportOptions & { readonly now: number },
): Promise<readonly ImportedBlog[]> {
  if (content.snapshot.blogs.length === 0)
    throw new OperationError('there is nothing to import: the list "blogs" is empty');
  const reserved = content.snapshot.blogs.flatMap(({ id }): OperationProblem[] => {
    const message = reservedId(id);
    return message === undefined ? [] : [{ at: `blog ${id}`, message }];
  });
  if (reserved.length > 0) throw new OperationError(reserved);
  try {
    return await store.importBlogs(content.snapshot.blogs, now, { keepNames: content.unnamed === true, ...options });
  } catch (error) {
    if (!(error instanceof ContentClash)) throw error;
    throw new OperationError(
      error.clashes.map((clash) => explain(clash, content)),
      'CONFLICT',
    );
  }
}

/** Names the file of a post, if it has one, because that is where the problem can be fixed. */
function explain({ blogId, post, message, code }: Clash, { files }: ReadyContent): OperationProblem {
  if (!post) return { at: `blog ${blogId}`, message, code };
  const file = files?.get(post.id);
  if (file === undefined) {
    const at = `blog ${blogId}, post ${post.id} (${JSON.stringify(post.title)})`;
    return { at, message: `${message}; give it another slug, or the id of that post if it is the same`, code };
  }
  return {
    at: file,
    message: `${message}; rename the file back or prune if it is the same post, otherwise give it another slug`,
    code,
  };
}
