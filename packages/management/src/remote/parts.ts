import type { SnapshotBlogInput } from '@broadsheet/contract';
import { OperationError } from '../operations/operation-error.ts';

/** The target size of a part: a row of a Durable Object has at most 2 MB. */
const PART_BYTES = 1_000_000;
const MOST_BYTES = 1_900_000;

/**
 * Splits blogs into parts that each fit into a row, as JSON with the number of posts; the first part also contains
 * everything except the posts. @throws OperationError when a post does not fit
 */
export function* inParts(blogs: Iterable<SnapshotBlogInput>) {
  for (const blog of blogs) {
    const { id, name, domains, posts = [] } = blog;
    const part = (head: SnapshotBlogInput, texts: readonly string[]) => {
      const before = JSON.stringify({ ...head, posts: undefined });
      const text = `${before.slice(0, -1)},"posts":[${texts.join(',')}]}`;
      if (bytesOf(text) > MOST_BYTES) throw tooLarge(id);
      return { blogId: id, text, size: texts.length };
    };
    const rest = { id, name, domains, posts: undefined } as SnapshotBlogInput;
    let head = blog;
    let texts: string[] = [];
    let bytes = bytesOf(JSON.stringify({ ...blog, posts: undefined }));
    for (const post of posts) {
      const text = JSON.stringify(post);
      if (bytesOf(text) > MOST_BYTES) throw tooLarge(id, post.id);
      if (texts.length > 0 && bytes + bytesOf(text) > PART_BYTES) {
        yield part(head, texts);
        [head, texts, bytes] = [rest, [], 0];
      }
      texts.push(text);
      bytes += bytesOf(text);
    }
    yield part(head, texts);
  }
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

function tooLarge(blogId: string, postId?: string): OperationError {
  const what = postId === undefined ? 'the blog without its posts' : `the post ${postId}`;
  return new OperationError([
    { at: `blog ${blogId}`, message: `${what} is larger than the 2 MB that a row of a Durable Object may have` },
  ]);
}
