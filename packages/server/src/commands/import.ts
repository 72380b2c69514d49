import { type ImportedContent, OperationError, requireBlogId } from '@broadsheet/management';
import { type CommandFlags, notePublicUrl, publicUrlOf, withStore } from '../database/database.ts';
import { note, printResult } from '../program/output.ts';
import { addMedia } from './import-media.ts';
import { readImport, writeImport } from './read-import.ts';

interface ImportFlags extends CommandFlags {
  readonly blog?: string;
  readonly prune?: boolean;
  readonly dryRun?: boolean;
  readonly skipBad?: boolean;
  readonly html?: boolean;
  readonly media?: string;
  readonly root?: string;
  readonly allowMissing?: boolean;
}

/** `broadsheet import PATH`: all content is read before the database is opened. */
export async function importPath(path: string, flags: ImportFlags): Promise<void> {
  const { prune = false, dryRun = false } = flags;
  const { blog, skipBad, html, root, allowMissing } = flags;
  const publicUrl = publicUrlOf(flags);
  const read = await readImport(path, { blog, skipBad, html, root, allowMissing, mediaUrl: publicUrl });
  const content = flags.media === undefined ? read : await addMedia(read, flags.media, publicUrl);
  if (content.images?.length) notePublicUrl(publicUrl);
  const { notes, skipped = [] } = content;
  if (prune && skipped.length > 0) {
    const more = skipped.length > 1 ? `; ${skipped.length} problems in all` : '';
    const bad = `Some files cannot be used (${skipped[0]?.at}: ${skipped[0]?.message}${more})`;
    throw new OperationError(`${bad}: --prune would delete their posts. Fix them, or import without --prune.`);
  }
  const imported = await withStore(flags, { create: true }, async (store) => {
    if (flags.blog !== undefined) await requireBlogId(store, flags.blog);
    return writeImport(content, store, { prune, dryRun });
  });
  if (dryRun) note('This is what an import would do; nothing was written.');
  const text = imported.map((blog) => describe(blog, dryRun)).join('\n');
  printResult(flags, { blogs: imported, notes, skipped }, text);
}

function describe(
  { id, posts, newPosts, categories, tags, ads, pruned, newKey }: ImportedContent,
  dryRun: boolean,
): string {
  const removed = Object.entries(pruned).filter(([, count]) => count > 0);
  const lines = [
    `${id}: ${posts} posts (${newPosts} new), ${categories} categories, ${tags} tags, ${ads} ads`,
    ...(removed.length > 0 ? [`removed: ${removed.map(([what, count]) => `${count} ${what}`).join(', ')}`] : []),
    ...(newKey && !dryRun ? [`API key of ${id}, shown only once: ${newKey}`] : []),
  ];
  return lines.join('\n');
}
