import type { ImportedBlog } from '@broadsheet/store';
import { type DatabaseFlag, withStore } from '../database/database.ts';
import { print, printJson } from '../program/output.ts';
import { readImport, writeImport } from './read-import.ts';

/** `broadsheet import PATH`: read whole before the database is opened. */
export async function importContent(
  path: string,
  flags: DatabaseFlag & { blog?: string | undefined; json?: boolean },
): Promise<void> {
  const content = await readImport(path, flags.blog);
  const imported = await withStore(flags, { create: true }, (store) => writeImport(content, store));
  if (flags.json) printJson({ blogs: imported, notes: content.notes });
  else for (const blog of imported) print(describe(blog));
}

function describe({ id, posts, categories, tags, ads, newKey }: ImportedBlog): string {
  const line = `${id}: ${posts} posts, ${categories} categories, ${tags} tags, ${ads} ads`;
  return newKey ? `${line}\nAPI key of ${id}, shown this once: ${newKey}` : line;
}
