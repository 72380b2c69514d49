import type { SnapshotBlogInput } from '@broadsheet/contract';
import { OperationError } from '../operations/operation-error.ts';

/** The target size of a part: a row of a Durable Object has at most 2 MB. */
const PART_BYTES = 1_000_000;
const MOST_BYTES = 1_900_000;

/** A blog with some of its posts. */
export type BlogPart = SnapshotBlogInput & { readonly posts: NonNullable<SnapshotBlogInput['posts']> };

/**
 * Splits a blog into parts that each fit into a row; the first part also contains everything except the posts.
 *
 * @throws OperationError when a post does not fit
 */
export function* inParts(blog: SnapshotBlogInput): Generator<BlogPart> {
  const { id, name, domains, posts = [] } = blog;
  const rest = { id, name, ...(domains && { domains }) };
  let part: BlogPart = { ...blog, posts: [] };
  let bytes = bytesOf(part);
  if (bytes > MOST_BYTES) throw tooLarge(id);
  for (const post of posts) {
    const size = bytesOf(post);
    if (size > MOST_BYTES) throw tooLarge(id, post.id);
    if (bytes + size > PART_BYTES && (part.posts.length > 0 || bytes + size > MOST_BYTES)) {
      yield part;
      [part, bytes] = [{ ...rest, posts: [] }, 0];
    }
    part.posts.push(post);
    bytes += size;
  }
  yield part;
}

const bytesOf = (value: object): number => new TextEncoder().encode(JSON.stringify(value)).length;

function tooLarge(blogId: string, postId?: string): OperationError {
  const what = postId === undefined ? 'the blog without its posts' : `the post ${postId}`;
  return new OperationError([
    { at: `blog ${blogId}`, message: `${what} is larger than the 2 MB that a part of a remote import may have` },
  ]);
}
