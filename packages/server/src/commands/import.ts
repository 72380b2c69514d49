import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ContentProblem, NotedSnapshot, ReadContentOptions } from '@broadsheet/content';
import { accept, name as nameOfBlog, record } from '@broadsheet/contract';
import { findMedia, type Image, mediaPath } from '@broadsheet/core';
import {
  COMMAND_LINE,
  type ImportedContent,
  type Importer,
  importContent,
  importerOf,
  mediaUrl,
  OperationError,
  problemsAt,
  readImage,
  remoteImporter,
  summaryOf,
  wrongBlogId,
} from '@broadsheet/management';
import type { ImportOptions } from '@broadsheet/store';
import { type CommandFlags, notePublicUrl, publicUrlOf, withTarget } from '../database/database.ts';
import { createProgress, note, printResult } from '../program/output.ts';

interface ImportFlags
  extends CommandFlags,
    Pick<ReadContentOptions, 'blog' | 'name' | 'skipBad' | 'html' | 'root' | 'allowMissing'>,
    Pick<ImportOptions, 'prune' | 'dryRun' | 'allowMovedUrls'> {
  readonly media?: string;
}

/** `broadsheet import PATH`: all content is read before the database is opened. */
export async function importPath(path: string, flags: ImportFlags): Promise<void> {
  const { prune = false, dryRun = false, allowMovedUrls = false, media, database: _, json: __, ...reading } = flags;
  const publicUrl = publicUrlOf(flags);
  const name = flags.name === undefined ? undefined : readName(flags.name);
  const read = await readImport(path, { ...reading, name, media: media !== undefined, mediaUrl: publicUrl });
  const content = media === undefined ? read : await addMedia(read, media, publicUrl);
  if (content.images?.length) notePublicUrl(publicUrl);
  const { notes, skipped = [] } = content;
  if (prune && skipped.length > 0) {
    const more = skipped.length > 1 ? `; ${skipped.length} problems in all` : '';
    const bad = `Some files cannot be used (${skipped[0]?.at}: ${skipped[0]?.message}${more})`;
    throw new OperationError(`${bad}: --prune would delete their posts. Fix them, or import without --prune.`);
  }
  const imported = await withTarget(flags, { create: !dryRun, dryRun }, async ({ store, client }) => {
    const wrong = flags.blog === undefined ? undefined : wrongBlogId(flags.blog);
    if (flags.blog !== undefined && wrong !== undefined) {
      const ids = client ? await client.listBlogIds() : (await store.listBlogs(flags.blog)).map(({ id }) => id);
      if (!ids.includes(flags.blog)) throw new OperationError([{ at: '--blog', message: wrong }]);
    }
    const importer = client ? remoteImporter(client.run) : importerOf(store, COMMAND_LINE);
    return writeImport(content, importer, { prune, dryRun, allowMovedUrls }).catch((error: unknown) => {
      throw withWaysOn(error, path);
    });
  });
  if (dryRun) note('This is what an import would do; nothing was written.');
  for (const { id, changed } of imported) {
    if (!content.unnamed || !changed.includes('blog')) continue;
    const given = content.snapshot.blogs.find((blog) => blog.id === id)?.name;
    note(`note: the new blog is named “${given}”; "broadsheet blogs rename ${id} NAME" changes it`);
  }
  const images = content.images?.length ?? 0;
  const text = [...imported.map((blog) => describe(blog, dryRun)), ...(images > 0 ? [`images: ${images}`] : [])];
  const allNotes = [...notes, ...imported.flatMap((blog) => blog.notes)];
  printResult(flags, { blogs: imported.map(withoutNone), notes: allNotes, skipped }, text.join('\n'));
}

/** @throws OperationError */
function readName(typed: string): string {
  const name = typed.trim();
  if (name === '') throw new OperationError([{ at: '--name', message: 'enter a name' }]);
  const read = accept(record({ '--name': nameOfBlog }), { '--name': name });
  if (read.ok) return name;
  throw new OperationError(problemsAt(read.fields));
}

/** Reads content for an import. @throws OperationError with all problems of the content */
export async function readImport(
  path: string,
  options: Omit<ReadContentOptions, 'now' | 'signal' | 'onProgress'> = {},
): Promise<NotedSnapshot> {
  const { readContent } = await import('@broadsheet/content');
  const progress = await createProgress('reading', 'files');
  const content = await readContent(path, { ...options, onProgress: progress.update });
  progress.stop();
  if (!content.ok) throw new OperationError([...content.problems, ...waysOn(path, content.problems, options)]);
  if (content.snapshot.blogs.length === 0)
    throw new OperationError(`${path}: contains nothing to import: its list "blogs" is empty`);
  return content;
}

/** The flags with which the rest of a source is imported in spite of its problems. */
function waysOn(
  at: string,
  problems: readonly ContentProblem[],
  { skipBad, allowMissing }: ReadContentOptions,
): ContentProblem[] {
  const has = (code: ContentProblem['code']) => problems.some((problem) => problem.code === code);
  return [
    ...(has('FILE') && !skipBad ? [{ at, message: 'add --skip-bad to leave out the files that cannot be used' }] : []),
    ...(has('IMAGE') && !allowMissing
      ? [{ at, message: 'add --allow-missing to leave the references to these images as written' }]
      : []),
  ];
}

