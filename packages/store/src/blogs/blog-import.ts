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

/** The blogs of an import; a blog that is too large for memory is passed in parts. */
export type BlogSource = Iterable<SnapshotBlogInput> | AsyncIterable<SnapshotBlogInput>;

/** The options of an import. */
export interface ImportOptions {
  /** Removes posts, categories and tags that the source does not have; ads and keys stay. */
  readonly prune?: boolean;
  /** Keeps the names of existing blogs, because the source has no real names. */
  readonly keepNames?: boolean;
  /** Rolls everything back: the result shows what an import would do. */
  readonly dryRun?: boolean;
  /** Receives the number of posts written so far; the import waits until it resolves. */
  readonly onProgress?: ((written: number) => Awaitable<void>) | undefined;
}

/** The result of an import for one blog. */
export interface ImportedBlog {
  readonly id: string;
  /** Posts in the source; {@link newPosts} counts the posts that the blog did not have. */
  readonly posts: number;
  readonly newPosts: number;
  readonly categories: number;
  readonly tags: number;
  readonly ads: number;
  /** All zero without `prune`. A post that keeps its slug but has a new id counts as new and as pruned. */
  readonly pruned: Pruned;
  /** The key that was created for a blog without keys, and is returned only once; otherwise `undefined`. */
  readonly newKey: string | undefined;
}

/** The number of posts after which a database first updates its statistics; the interval grows by a factor of four. */
const FIRST_SURVEY = 1000;

/** Writes blogs in one transaction; see `SqlStore.importBlogs`. */
export async function importBlogs(
  { transact, database }: Pick<Transaction, 'database'> & { readonly transact: ImportTransact },
  blogs: BlogSource,
  now: number,
  { dryRun = false, ...options }: ImportOptions,
): Promise<readonly ImportedBlog[]> {
  const undo = new Error('A dry run leaves nothing behind.');
  let imported: readonly ImportedBlog[] = [];
  let attempts = 0;
  const work: ImportWork<void> = async (db, load) => {
    attempts += 1;
    if (attempts > 1 && isGenerator(blogs)) {
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

/** Whether the blogs can be iterated only once. */
const isGenerator = (blogs: BlogSource): boolean =>
  Symbol.iterator in blogs && Object.is(blogs[Symbol.iterator](), blogs);

async function writeAll(
  transaction: Transaction & { readonly load: (blogId: string) => Promise<void> },
  blogs: BlogSource,
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
  for await (const input of blogs) {
    await transaction.load(input.id);
    const { blog, newPosts } = await writeBlog(transaction, input, now, {
      onPosts,
      prunes: prune,
      keepName: keepNames,
      continues: sources.has(input.id),
    });
    const source = sources.get(blog.id) ?? { posts: [], category: new Set(), tag: new Set() };
    sources.set(blog.id, source);
    for (const { id, slug, title } of blog.posts) source.posts.push({ id, slug, title });
    for (const { id } of blog.categories) source.category.add(id);
    for (const { id } of blog.tags) source.tag.add(id);
    imported.push({ ...sizesOf(blog), newPosts, pruned: NOTHING, newKey: await missingKey(db, blog.id, now) });
  }
  for (const [blogId, source] of sources) {
    // The pruned items of a blog in several parts are reported only once.
    const last = imported.findLast(({ id }) => id === blogId);
    if (prune && last) last.pruned = await pruneBlog(transaction, blogId, source, now);
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

/** Creates a key for a blog without keys. */
async function missingKey(db: Kysely<Tables>, blogId: string, now: number): Promise<string | undefined> {
  if ((await readKeys(db, blogId)).length > 0) return undefined;
  const key = newApiKey();
  await writeKey(db, blogId, key, now);
  return key;
}
