import { stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { SnapshotInput } from '@broadsheet/contract';
import { manyNotes } from '@broadsheet/core';
import { inapplicable } from './applicable.ts';
import { isAhead } from './dated-ahead.ts';
import { isGhostExport, readGhostExport } from './ghost/ghost-export.ts';
import { LocalImages } from './images/local-images.ts';
import { LIMITS } from './limits.ts';
import { MARKDOWN, readMarkdownFolder } from './markdown/markdown-folder.ts';
import type { NotedSnapshot, ReadContentOptions } from './noted-snapshot.ts';
import { type ContentProblem, failedRead, type Read } from './problem.ts';
import { readSnapshot } from './snapshot/snapshot-file.ts';
import { folderOnDisk, type SourceFolder, type UploadedFiles, uploadedFolder } from './source-folder.ts';
import { parseJson } from './text/parse-json.ts';
import { decodeText, readText, whyUnreadable } from './text/read-text.ts';

/** Content ready to import, with notes on what was corrected or left out; or all problems for which it is refused. */
export type ContentResult =
  | ({ readonly ok: true } & NotedSnapshot)
  | { readonly ok: false; readonly problems: readonly ContentProblem[] };

/**
 * Reads the content that `broadsheet import` accepts: a snapshot JSON file, a Ghost export JSON, or a folder of
 * Markdown. It reads everything or nothing, and reports all problems together. Never throws for invalid content.
 *
 * @example
 * const content = await readContent('./posts', { blog: 'news' });
 * if (content.ok) await store.importBlogs(content.snapshot.blogs, Date.now());
 * else for (const { at, message } of content.problems) console.error(`${at}: ${message}`);
 */
export async function readContent(path: string, options: ReadContentOptions = {}): Promise<ContentResult> {
  return report(basename(path), named(await recognise(path, options), options.name));
}

/** The content with this name for its blog. */
function named(read: Read<NotedSnapshot>, name: string | undefined): Read<NotedSnapshot> {
  if (!read.ok || name === undefined) return read;
  const blogs = read.value.snapshot.blogs.map((blog) => ({ ...blog, name }));
  return { ok: true, value: { ...read.value, snapshot: { blogs }, unnamed: false } };
}

/**
 * Reads uploaded files as {@link readContent} reads a path: one JSON file, or the Markdown files of a folder. A folder
 * around all files, which many zip programs add, is removed from their paths.
 */
export async function readUpload(
  name: string,
  uploaded: UploadedFiles,
  options: ReadContentOptions = {},
): Promise<ContentResult> {
  const paths = [...uploaded.keys()].filter((path) => !/^__MACOSX\/|^\.DS_Store$/.test(path)).sort();
  // Only the outermost folder is removed: how many more folders all files share depends on the files.
  const [outer = '', ...others] = new Set(paths.map((path) => path.slice(0, path.indexOf('/') + 1)));
  const length = others.length === 0 ? outer.length : 0;
  const files = new Map(paths.map((path) => [path.slice(length), uploaded.get(path) ?? new Uint8Array()]));
  const [[file, bytes] = [name, undefined]] = files;
  if (files.size !== 1 || bytes === undefined || MARKDOWN.test(file))
    return report(name, await readFolder({ ok: true, value: uploadedFolder(name, files) }, options));
  const text = decodeText(bytes, file);
  return report(name, readJson(text.ok ? parseJson(text.value, file) : text, file, options));
}

function report(name: string, read: Read<NotedSnapshot>): ContentResult {
  if (read.ok) return { ok: true, ...read.value };
  const more = read.problems.length - LIMITS.problems;
  if (more <= 0) return read;
  const rest = { at: name, message: `has ${more} more ${more === 1 ? 'problem' : 'problems'}` };
  return { ok: false, problems: [...read.problems.slice(0, LIMITS.problems), rest] };
}

async function recognise(path: string, options: ReadContentOptions): Promise<Read<NotedSnapshot>> {
  try {
    const found = await stat(path);
    if (found.isDirectory()) return await readFolder(await folderOnDisk(path), options);
    if (!found.isFile()) return failedRead(path, 'is neither a file nor a folder');
  } catch (error) {
    return failedRead(path, whyUnreadable(error));
  }
  if (MARKDOWN.test(path)) return failedRead(path, 'is a single Markdown file; specify its folder');
  const file = basename(path);
  const text = await readText(path, file);
  const json = text.ok ? parseJson(text.value, file) : text;
  if (!json.ok) return json;
  const problems = inapplicable(file, isGhostExport(json.value) ? 'ghost' : 'snapshot', options);
  if (problems.length > 0) return { ok: false, problems };
  const images = await localImages(await folderOnDisk(options.root ?? dirname(path), GHOST_IMAGES), options);
  // An export without images beside it refers to the images of its site.
  if (!images.ok && options.root !== undefined) return images;
  return readJson(json, file, options, images.ok ? images.value : undefined);
}

/** Where Ghost stores the images of a site. */
const GHOST_IMAGES = 'content/images';

/** A folder of Markdown, or a Ghost export with the images of its site beside it. */
async function readFolder(folder: Read<SourceFolder>, options: ReadContentOptions): Promise<Read<NotedSnapshot>> {
  if (!folder.ok) return folder;
  const { name, files, read } = folder.value;
  const [file = '', ...others] = files.filter((path) => /^[^/]+\.json$/i.test(path));
  const text = file !== '' && others.length === 0 ? await read(file) : undefined;
  const json = text?.ok ? parseJson(text.value, file) : undefined;
  const ghost = json?.ok && isGhostExport(json.value) ? json : undefined;
  const problems = inapplicable(name, ghost ? 'ghost' : 'markdown', options);
  if (problems.length > 0) return { ok: false, problems };
  const images = await localImages(folder, options);
  if (!images.ok) return images;
  return ghost ? readJson(ghost, file, options, images.value) : readMarkdownFolder(folder.value, options, images.value);
}

/** Prepares the import of images from a folder, if there is a URL under which they will be served. */
async function localImages(
  folder: Read<SourceFolder>,
  options: ReadContentOptions,
): Promise<Read<LocalImages | undefined>> {
  if (!folder.ok || options.mediaUrl === undefined) return folder.ok ? { ok: true, value: undefined } : folder;
  const root = options.root === undefined ? folder : await folderOnDisk(options.root);
  return root.ok ? { ok: true, value: new LocalImages(folder.value, root.value, options) } : root;
}

function readJson(
  json: Read<unknown>,
  file: string,
  { blog, now = Date.now() }: ReadContentOptions,
  images?: LocalImages,
): Read<NotedSnapshot> {
  if (!json.ok) return json;
  if (isGhostExport(json.value)) return readGhostExport(json.value, { file, blog, now, images });
  if (typeof json.value !== 'object' || json.value === null || !('blogs' in json.value)) {
    return failedRead(file, 'is neither a snapshot (an object with "blogs") nor a Ghost export (an object with "db")');
  }
  if (blog !== undefined) {
    const message = `is a snapshot, which names its own blogs; leave out the blog "${blog}"`;
    return failedRead(file, message, 'NAMES_ITS_BLOGS');
  }
  const snapshot = readSnapshot(json.value, file);
  return snapshot.ok
    ? { ok: true, value: { snapshot: snapshot.value, notes: aheadNotes(snapshot.value, now) } }
    : snapshot;
}

/** A snapshot is imported unchanged, so published posts with a date in the future only get a warning. */
function aheadNotes({ blogs }: SnapshotInput, now: number): string[] {
  const ahead = blogs.flatMap(({ id, posts = [] }) =>
    posts
      .filter(({ status = 'PUBLISHED', publishedAt = null }) => isAhead({ status, publishedAt }, now))
      .map((post) => `blog ${id}, post ${post.id}`),
  );
  return manyNotes(ahead, 'is PUBLISHED although its date is in the future: readers see it immediately');
}