/** Adds the flag with which an import that was refused goes on. */
function withWaysOn(error: unknown, at: string): unknown {
  if (!(error instanceof OperationError) || !error.problems.some(({ code }) => code === 'URL_MOVED')) return error;
  const message = 'add --allow-moved-urls if these URLs may change';
  return new OperationError([...error.problems, { at, message }], error.code);
}

/** Writes all blogs or none. @throws OperationError if the content conflicts with existing content of the database */
export async function writeImport(
  content: NotedSnapshot,
  importer: Importer,
  options: Omit<ImportOptions, 'onProgress'> = {},
): Promise<readonly ImportedContent[]> {
  const posts = content.snapshot.blogs.reduce((sum, blog) => sum + (blog.posts?.length ?? 0), 0);
  const progress = await createProgress('importing', 'posts');
  const onProgress = (written: number) => progress.update(written, posts);
  try {
    const imported = await importContent(importer, content, { ...options, now: Date.now(), onProgress });
    progress.stop();
    for (const { posts: count, totals, notes } of imported) {
      if (count > 0) note(summaryOf(totals));
      for (const text of notes) note(`note: ${text}`);
    }
    return imported;
  } finally {
    progress.stop();
    for (const text of content.notes) note(`note: ${text}`);
    for (const { at, message } of content.skipped ?? []) note(`skipped: ${at}: ${message}`);
  }
}

/** Most imports change nothing but posts and labels. */
const withoutNone = ({ changed, ...blog }: ImportedContent): object =>
  changed.length > 0 ? { ...blog, changed } : blog;

/** The maximum number of names in a line; `--json` has them all. */
const NAMES = 20;

function describe(
  { id, posts, newPosts, categories, tags, ads, changes, pruned, newKey }: ImportedContent,
  dryRun: boolean,
): string {
  const lines = [
    `${id}: ${posts} posts (${newPosts} new), ${categories} categories, ${tags} tags, ${ads} ads`,
    ...Object.entries(changes).flatMap(([kind, { added, changed, removed }]) => [
      ...named(`new ${kind}`, added),
      ...named(`changed ${kind}`, changed),
      ...named(`removed ${kind}`, removed),
    ]),
    ...(pruned.images > 0 ? [`removed images: ${pruned.images}`] : []),
    ...(newKey && !dryRun ? [`API key of ${id}, shown only once: ${newKey}`] : []),
  ];
  return lines.join('\n');
}

function named(what: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const more = names.length > NAMES ? ` and ${names.length - NAMES} more` : '';
  return [
    `${what}: ${names
      .slice(0, NAMES)
      .map((name) => `“${name}”`)
      .join(', ')}${more}`,
  ];
}

/** The absolute URL of an image that a server stores. */
const ABSOLUTE = /https?:\/\/[^\s"'<>()\\?#]*?(\/media\/[\da-f]{64}\.\w+)/g;

/**
 * Adds the images that `broadsheet export --media` wrote to a snapshot, and changes their URLs to URLs of this server.
 * Images that are not in the folder keep their URLs, with a note.
 *
 * @throws OperationError when a file does not match the hash in its name
 */
async function addMedia(content: NotedSnapshot, folder: string, publicUrl: string): Promise<NotedSnapshot> {
  const files = await readdir(folder).catch((error: Error) => {
    throw new OperationError([{ at: '--media', message: error.message }]);
  });
  const names = new Set(files);
  const images = new Map<string, Image>();
  const moved = <T>(item: T): T => JSON.parse(moveUrls(JSON.stringify(item), images, publicUrl));
  const { blogs } = content.snapshot;
  const missing = new Set<string>();
  for (const { posts = [], ads = [] } of blogs) {
    for (const item of [...posts, ...ads]) {
      for (const path of findMedia(JSON.stringify(item))) {
        const name = mediaPath(path).replace('/media/', '');
        if (!names.has(name)) missing.add(name);
        else if (!images.has(path.hash)) images.set(path.hash, await readNamed(folder, name));
      }
    }
  }
  const changed = blogs.map((blog) => ({
    ...blog,
    ...(blog.posts && { posts: blog.posts.map(moved) }),
    ...(blog.ads && { ads: blog.ads.map(moved) }),
  }));
  const left =
    missing.size === 1
      ? `1 image is not in ${folder}, so its URL stays`
      : `${missing.size} images are not in ${folder}, so their URLs stay`;
  return {
    ...content,
    snapshot: { blogs: changed },
    images: [...(content.images ?? []), ...images.values()],
    notes: missing.size > 0 ? [...content.notes, left] : content.notes,
  };
}

/** The image with this file name. @throws OperationError */
async function readNamed(folder: string, name: string): Promise<Image> {
  const image = await readImage(new Uint8Array(await readFile(join(folder, name))), name);
  if (mediaPath(image) === `/media/${name}`) return image;
  throw new OperationError([
    { at: join(folder, name), message: 'does not match the hash in its name: the file was changed' },
  ]);
}

/** Replaces the server in the absolute URLs of known images in JSON; relative URLs stay. */
const moveUrls = (json: string, images: ReadonlyMap<string, Image>, publicUrl: string): string =>
  json.replace(ABSOLUTE, (url, path: string) => {
    const image = findMedia(path).flatMap(({ hash }) => images.get(hash) ?? []);
    return image[0] ? mediaUrl(publicUrl, image[0]) : url;
  });
