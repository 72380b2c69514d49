import type { SourceBlogInput } from '@broadsheet/contract';
import type { Image } from '@broadsheet/core';
import type { SqlStore } from '@broadsheet/store';
import {
  type BlogSource,
  type Clash,
  ContentClash,
  type ImportedBlog,
  type ImportOptions,
  sha256Hex,
  toBase64,
} from '@broadsheet/store';
import type { Actor } from '../commands/command.ts';
import { describeImports } from '../commands/imports.ts';
import { narrowedStore } from '../commands/narrowed-store.ts';
import { OperationError } from '../operations/operation-error.ts';

/** Where content is imported: the store of a server, or a server over HTTP. */
export interface Importer {
  importBlogs(blogs: BlogSource, now: number, options: ImportOptions): Promise<readonly ImportedBlog[]>;
  /** The hashes of the images that a blog does not have. */
  missingImages(blog: string, hashes: readonly string[]): Promise<readonly string[]>;
  putImage(blog: string, image: Image): Promise<void>;
  /** Removes the images that a blog no longer uses, and returns how many. */
  pruneImages(blog: string): Promise<number>;
}

/**
 * Imports into a store, and logs what changes in the same transaction.
 *
 * @param source the name of the file, for the log
 */
export function importerOf(store: SqlStore, actor: Actor, source?: string): Importer {
  const { importBlogs } = narrowedStore(store, actor);
  return {
    ...store,
    importBlogs: (blogs, now, options) =>
      importBlogs(blogs, now, { ...options, entries: describeImports(actor, now, source) }),
  };
}

/** Runs a command on a server over HTTP. */
type Send = (name: string, blog: string, args: object) => Promise<unknown>;

/** Imports into a server over HTTP. */
export const remoteImporter = (send: Send): Importer => ({
  importBlogs: (blogs, _, options) => importInParts(send, blogs, options),
  missingImages: (blog, hashes) => send('media.missing', blog, { hashes }) as Promise<readonly string[]>,
  putImage: async (blog, { bytes }) => void (await send('media.add', blog, { image: toBase64(bytes) })),
  pruneImages: (blog) => send('media.prune', blog, {}) as Promise<number>,
});

/**
 * Each blog is imported atomically, but several blogs are not. Therefore a dry run of all of them comes first, so that
 * conflicts are found before anything is written. Parts that an interrupted import has sent are not sent again.
 */
async function importInParts(
  send: Send,
  blogs: BlogSource,
  { prune = false, keepNames = false, allowMovedUrls = false, dryRun = false, onProgress }: ImportOptions = {},
): Promise<readonly ImportedBlog[]> {
  const sent = new Map<string, Set<string>>();
  let posts = 0;
  for await (const blog of blogs) {
    const parts = sent.get(blog.id) ?? new Set();
    sent.set(blog.id, parts);
    for (const part of inParts(blog)) {
      const name = await sha256Hex(JSON.stringify(part));
      const missing = (await send('import.missing', blog.id, { parts: [name] })) as readonly string[];
      if (missing.length > 0) await send('import.add', blog.id, { name, part });
      // If parts are equal, the last one counts: a part between them may have changed the same posts.
      parts.delete(name);
      parts.add(name);
      posts += part.posts.length;
      await onProgress?.(posts);
    }
  }
  async function run(isDry: boolean): Promise<readonly ImportedBlog[]> {
    const imported: ImportedBlog[] = [];
    for (const [id, parts] of sent) {
      const args = { parts: [...parts], prune, keepNames, allowMovedUrls, dryRun: isDry };
      imported.push(...((await send('import.run', id, args).catch(throwClash)) as readonly ImportedBlog[]));
    }
    return imported;
  }
  const tried = dryRun || sent.size > 1 ? await run(true) : [];
  return dryRun ? tried : run(false);
}

/** A server reports the clashes of an import as problems. @throws ContentClash, or the error as it was */
function throwClash(error: unknown): never {
  const isClash = error instanceof OperationError && error.problems.every((problem) => 'blogId' in problem);
  if (isClash) throw new ContentClash(error.problems as readonly Clash[]);
  throw error;
}

/** The target size of a part: a row of a Durable Object has at most 2 MB. */
const PART_BYTES = 1_000_000;
const MOST_BYTES = 1_900_000;

/** A blog with some of its posts. */
type BlogPart = SourceBlogInput & { readonly posts: NonNullable<SourceBlogInput['posts']> };

/**
 * Splits a blog into parts that each fit into a row; the first part also contains everything except the posts.
 *
 * @throws OperationError when a post does not fit
 */
function* inParts(blog: SourceBlogInput): Generator<BlogPart> {
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
