import type { SnapshotBlog, SnapshotBlogInput, SnapshotPost } from '@broadsheet/contract';
import { StoreUnavailable } from '@broadsheet/core';
import type { Kysely } from 'kysely';
import type { ImportTransact, Transaction } from '../database.ts';
import type { ImportedBlog, ImportOptions } from '../server-store.ts';
import type { Tables } from '../tables.ts';
import { newApiKey } from './api-key.ts';
import { requireOwnSlugs, writeBlog } from './blog-writes.ts';
import { readKeys, writeKey } from './keys.ts';
import { addIds, noIds, pruneBlog, type SourceIds } from './prune.ts';

/** Posts after which a database first looks at what it has; each further time after four times as many. */
const FIRST_SURVEY = 1000;

/** Ends a transaction that is not to leave anything behind. */
class DryRun {
  readonly imported: readonly ImportedBlog[];
  constructor(imported: readonly ImportedBlog[]) {
    this.imported = imported;
  }
}

/** Writes blogs in one transaction; see `ServerStore.importBlogs`. */
export async function importBlogs(
  { transact, database }: Pick<Transaction, 'database'> & { readonly transact: ImportTransact },
  blogs: Iterable<SnapshotBlogInput>,
  now: number,
  { dryRun = false, ...options }: ImportOptions,
): Promise<readonly ImportedBlog[]> {
  let attempts = 0;
  try {
    return await transact(async (db, load) => {
      attempts += 1;
      // What generates its parts does so once.
      if (attempts > 1 && !Array.isArray(blogs)) {
        throw new StoreUnavailable('A blog was changed by others while it was imported');
      }
      const imported = await writeAll({ db, database, load }, blogs, now, options);
      if (dryRun) throw new DryRun(imported);
      return imported;
    });
  } catch (error) {
    if (error instanceof DryRun) return error.imported;
    throw error;
  }
}

async function writeAll(
  transaction: Transaction & { readonly load: (blogId: string) => Promise<void> },
  blogs: Iterable<SnapshotBlogInput>,
  now: number,
  { prune = false, keepNames = false, onProgress }: Omit<ImportOptions, 'dryRun'>,
): Promise<ImportedBlog[]> {
  const { db, database } = transaction;
  let written = 0;
  let survey = FIRST_SURVEY;
  const onPosts = async (posts: number) => {
    written += posts;
    await onProgress?.(written);
    if (written < survey) return;
    survey *= 4;
    await database.duringBulk(db);
  };
  const imported: ImportedBlog[] = [];
  const sources = new Map<string, SourceIds>();
  /** The posts of each blog, whose parts may swap slugs. */
  const posts = new Map<string, Pick<SnapshotPost, 'id' | 'slug' | 'title'>[]>();
  for (const input of blogs) {
    await transaction.load(input.id);
    const how = { onPosts, prunes: prune, isPart: true, keepName: keepNames };
    const { blog, newPosts } = await writeBlog(transaction, input, now, how);
    const parts = posts.get(blog.id) ?? [];
    for (const { id, slug, title } of blog.posts) parts.push({ id, slug, title });
    posts.set(blog.id, parts);
    if (prune) {
      const ids = sources.get(blog.id) ?? noIds();
      addIds(ids, blog);
      sources.set(blog.id, ids);
    }
    imported.push({ ...sizesOf(blog), newPosts, pruned: NOTHING, newKey: await missingKey(db, blog.id, now) });
  }
  if (!prune) for (const [blogId, own] of posts) await requireOwnSlugs(transaction, blogId, own);
  for (const [blogId, ids] of sources) {
    const pruned = await pruneBlog(transaction, blogId, ids, new Date(now).toISOString());
    // A blog that came in parts is reported once.
    const index = imported.findLastIndex(({ id }) => id === blogId);
    const last = imported[index];
    if (last) imported[index] = { ...last, pruned };
  }
  return imported;
}

const NOTHING = { posts: 0, categories: 0, tags: 0 };

const sizesOf = ({ id, posts, categories, tags, ads }: SnapshotBlog) => ({
  id,
  posts: posts.length,
  categories: categories.length,
  tags: tags.length,
  ads: ads.length,
});

/** Makes a key for a blog that has none. */
async function missingKey(db: Kysely<Tables>, blogId: string, now: number): Promise<string | undefined> {
  if ((await readKeys(db, blogId)).length > 0) return undefined;
  const key = newApiKey();
  await writeKey(db, blogId, key, now);
  return key;
}
