import type { SnapshotBlog, SnapshotBlogInput } from '@broadsheet/contract';
import { type Awaitable, StoreUnavailable } from '@broadsheet/core';
import type { Kysely } from 'kysely';
import type { ImportTransact, ImportWork, Transaction } from '../database.ts';
import type { Tables } from '../tables.ts';
import { newApiKey } from './api-key.ts';
import { writeBlog } from './blog-writes.ts';
import { requireOwnSlugs } from './clashes.ts';
import { readKeys, writeKey } from './keys.ts';
import { type Pruned, pruneBlog, type Source } from './prune.ts';

/** How an import goes. */
export interface ImportOptions {
  /** Removes posts, categories and tags that the source does not have; ads and keys stay. */
  readonly prune?: boolean;
  /** Leaves blogs that are there their names: those of the source are made up. */
  readonly keepNames?: boolean;
  /** Does everything and takes it back: what comes out is what an import would do. */
  readonly dryRun?: boolean;
  /** Counts posts written; the import goes on when it resolves. */
  readonly onProgress?: ((written: number) => Awaitable<void>) | undefined;
}

/** What an import did to one blog. */
export interface ImportedBlog {
  readonly id: string;
  /** Posts of the source; {@link newPosts} counts those the blog did not have. */
  readonly posts: number;
  readonly newPosts: number;
  readonly categories: number;
  readonly tags: number;
  readonly ads: number;
  /** Nothing without `prune`. A post that has a new id and its old slug counts as new and as pruned. */
  readonly pruned: Pruned;
  /** The key made for a blog that had none, which nothing gives a second time; `undefined` for the others. */
  readonly newKey: string | undefined;
}

/** Posts after which a database first looks at what it has; each further time after four times as many. */
const FIRST_SURVEY = 1000;

/** Writes blogs in one transaction; see `SqlStore.importBlogs`. */
export async function importBlogs(
  { transact, database }: Pick<Transaction, 'database'> & { readonly transact: ImportTransact },
  blogs: Iterable<SnapshotBlogInput>,
  now: number,
  { dryRun = false, ...options }: ImportOptions,
): Promise<readonly ImportedBlog[]> {
  const undo = new Error('A dry run leaves nothing behind.');
  let imported: readonly ImportedBlog[] = [];
  let attempts = 0;
  const work: ImportWork<void> = async (db, load) => {
    attempts += 1;
    // What generates its parts does so once.
    if (attempts > 1 && !Array.isArray(blogs)) {
      throw new StoreUnavailable('A blog was changed by others while it was imported');
    }
    imported = await writeAll({ db, database, load }, blogs, now, options);
    if (dryRun) throw undo;
  };
  await transact(work).catch((error: unknown) => {
    if (error !== undo) throw error;
  });
  return imported;
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
  const imported: (ImportedBlog & { pruned: Pruned })[] = [];
  const sources = new Map<string, Source>();
  for (const input of blogs) {
    await transaction.load(input.id);
    const { blog, newPosts } = await writeBlog(transaction, input, now, {
      onPosts,
      prunes: prune,
      keepName: keepNames,
    });
    const source = sources.get(blog.id) ?? { posts: [], category: new Set(), tag: new Set() };
    sources.set(blog.id, source);
    for (const { id, slug, title } of blog.posts) source.posts.push({ id, slug, title });
    for (const { id } of blog.categories) source.category.add(id);
    for (const { id } of blog.tags) source.tag.add(id);
    imported.push({ ...sizesOf(blog), newPosts, pruned: NOTHING, newKey: await missingKey(db, blog.id, now) });
  }
  for (const [blogId, source] of sources) {
    // A blog that came in parts is reported once.
    const last = imported.findLast(({ id }) => id === blogId);
    if (prune && last) last.pruned = await pruneBlog(transaction, blogId, source, new Date(now).toISOString());
    // Parts may swap slugs, so all of them are written first.
    await requireOwnSlugs(transaction, blogId, source.posts);
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
