import type { SnapshotPost } from '@broadsheet/contract';
import type { Kysely } from 'kysely';
import { readAds, removeAd, writeAd, writeAdActive } from './blogs/ads.ts';
import { cacheBlogsOfKeys } from './blogs/blog-cache.ts';
import { readBlog, withAd, withPost } from './blogs/blog-export.ts';
import { importBlogs } from './blogs/blog-import.ts';
import { writeBlog } from './blogs/blog-writes.ts';
import { createBlog, readBlogs, removeBlog, touchBlog } from './blogs/blogs.ts';
import { readKeys, revoke, writeKey } from './blogs/keys.ts';
import type { Database, Report, Transact } from './database.ts';
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
  /** Writes of this process are seen by it at once, whenever the others learn of them. */
  const forgetting =
    (transact: Transact) =>
    async <T>(blogId: string | undefined, work: (transaction: Kysely<Tables>) => Promise<T>): Promise<T> => {
      try {
        return await transact(work);
      } finally {
        blogsOfKeys.forget(blogId);
      }
    };
  const change = forgetting(database.transact);
  const changeBulk = forgetting(database.transactBulk);
  const changeSoon = forgetting(database.transactSoon);
  const tidy = async (posts: number) => {
    if (posts >= BULK) await database.afterBulk();
  };
  const pruning = database.pruning ?? createPruning(database.transact, events.skipLocked, report);
  const edit = async (blogId: string, postId: string, how: (post: SnapshotPost) => SnapshotPost) => {
    const edited = await change(blogId, (transaction) => editPost(database, transaction, blogId, postId, how));
    return edited?.after && toPostRecord(edited.after);
  };

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
      await changeBulk(blog.id, (transaction) => writeBlog(database, transaction, blog, at));
      await tidy(blog.posts?.length ?? 0);
    },
    publishDuePosts: (blogId, now) =>
      changeSoon(blogId, (transaction) => publishDuePosts(database, transaction, blogId, now)),
    check: () => database.check(),

    listBlogs: (only) => readBlogs(reader, only),
    createBlog: (blog) => change(blog.id, (transaction) => createBlog(transaction, blog)),
    setDomains: (blogId, domains) => change(blogId, (transaction) => touchBlog(transaction, blogId, { domains })),
    renameBlog: (blogId, name) => change(blogId, (transaction) => touchBlog(transaction, blogId, { name })),
    async deleteBlog(blogId) {
      await removeEvents(database, blogId);
      return changeBulk(blogId, (transaction) => removeBlog(database, transaction, blogId));
    },
    async importBlogs(blogs, now, options = {}) {
      const imported = await importBlogs(database, (work) => changeBulk(undefined, work), blogs, now, options);
      if (!options.dryRun) await tidy(imported.reduce((sum, { posts }) => sum + posts, 0));
      return imported;
    },
    exportBlog: (blogId) => database.snapshot((db) => readBlog(db, blogId)),

    listAllPosts: (blogId, filter, range) => listAllPosts(reader, blogId, filter, range),
    getAnyPost: (blogId, postId) => readAnyPost(reader, blogId, postId),
    publishPost: (blogId, postId, publication) => edit(blogId, postId, (post) => published(post, publication)),
    unpublishPost: (blogId, postId, now) => edit(blogId, postId, (post) => unpublished(post, now)),
    deletePost: (blogId, postId) =>
      change(blogId, async (transaction) => {
        const edited = await editPost(database, transaction, blogId, postId, () => undefined);
        return edited && withPost(transaction, blogId, edited.before);
      }),

    listKeys: (blogId) => readKeys(reader, blogId),
    addKey: (blogId, apiKey, at) => change(blogId, (transaction) => writeKey(transaction, blogId, apiKey, at)),
    revokeKeys: (blogId, keyId, at) => change(blogId, (transaction) => revoke(transaction, blogId, keyId, at)),
    rotateKey: (blogId, apiKey, at) =>
      change(blogId, async (transaction) => {
        await revoke(transaction, blogId, undefined, at);
        await writeKey(transaction, blogId, apiKey, at);
      }),

    listAllAds: (blogId) => readAds(reader, blogId),
    putAd: (blogId, ad) => change(blogId, (transaction) => writeAd(transaction, blogId, ad)),
    setAdActive: (blogId, adId, active) =>
      change(blogId, (transaction) => writeAdActive(transaction, blogId, adId, active)),
    deleteAd: (blogId, adId) =>
      change(blogId, async (transaction) => {
        const ad = await removeAd(transaction, blogId, adId);
        return ad && withAd(transaction, blogId, ad);
      }),

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
