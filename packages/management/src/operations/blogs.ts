import type { BlogRecord } from '@broadsheet/store';
import type { CommandStore } from '../server-store.ts';
import { OperationError } from './operation-error.ts';

/**
 * The blog with this id.
 *
 * @param seesOthers whether the error lists the existing blogs
 * @throws OperationError
 */
export async function requireBlog(
  store: Pick<CommandStore, 'listBlogs'>,
  id: string,
  seesOthers = true,
): Promise<BlogRecord> {
  const [blog] = await store.listBlogs(id);
  if (blog) return blog;
  const message = `There is no blog ${JSON.stringify(id)}`;
  if (!seesOthers) throw new OperationError(`${message}.`, 'NOT_FOUND');
  const others = (await store.listBlogs()).slice(0, 10).map((candidate) => candidate.id);
  const known = others.length === 0 ? 'the database has none yet' : `there is ${others.join(', ')}`;
  throw new OperationError(`${message}; ${known}.`, 'NOT_FOUND');
}
