import type { SnapshotPost } from '@broadsheet/contract';
import type { Blog } from '@broadsheet/core';
import type { Kysely } from 'kysely';
import { readAds, removeAd, writeAd, writeAdActive } from './blogs/ads.ts';
import { cacheBlogsOfKeys } from './blogs/blog-cache.ts';
import { readBlog, readBlogInParts, withAd, withPost } from './blogs/blog-export.ts';
import { importBlogs } from './blogs/blog-import.ts';
import { writeBlog } from './blogs/blog-writes.ts';
import { createBlog, lockBlog, readBlogs, removeBlog, touchBlog } from './blogs/blogs.ts';
import { readKeys, revoke, writeKey } from './blogs/keys.ts';
import type { ReadCache } from './blogs/read-cache.ts';
import { binAd, binPosts, readBin, restoreFromBin } from './blogs/recycle-bin.ts';
import type { Database, ImportTransact, Report, Transact } from './database.ts';
import { readDayCounts, readPlacementCounts } from './events/counts.ts';
import { createPruning } from './events/prune-events.ts';
import { removeEvents } from './events/remove-events.ts';
import { readSums } from './events/sums.ts';
import { createContentReads } from './posts/content-reads.ts';
import { publishDuePosts } from './posts/due-posts.ts';
import { editPost, listAllPosts, published, readAnyPost, toPostRecord, unpublished } from './posts/post-management.ts';
import { readSecret } from './secret.ts';
import type { SqlStore } from './server-store.ts';
import type { Tables } from './tables.ts';

/** Posts from which on a write is large. */
const BULK = 1000;

/** The store over a database that is open and up to date. */
export function createSqlStore(database: Database, report: Report = () => {}): SqlStore {
  const { reader, events } = database;
  const blogsOfKeys = cacheBlogsOfKeys(database);
  const session = createSession(database, blogsOfKeys, report);
  const { changeSoon, changeBulk, tidy } = session;
  const pruning = database.pruning ?? createPruning(database.transact, events.skipLocked, report);
  return {
    findBlog: blogsOfKeys.get,
    ...createContentReads(database),
    listAds: (blogId) => readAds(reader, blogId, { active: true }),
    recordImpressions: (blogId, slots, at) =>
      slots.length > 0 ? events.recordImpressions(blogId, slots, at) : undefined,
    async recordClick(blogId, click) {
      const outcome = await events.recordClick(blogId, click);
      pruning.at(click.at);
      return outcome;
    },
    countsByDay: (blogId, days) => readDayCounts(reader, blogId, days),
    countsByPlacement: (blogId, days) => readPlacementCounts(reader, blogId, days),
    async putBlog(blog, at) {
      await changeBulk(blog.id, (db) => writeBlog({ db, database }, blog, at));
      await tidy(blog.posts?.length ?? 0);
    },
    publishDuePosts: (blogId, now) => changeSoon(blogId, (db) => publishDuePosts({ db, database }, blogId, now)),
    check: () => database.check(),

    ...createBlogManagement(database, session),
    ...createContentManagement(database, session),
    sumCounts: (blogId, query) => readSums(reader, blogId, query),
    signingSecret: () => database.transact(readSecret),
    measures: () => ({
      commits_total: { help: 'Commits of impressions and clicks', value: events.committed.commits },
      committed_events_total: { help: 'Events those commits held', value: events.committed.events },
      ...database.measures?.(),
    }),

    async close() {
      await pruning.stop();
      await events.settled();
      await database.close();
    },
  };
}

/** Runs the writes of a store. */
interface Session {
  /** Runs a write of a blog, or of any; this process sees it at once, whenever the others learn of it. */
  change<T>(blogId: string | undefined, work: (db: Kysely<Tables>) => Promise<T>): Promise<T>;
  /** The same for writes that are given up when they cannot begin soon. */
  changeSoon<T>(blogId: string | undefined, work: (db: Kysely<Tables>) => Promise<T>): Promise<T>;
  /** The same for writes that may take long. */
  changeBulk<T>(blogId: string | undefined, work: (db: Kysely<Tables>) => Promise<T>): Promise<T>;
  /** The same for imports. */
  readonly changeImport: ImportTransact;
  /** Lets the database clean up after a write of so many posts. */
  tidy(posts: number): Promise<void>;
}

