import type { SourceBlogInput } from '@broadsheet/contract';
import { findMedia, type Image } from '@broadsheet/core';
import { type Clash, ContentClash, type ImportedBlog, type ImportOptions } from '@broadsheet/store';
import { reservedId } from '../operations/blogs.ts';
import { putImages } from '../operations/images.ts';
import { OperationError, type OperationProblem } from '../operations/operation-error.ts';
import type { Importer } from './importer.ts';

/** Content that was read completely, ready to be written. */
export interface ReadyContent {
  readonly snapshot: { readonly blogs: readonly SourceBlogInput[] };
  /** The images to which the snapshot refers by their URLs on this server. */
  readonly images?: readonly Image[];
  /** Whether the source does not name its blogs; existing blogs then keep their names. */
  readonly unnamed?: boolean;
}

/** The result of an import for one blog, with the number of images that it removed. */
export interface ImportedContent extends ImportedBlog {
  readonly pruned: ImportedBlog['pruned'] & { readonly images: number };
}

/**
 * Writes content: every blog or none. Images are stored first, so that no post is visible without its images.
 *
 * @throws OperationError when the content is empty or conflicts with what is stored
 */
export async function importContent(
  importer: Importer,
  content: ReadyContent,
  { now, prune = false, dryRun = false, ...options }: ImportOptions & { readonly now: number },
): Promise<readonly ImportedContent[]> {
  const { blogs } = content.snapshot;
  if (blogs.length === 0) throw new OperationError('there is nothing to import: the list "blogs" is empty');
  const reserved = blogs.flatMap(({ id }): OperationProblem[] => {
    const message = reservedId(id);
    return message === undefined ? [] : [{ at: `blog ${id}`, message }];
  });
  if (reserved.length > 0) throw new OperationError(reserved);
  if (!dryRun) await storeImages(importer, content);
  try {
    const all = { keepNames: content.unnamed === true, prune, dryRun, ...options };
    const imported = await importer.importBlogs(blogs, now, all);
    if (!dryRun) await storeImages(importer, content);
    const result: ImportedContent[] = [];
    for (const blog of imported) {
      const images = prune && !dryRun ? await importer.pruneImages(blog.id) : 0;
      result.push({ ...blog, pruned: { ...blog.pruned, images } });
    }
    return result;
  } catch (error) {
    // The images of a refused import would stay unused.
    if (content.images && !dryRun) {
      for (const { id } of blogs) await importer.pruneImages(id).catch(() => undefined);
    }
    if (!(error instanceof ContentClash)) throw error;
    throw new OperationError(error.clashes.map(explain), 'CONFLICT');
  }
}

async function storeImages(importer: Importer, { snapshot, images = [] }: ReadyContent): Promise<void> {
  if (images.length === 0) return;
  for (const { id, posts = [], ads = [] } of snapshot.blogs) {
    const found = [...posts, ...ads].flatMap((item) => findMedia(JSON.stringify(item)));
    const used = new Set(found.map(({ hash }) => hash));
    await putImages(
      importer,
      id,
      images.filter(({ hash }) => used.has(hash)),
    );
  }
}

/** Names the file of a post, if it has one, because that is where the problem can be fixed. */
function explain({ blogId, post, message, code }: Clash): OperationProblem {
  if (!post) return { at: `blog ${blogId}`, message, code };
  const at = post.file ?? `blog ${blogId}, post ${post.id} (${JSON.stringify(post.title)})`;
  if (code !== 'SLUG_IN_USE') return { at, message, code };
  if (post.file === undefined) {
    return { at, message: `${message}; use another slug, or the id of that post if it is the same`, code };
  }
  return {
    at,
    message: `${message}; rename the file back or prune if it is the same post, otherwise use another slug`,
    code,
  };
}
