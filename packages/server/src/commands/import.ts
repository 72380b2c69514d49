import type { ReadContentOptions } from '@broadsheet/content';
import { LIMITS } from '@broadsheet/contract';
import {
  COMMAND_LINE,
  type ImportedContent,
  importerOf,
  OperationError,
  remoteImporter,
  wrongBlogId,
} from '@broadsheet/management';
import type { ImportOptions } from '@broadsheet/store';
import { type CommandFlags, notePublicUrl, publicUrlOf } from '../database/database.ts';
import { withTarget } from '../database/runner.ts';
import { note, printResult } from '../program/output.ts';
import { addMedia } from './import-media.ts';
import { readImport, writeImport } from './read-import.ts';

interface ImportFlags
  extends CommandFlags,
    Pick<ReadContentOptions, 'blog' | 'name' | 'skipBad' | 'html' | 'root' | 'allowMissing'>,
    Pick<ImportOptions, 'prune' | 'dryRun'> {
  readonly media?: string;
}

/** `broadsheet import PATH`: all content is read before the database is opened. */
export async function importPath(path: string, flags: ImportFlags): Promise<void> {
  const { prune = false, dryRun = false, media, database: _, json: __, ...reading } = flags;
  const mediaUrl = publicUrlOf(flags);
  const name = flags.name === undefined ? undefined : readName(flags.name);
  const read = await readImport(path, { ...reading, name, media: media !== undefined, mediaUrl });
  const content = media === undefined ? read : await addMedia(read, media, mediaUrl);
  if (content.images?.length) notePublicUrl(mediaUrl);
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
    return writeImport(content, importer, { prune, dryRun });
  });
  if (dryRun) note('This is what an import would do; nothing was written.');
  for (const { id } of content.unnamed ? imported.filter(({ changed }) => changed.includes('blog')) : []) {
    const given = content.snapshot.blogs.find((blog) => blog.id === id)?.name;
    note(`note: the new blog is named “${given}”; "broadsheet blogs rename ${id} NAME" changes it`);
  }
  const images = content.images?.length ?? 0;
  const text = [...imported.map((blog) => describe(blog, dryRun)), ...(images > 0 ? [`images: ${images}`] : [])];
  printResult(flags, { blogs: imported.map(withoutNone), notes, skipped }, text.join('\n'));
}

/** @throws OperationError */
function readName(typed: string): string {
  const name = typed.trim();
  const { max } = LIMITS.name;
  if (name !== '' && name.length <= max) return name;
  const message = name === '' ? 'enter a name' : `must be at most ${max} characters long`;
  throw new OperationError([{ at: '--name', message }]);
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