function createSession(database: Database, blogsOfKeys: ReadCache<Blog>, report: Report): Session {
  const forgetting =
    (transact: Transact): Session['change'] =>
    async (blogId, work) => {
      try {
        return await transact(work);
      } finally {
        blogsOfKeys.forget(blogId);
      }
    };
  return {
    change: forgetting(database.transact),
    changeSoon: forgetting(database.transactSoon),
    changeBulk: forgetting(database.transactBulk),
    async changeImport(work) {
      try {
        return await database.transactImport(work);
      } finally {
        blogsOfKeys.forget();
      }
    },
    tidy: async (posts) => {
      if (posts < BULK) return;
      // The write is committed, and cleaning up only makes reads faster.
      await database
        .afterBulk()
        .catch((error: unknown) => report('The database could not be cleaned up after a large write', error));
    },
  };
}

function createBlogManagement(database: Database, { change, changeBulk, changeImport, tidy }: Session) {
  const { reader } = database;
  return {
    listBlogs: (only) => readBlogs(reader, only),
    createBlog: (blog) => change(blog.id, (db) => createBlog(db, blog)),
    setDomains: (blogId, domains, before) =>
      change(blogId, (db) => touchBlog(db, blogId, { domains }, before && { domains: before })),
    renameBlog: (blogId, name) => change(blogId, (db) => touchBlog(db, blogId, { name })),
    async deleteBlog(blogId) {
      await removeEvents(database, blogId);
      return changeBulk(blogId, (db) => removeBlog(database, db, blogId));
    },
    async importBlogs(blogs, now, options = {}) {
      const imported = await importBlogs({ database, transact: changeImport }, blogs, now, options);
      if (!options.dryRun) await tidy(imported.reduce((sum, { posts }) => sum + posts, 0));
      return imported;
    },
    exportBlog: (blogId) => database.snapshot((db) => readBlog(db, blogId)),
    exportInParts: (blogId, take) => database.snapshot((db) => readBlogInParts(db, blogId, take)),

    listKeys: (blogId) => readKeys(reader, blogId),
    addKey: (blogId, apiKey, at) => change(blogId, (db) => writeKey(db, blogId, apiKey, at)),
    revokeKeys: (blogId, keyId, at) => change(blogId, (db) => revoke(db, blogId, keyId, at)),
    rotateKey: (blogId, apiKey, at) =>
      change(blogId, async (db) => {
        // The first of these locks the blog: of two rotations, the second revokes the key of the first.
        await revoke(db, blogId, undefined, at);
        await writeKey(db, blogId, apiKey, at);
      }),
  } satisfies Partial<SqlStore>;
}

function createContentManagement(database: Database, { change }: Session) {
  const { reader } = database;
  const edit = async (blogId: string, postId: string, how: (post: SnapshotPost) => SnapshotPost) => {
    const edited = await change(blogId, (db) => editPost({ db, database }, blogId, postId, how));
    return edited?.after && toPostRecord(edited.after);
  };
  return {
    listAllPosts: (blogId, filter, range) => listAllPosts(reader, blogId, filter, range),
    getAnyPost: (blogId, postId) => readAnyPost(reader, blogId, postId),
    publishPost: (blogId, postId, publication) => edit(blogId, postId, (post) => published(post, publication)),
    unpublishPost: (blogId, postId, now) => edit(blogId, postId, (post) => unpublished(post, now)),
    deletePost: (blogId, postId, now) =>
      change(blogId, async (db) => {
        if (!(await lockBlog(db, blogId))) return undefined;
        const post = await readAnyPost(db, blogId, postId);
        if (!post) return undefined;
        await binPosts(db, blogId, [postId], now);
        await editPost({ db, database }, blogId, postId, () => undefined);
        return withPost(db, blogId, post);
      }),
    exportPost: (blogId, postId) =>
      database.snapshot(async (db) => {
        const post = await readAnyPost(db, blogId, postId);
        return post && withPost(db, blogId, post);
      }),

    listAllAds: (blogId) => readAds(reader, blogId),
    putAd: (blogId, ad, before) => change(blogId, (db) => writeAd(db, blogId, ad, before)),
    setAdActive: (blogId, adId, active) => change(blogId, (db) => writeAdActive(db, blogId, adId, active)),
    deleteAd: (blogId, adId, now) =>
      change(blogId, async (db) => {
        const ad = await removeAd(db, blogId, adId);
        if (!ad) return undefined;
        await binAd(db, blogId, ad, now);
        return withAd(db, blogId, ad);
      }),
    exportAd: (blogId, adId) =>
      database.snapshot(async (db) => {
        const ad = (await readAds(db, blogId)).find(({ id }) => id === adId);
        return ad && withAd(db, blogId, ad);
      }),

    listBin: (blogId, now) => readBin(reader, blogId, now),
    restoreFromBin: (blogId, key, now) => change(blogId, (db) => restoreFromBin({ db, database }, blogId, key, now)),
  } satisfies Partial<SqlStore>;
}
