import type { SourceBlogInput } from '@broadsheet/contract';
import { manyNotes } from '@broadsheet/core';
import { marked } from 'marked';
import type { LocalImages } from '../images/local-images.ts';
import { idOfName, nameKey, slugify } from '../named-id.ts';
import type { NotedSnapshot, ReadContentOptions } from '../noted-snapshot.ts';
import { type ContentProblem, failedRead, type Read } from '../problem.ts';
import type { SourceFolder } from '../source-folder.ts';
import { doubtNotes, leftOutNotes, titleNotes } from './folder-notes.ts';
import type { LeftOut } from './left-out.ts';
import { type MarkdownContext, type MarkdownPost, readMarkdownPost } from './markdown-post.ts';
import { otherSlugs } from './other-slugs.ts';
import { unreadNotes } from './unread-fields.ts';

type MarkdownFile = MarkdownPost | LeftOut;

const asFile = (problem: ContentProblem): ContentProblem => ({ code: 'FILE', ...problem });

/** Files read in parallel: enough to keep the disk busy, and far below the limit of open files. */
const AT_ONCE = 32;

const LINKED = 'is a link to a folder and was not followed: its posts are not included';

export const MARKDOWN = /\.(?:md|mdx|markdown)$/i;
const EMPTY = 'has no .md, .mdx or .markdown files; specify the folder of the posts';

const ONLY_PAGES = 'contains no posts, only pages and documents; specify the folder of the posts';

/** Reads a folder of Markdown files as one blog. */
export async function readMarkdownFolder(
  folder: SourceFolder,
  options: ReadContentOptions,
  images?: LocalImages,
): Promise<Read<NotedSnapshot>> {
  const { name, linkedFolders, place = name } = folder;
  const { skipBad = false } = options;
  const files = folder.files.filter((path) => MARKDOWN.test(path));
  if (files.length === 0) return failedRead(place, EMPTY);
  const read = refuseSameNames(await readAll({ ...folder, files }, options, { images }));
  if (options.signal?.aborted) return failedRead(name, 'takes too long to read; import it with "broadsheet import"');
  const problems = read.flatMap((file): readonly ContentProblem[] => (file.ok ? [] : file.problems.map(asFile)));
  const good = read.flatMap((file) => (file.ok && 'post' in file.value ? [file.value] : []));
  const leftOut = read.flatMap((file) => (file.ok && 'leftOut' in file.value ? [file.value] : []));
  if (problems.length > 0 && (!skipBad || good.length === 0)) return { ok: false, problems };
  if (good.length === 0) return failedRead(place, ONLY_PAGES);
  const blog = blogOf(good, { id: options.blog ?? (slugify(name) || 'blog'), name: options.blog ?? name }, options);
  return {
    ok: true,
    value: {
      ...(images && { images: images.images }),
      snapshot: { blogs: [blog] },
      unnamed: true,
      notes: [
        ...leftOutNotes(leftOut),
        ...manyNotes(linkedFolders, LINKED),
        ...doubtNotes(good),
        ...titleNotes(good),
        ...good.flatMap((post) => post.notes),
        ...(images?.notes ?? []),
        ...unreadNotes(good),
      ],
      ...(problems.length > 0 && { skipped: problems }),
    },
  };
}

function blogOf(
  posts: readonly MarkdownPost[],
  blog: { readonly id: string; readonly name: string },
  { html }: ReadContentOptions,
): SourceBlogInput {
  const categories = new NamedGroups();
  const tags = new NamedGroups();
  const stored = posts.map((entry) => ({
    ...entry.post,
    ...(html && { content: marked.parse(entry.post.content ?? '', { async: false }) }),
    categoryIds: categories.idsOf(entry.categories),
    tagIds: tags.idsOf(entry.tags),
    file: { path: entry.path, hasSlug: entry.slugWritten, otherSlugs: otherSlugs(entry) },
  }));
  return { ...blog, posts: stored, categories: categories.all(), tags: tags.all() };
}

/**
 * Refuses files whose names differ only in their Unicode normalization form. Some file systems treat them as the same
 * name, and their posts would have the same id.
 */
function refuseSameNames(read: readonly Read<MarkdownFile>[]): readonly Read<MarkdownFile>[] {
  const first = new Map<string, string>();
  return read.map((post) => {
    if (!post.ok || 'leftOut' in post.value) return post;
    const { id } = post.value.post;
    const { path } = post.value;
    const other = first.get(id);
    if (other === undefined) first.set(id, path);
    return other === undefined
      ? post
      : failedRead(path, `has the same name as ${other} in another Unicode form; rename one`);
  });
}

async function readAll(
  folder: SourceFolder,
  { onProgress, signal }: ReadContentOptions,
  context: MarkdownContext,
): Promise<Read<MarkdownFile>[]> {
  const { files } = folder;
  const posts: Read<MarkdownFile>[] = [];
  const queue = files.entries();
  let done = 0;
  const worker = async (): Promise<void> => {
    for (const [index, path] of queue) {
      if (signal?.aborted) return;
      const text = await folder.read(path);
      posts[index] = text.ok ? readMarkdownPost(text.value, path, context) : text;
      done += 1;
      onProgress?.(done, files.length);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return posts;
}

/** Categories or tags that are identified by name, regardless of case. */
class NamedGroups {
  readonly #groups = new Map<string, { id: string; name: string }>();

  /** The ids of names, without duplicates. A new name becomes a group with this spelling. */
  idsOf(names: readonly string[]): string[] {
    const ids = names.map((name) => {
      const key = nameKey(name);
      const group = this.#groups.get(key) ?? { id: idOfName(name), name };
      this.#groups.set(key, group);
      return group.id;
    });
    return [...new Set(ids)];
  }

  all(): { id: string; name: string }[] {
    return [...this.#groups.values()];
  }
}
