import { accept, LIMITS, id as rule } from '@broadsheet/contract';
import type { BlogRecord, OperatorStore } from '@broadsheet/store';
import { OperationError } from './operation-error.ts';

/**
 * The blog with this id.
 *
 * @param seesOthers whether the error lists the existing blogs
 * @throws OperationError
 */
export async function requireBlog(
  store: Pick<OperatorStore, 'listBlogs'>,
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

/** The error for a person or a token whose only blog was deleted in the meantime. */
export const noBlog = (blogId: string | null): OperationError =>
  new OperationError(`There is no blog ${blogId}: create or import it first.`, 'NOT_FOUND');

/** Ids whose path belongs to a page of the panel, or which browsers resolve to another path. */
const RESERVED_IDS: ReadonlySet<string> = new Set([
  ...['assets', 'blogs', 'log', 'people', 'sign-in', 'sign-out'],
  ...['.', '..'],
]);

/** Why a new blog cannot have this id, if it cannot; the pages of a blog are at `/panel/ID`. */
export function reservedId(id: string): string | undefined {
  if (!RESERVED_IDS.has(id)) return undefined;
  return `a blog cannot have the id ${JSON.stringify(id)}: /panel/${id} is a URL of the panel itself; choose another`;
}

/** Whether every database can store and index a text as an id. */
export const isId = (text: string): boolean => !text.includes('\0') && accept(rule, text).ok;

const LONGEST = 200;

/**
 * Why an id that a person typed for a new blog is refused, if it is: commands, URLs and logs contain it. The blogs of a
 * snapshot already have ids, so this does not apply to them.
 */
export function wrongBlogId(id: string): string | undefined {
  const reserved = reservedId(id);
  if (reserved !== undefined) return reserved;
  const hasForm = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]*$/u.test(id) && id.length <= LONGEST;
  if (hasForm) return isId(id) ? undefined : `the id of a blog must be at most ${LIMITS.id.max} bytes long in UTF-8`;
  const received = id.length <= LONGEST ? JSON.stringify(id) : `a text of ${id.length} characters`;
  const rule = `start with a letter or a digit, and continue with letters, digits, ".", "_" or "-"`;
  return `the id of a blog cannot be ${received}: ${rule}, at most ${LONGEST} characters in all`;
}
