import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { SnapshotInput } from '@broadsheet/contract';
import { isAhead, manyNotes } from './dated-ahead.ts';
import { isGhostExport, readGhostExport } from './ghost/ghost-export.ts';
import { LIMITS } from './limits.ts';
import { readMarkdownFolder } from './markdown/markdown-folder.ts';
import type { NotedSnapshot, ReadContentOptions } from './noted-snapshot.ts';
import { type ContentProblem, type Read, refuse } from './problem.ts';
import { readSnapshot } from './snapshot/snapshot-file.ts';
import { parseJson } from './text/parse-json.ts';
import { readText, whyUnreadable } from './text/read-text.ts';

/** Content ready to import with notes on what was fixed or left out, or every reason why it is refused. */
export type ContentResult =
  | ({ readonly ok: true } & NotedSnapshot)
  | { readonly ok: false; readonly problems: readonly ContentProblem[] };

/**
 * Reads what `broadsheet import` takes: a snapshot JSON file, a Ghost export JSON, or a folder of Markdown. It is all
 * or nothing, and reports all problems at once. Never throws for bad content.
 *
 * @example
 * const content = await readContent('./posts', { blog: 'news' });
 * if (content.ok) await store.importBlogs(content.snapshot.blogs, Date.now());
 * else for (const { at, message } of content.problems) console.error(`${at}: ${message}`);
 */
export async function readContent(path: string, options: ReadContentOptions = {}): Promise<ContentResult> {
  const read = await recognise(path, options);
  if (read.ok) return { ok: true, ...read.value };
  const more = read.problems.length - LIMITS.problems;
  if (more <= 0) return read;
  const rest = { at: basename(path), message: `has ${more} more ${more === 1 ? 'problem' : 'problems'}` };
  return { ok: false, problems: [...read.problems.slice(0, LIMITS.problems), rest] };
}

async function recognise(path: string, options: ReadContentOptions): Promise<Read<NotedSnapshot>> {
  try {
    const found = await stat(path);
    if (found.isDirectory()) return await readMarkdownFolder(resolve(path), options);
    if (!found.isFile()) return refuse(path, 'is neither a file nor a folder');
  } catch (error) {
    return refuse(path, whyUnreadable(error));
  }
  if (/\.(md|mdx|markdown)$/i.test(path)) return refuse(path, 'is a single Markdown file; give the folder it is in');
  return readJsonFile(path, options);
}

async function readJsonFile(
  path: string,
  { blog, skipBad, now = Date.now() }: ReadContentOptions,
): Promise<Read<NotedSnapshot>> {
  const file = basename(path);
  if (skipBad) return refuse(file, 'is a single file; only files of a folder can be left out (skipBad, --skip-bad)');
  const text = await readText(path, file);
  if (!text.ok) return text;
  const json = parseJson(text.value, file);
  if (!json.ok) return json;
  if (isGhostExport(json.value)) return readGhostExport(json.value, { file, blog, now });
  if (typeof json.value !== 'object' || json.value === null || !('blogs' in json.value)) {
    return refuse(file, 'is neither a snapshot (an object with "blogs") nor a Ghost export (an object with "db")');
  }
  if (blog !== undefined) {
    const message = `is a snapshot, which names its own blogs; leave out the blog "${blog}"`;
    return refuse(file, message, 'NAMES_ITS_BLOGS');
  }
  const snapshot = readSnapshot(json.value, file);
  return snapshot.ok
    ? { ok: true, value: { snapshot: snapshot.value, notes: aheadNotes(snapshot.value, now) } }
    : snapshot;
}

/** A snapshot is taken at its word. */
function aheadNotes({ blogs }: SnapshotInput, now: number): string[] {
  const ahead = blogs.flatMap(({ id, posts = [] }) =>
    posts
      .filter(({ status = 'PUBLISHED', publishedAt = null }) => isAhead({ status, publishedAt }, now))
      .map((post) => `blog ${id}, post ${post.id}`),
  );
  return manyNotes(ahead, 'is PUBLISHED though its date lies ahead: readers see it at once');
}
