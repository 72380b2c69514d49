import type { SnapshotAd, SnapshotBlog, SnapshotPost } from '@broadsheet/contract';
import {
  type Awaitable,
  type Campaign,
  type Image,
  type ImageStore,
  type Range,
  type Store,
  signPreview,
} from '@broadsheet/core';
import { type Kysely, sql } from 'kysely';
import { readAds, removeAd, writeAd, writeAdActive } from './blogs/ads.ts';
import { createHmac, randomText } from './blogs/api-key.ts';
import { type BlogCache, cacheBlogsOfKeys } from './blogs/blog-cache.ts';
import {
  type BlogPart,
  readAdPart,
  readBlog,
  readBlogInParts,
  readCampaignPart,
  readPostPart,
} from './blogs/blog-export.ts';
import { type BlogSource, type ImportedBlog, type ImportOptions, importBlogs } from './blogs/blog-import.ts';
import { writeBlog } from './blogs/blog-writes.ts';
import { type BlogRecord, createBlog, readBlogs, touchBlog } from './blogs/blogs.ts';
import { readCampaigns, removeCampaign, requireCampaigns, writeCampaign } from './blogs/campaigns.ts';
import { requireOwnSlugs } from './blogs/clashes.ts';
import { findImage, missingImages, writeImage } from './blogs/images.ts';
import { type KeyRecord, readKeys, revoke, writeKey } from './blogs/keys.ts';
import { moveMedia, pruneImages } from './blogs/media.ts';
import { type BinEntry, type BinKey, binAd, binCampaign, readBin, restoreFromBin } from './blogs/recycle-bin.ts';
import { removeBlog } from './blogs/remove-blog.ts';
import type { Database, ImportWork, Pruning, Report, Transact } from './database.ts';
import { readCampaignCounts, readDayCounts, readPlacementCounts, readTrafficCounts } from './events/counts.ts';
import { createPruning } from './events/prune-events.ts';
import { readSums, type Sums, type SumsQuery } from './events/sums.ts';
import { createContentReads } from './posts/content-reads.ts';
import {
  deletePost,
  editPost,
  listAllPosts,
  type PostFilter,
  type PostRecord,
  type Publication,
  publishDuePosts,
  published,
  readAnyPost,
  readBlogsWithDuePosts,
  unpublished,
} from './posts/post-management.ts';
import type { Tables } from './tables.ts';
import { type HookRecord, type NewHook, readHooks, removeHook, rotateHook, writeHook } from './webhooks/hooks.ts';
import { freeLease, type Lease, takeLease } from './webhooks/lease.ts';
import {
  type Attempt,
  addTest,
  type DueMessage,
  type HookMessage,
  postponeBlocked,
  readDue,
  readMessages,
  recordAttempt,
  sendAgain,
} from './webhooks/messages.ts';
import { reportAds } from './webhooks/outbox.ts';

/** The store over SQL: the port of the API, and the methods for operators. */
export interface SqlStore extends Store, ImageStore {
  /** Every blog, ordered by id, or only the blog with this id. */
  listBlogs(only?: string): Promise<readonly BlogRecord[]>;
  /** @throws BlogExists */
  createBlog(blog: { id: string; name: string; domains: readonly string[] }): Promise<void>;
  /** `false` when there is no such blog, as with the methods below, or when its domains differ from `before`. */
  setDomains(blogId: string, domains: readonly string[], before?: readonly string[]): Promise<boolean>;
  renameBlog(blogId: string, name: string): Promise<boolean>;
  /** Removes a blog with everything it has, counts and keys included: its id and its keys can be used again. */
  deleteBlog(blogId: string): Promise<boolean>;
  /**
   * Writes every blog in one transaction, by the rules of {@link Store.putBlog}; a blog that is too large for memory
   * may be passed in parts.
   *
   * @throws ContentClash
   */
  importBlogs(blogs: BlogSource, now: number, options?: ImportOptions): Promise<readonly ImportedBlog[]>;
  /** The whole blog, drafts and scheduled posts included, without its keys; importing it changes nothing. */
  exportBlog(blogId: string): Promise<SnapshotBlog | undefined>;
  /** The same for a blog of any size: passes the blog without posts first, then repeatedly with some of its posts. */
  exportInParts(blogId: string, take: (part: SnapshotBlog) => Awaitable<void>): Promise<void>;

  /** Posts of every status in the order of posts, and how many match in total. */
  listAllPosts(
    blogId: string,
    filter: PostFilter,
    range: Range,
  ): Promise<{ readonly items: readonly PostRecord[]; readonly total: number }>;
  /** A post of any status; `undefined` when it does not exist, as with the methods below. */
  getAnyPost(blogId: string, postId: string): Promise<SnapshotPost | undefined>;
  /** A token that opens the post for 24 hours; see `signPreview`. */
  createPreviewToken(blogId: string, postId: string, now: number): Promise<string | undefined>;
  /** Publishes a post or, for a time in the future, schedules it. */
  publishPost(blogId: string, postId: string, publication: Publication): Promise<PostRecord | undefined>;
  /** Makes a post a draft; its publication date stays. */
  unpublishPost(blogId: string, postId: string, now: number): Promise<PostRecord | undefined>;
  /** Moves a post to the recycle bin; `false` when it does not exist. */
  deletePost(blogId: string, postId: string, now: number): Promise<boolean>;
  /** The blog with only that post and its labels; importing it restores the post. */
  exportPost(blogId: string, postId: string): Promise<BlogPart | undefined>;

  listKeys(blogId: string): Promise<readonly KeyRecord[]>;
  /** Adds a key, of which only a hash is stored. */
  addKey(blogId: string, apiKey: string, now: number): Promise<void>;
  /** Revokes every key of the blog, or the one with this id; returns how many it revoked. */
  revokeKeys(blogId: string, keyId: string | undefined, now: number): Promise<number>;
  /** Revokes every key of the blog and adds the new one, in one step. */
  rotateKey(blogId: string, apiKey: string, now: number): Promise<void>;

  /** Every ad of the blog, paused ones included. */
  listAllAds(blogId: string): Promise<readonly SnapshotAd[]>;
  /** Adds or replaces an ad; `false` when there is no such blog, or the stored ad differs from `before`. */
  putAd(blogId: string, ad: SnapshotAd, before?: SnapshotAd): Promise<boolean>;
  setAdActive(blogId: string, adId: string, active: boolean): Promise<boolean>;
  /** Moves an ad to the recycle bin; its figures stay. `false` when it does not exist. */
  deleteAd(blogId: string, adId: string, now: number): Promise<boolean>;
  /** The blog with only that ad and its campaign; importing it restores them. */
  exportAd(blogId: string, adId: string): Promise<BlogPart | undefined>;

  /** Adds or replaces a campaign; `false` when there is no such blog, or the stored campaign differs from `before`. */
  putCampaign(blogId: string, campaign: Campaign, before?: Campaign): Promise<boolean>;
  /** Moves a campaign and its ads to the recycle bin; their figures stay. `false` when it does not exist. */
  deleteCampaign(blogId: string, campaignId: string, now: number): Promise<boolean>;
  /** The blog with only that campaign and its ads; importing it restores them. */
  exportCampaign(blogId: string, campaignId: string): Promise<BlogPart | undefined>;

  /** The items that were deleted in the last thirty days, pruned posts included, the latest first. */
  listBin(blogId: string, now: number): Promise<readonly BinEntry[]>;
  /** Restores a deleted item; `undefined` when it is not in the bin. @throws ContentClash */
  restoreFromBin(blogId: string, key: BinKey, now: number): Promise<BinEntry | undefined>;

  /** The webhooks of the blog, oldest first. */
  listHooks(blogId: string): Promise<readonly HookRecord[]>;
  addHook(blogId: string, hook: NewHook, now: number): Promise<boolean>;
  /** Replaces the secret of a webhook. For a day, requests are also signed with the old one. */
  rotateHook(blogId: string, hook: Pick<NewHook, 'id' | 'secret'>, now: number): Promise<boolean>;
  deleteHook(blogId: string, hookId: string): Promise<boolean>;
  /** Sends an event that changes nothing to a webhook; the id of the message, if there is such a webhook. */
  testHook(blogId: string, hookId: string): Promise<string | undefined>;
  /** The messages to the webhooks of the blog, the latest first. */
  listHookMessages(blogId: string, limit: number): Promise<readonly HookMessage[]>;
  sendHookMessage(blogId: string, messageId: string): Promise<boolean>;
  readonly outbox: OutboxReader;

  /** The hashes of the images that a blog does not have. */
  missingImages(blogId: string, hashes: readonly string[]): Promise<readonly string[]>;
  /** Stores an image of a blog, which may be imported afterwards. A blog has each image once. */
  putImage(blogId: string, image: Image): Promise<void>;
  /**
   * Removes the images to which nothing in the blog refers, deleted items included; returns their number. Store images
   * again after writing the text that refers to them, because pruning may have run in between.
   */
  pruneImages(blogId: string): Promise<number>;
  /**
   * Replaces the beginning of the URLs of stored images, in deleted posts and ads too; returns the number of texts that
   * changed.
   */
  moveMedia(blogId: string, from: string, to: string): Promise<number>;

  /** The sums of the counts of ads and placements, on some days and on the days before. */
  sumCounts(blogId: string, query: SumsQuery): Promise<Sums>;

  /**
   * The secret that signs click and preview tokens and keys the hash of visitors. The first call creates a random
   * secret and stores it in the database, so that every process with this database shares it.
   */
  signingSecret(): Promise<string>;

  /**
   * The metrics of the store for `/metrics`, by name (`pool_connections`, `commits_total`); the names never change.
   */
  measures?(): Readonly<Record<string, { readonly help: string; readonly value: number }>>;

  /** Waits until acknowledged events are durable, then closes the connections. */
  close(): Promise<void>;
}

/** What the process that sends webhooks needs. */
export interface OutboxReader {
  /** Milliseconds after a commit until no process shows the previous state. */
  readonly delay: number;
  /** Calls back when a blog was written, if the database reports it. */
  listen(onChange: () => void): void;
  /** Publishes the due posts of the blogs that have webhooks. */
  publishDuePosts(now: number): Promise<void>;
  due(now: number, busyHooks: readonly string[], limit: number): Promise<readonly DueMessage[]>;
  /** Adds an attempt to a message, and the time of the next attempt, if there is one. */
  record(message: DueMessage, attempt: Attempt, nextAt: number | null): Promise<void>;
  /** Takes or renews the lease to send; see `takeLease`. */
  take(holder: string, stale?: number): Promise<Lease>;
  free(holder: string): Promise<void>;
}

/** The number of posts from which a write counts as large. */
const BULK = 1000;

/** The store over a database that is open and up to date; `secret` replaces the secret that the database has. */
export function createSqlStore(database: Database, report: Report = () => {}, secret?: string): SqlStore {
  const { reader, events } = database;
  const blogsOfKeys = cacheBlogsOfKeys(database);
  const session = createSession(database, blogsOfKeys, report);
  const { changeSoon, changeBulk } = session;
  const pruning = database.pruning ?? createPruning(database.transact, events.skipLocked, report);
  return {
    findBlog: blogsOfKeys.get,
    ...createContentReads(database),
    listAds: (blogId) => readAds(reader, blogId, { active: true }),
    listCampaigns: (blogId) => readCampaigns(reader, blogId),
    async deliver(blogId, delivery, at) {
      const { slots, idempotency } = delivery;
      const isNothing = !idempotency && slots.every((slot) => !slot.candidates[0] && slot.placement === undefined);
      if (isNothing) return { outcome: 'counted', adIds: slots.map(() => undefined) };
      const delivered = await events.deliver(blogId, delivery, at);
      if (idempotency) pruning.at(at);
      return delivered;
    },
    async recordClick(blogId, click) {
      const outcome = await events.recordClick(blogId, click);
      pruning.at(click.at);
      return outcome;
    },
    async recordViewable(blogId, impressions) {
      await events.recordViewable(blogId, impressions);
      for (const { deliveredAt } of impressions) pruning.at(deliveredAt);
    },
    countsByDay: (blogId, days) => readDayCounts(reader, blogId, days),
    countsByTraffic: (blogId, days) => readTrafficCounts(reader, blogId, days),
    countsByCampaign: (blogId, days) => readCampaignCounts(reader, blogId, days),
    countsByPlacement: (blogId, days) => readPlacementCounts(reader, blogId, days),
    putBlog: (input, at) =>
      changeBulk(input.id, async (db) => {
        const { blog } = await writeBlog({ db, database }, input, at);
        await requireOwnSlugs({ db, database }, blog.id, blog.posts);
      }),
    publishDuePosts: (blogId, now) => changeSoon(blogId, (db) => publishDuePosts({ db, database }, blogId, now)),
    check: () => database.check(),

    ...createBlogManagement(database, session),
    ...createContentManagement(database, session),
    ...createHookManagement(database, session),
    outbox: createOutboxReader(database, session, pruning),
    sumCounts: (blogId, query) => readSums(reader, blogId, query),
    ...createSigning(database, secret),
    measures: () => ({
      commits_total: { help: 'Commits of impressions and clicks', value: events.committed.commits },
      committed_events_total: { help: 'Events in those commits', value: events.committed.events },
      ...database.measures?.(),
    }),

    async close() {
      await pruning.stop();
      await events.settled();
      await database.close();
    },
  };
}

function createSigning({ reader, transact }: Database, secret: string | undefined) {
  const signingSecret = async () => secret ?? transact(readSecret);
  return {
    signingSecret,
    async createPreviewToken(blogId, postId, now) {
      if (!(await readAnyPost(reader, blogId, postId))) return undefined;
      return signPreview(await createHmac(await signingSecret()), { sub: postId, blog: blogId }, now);
    },
  } satisfies Partial<SqlStore>;
}

/** The secret that all processes with this database share; the first call creates it. */
async function readSecret(db: Kysely<Tables>): Promise<string> {
  await sql`insert into secrets (name, value) values ('signing', ${randomText()}) on conflict do nothing`.execute(db);
  const secrets = db.selectFrom('secrets').select('value').where('name', '=', 'signing');
  return (await secrets.executeTakeFirstOrThrow()).value;
}

type Session = ReturnType<typeof createSession>;

/** Runs the writes of a blog, or of any blog: this process sees them immediately, other processes a little later. */
function createSession(database: Database, blogsOfKeys: BlogCache, report: Report) {
  const forgetting =
    (transact: Transact) =>
    <T>(blogId: string | undefined, work: (db: Kysely<Tables>) => Promise<T>): Promise<T> =>
      transact(work).finally(() => blogsOfKeys.forget(blogId));
  return {
    change: forgetting(database.transact),
    changeSoon: forgetting(database.transactSoon),
    changeBulk: forgetting(database.transactBulk),
    changeImport: <T>(work: ImportWork<T>): Promise<T> =>
      database.transactImport(work).finally(() => blogsOfKeys.forget()),
    /** Lets the database clean up after a write, if it had many posts. */
    async tidy(posts: number): Promise<void> {
      if (posts < BULK) return;
      // An error is only reported: the write is committed, and cleaning up only makes reads faster.
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
    deleteBlog: (blogId) => removeBlog(database, (work) => changeBulk(blogId, work), blogId),
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
        // `revoke` locks the blog first, so of two concurrent rotations, the second revokes the key of the first.
        await revoke(db, blogId, undefined, at);
        await writeKey(db, blogId, apiKey, at);
      }),
  } satisfies Partial<SqlStore>;
}

function createHookManagement({ reader, transact }: Database, { change }: Session) {
  return {
    listHooks: (blogId) => readHooks(reader, blogId),
    addHook: (blogId, hook, now) => change(blogId, (db) => writeHook(db, blogId, hook, now)),
    rotateHook: (blogId, hook, now) => transact((db) => rotateHook(db, blogId, hook, now)),
    deleteHook: (blogId, hookId) => transact((db) => removeHook(db, blogId, hookId)),
    testHook: (blogId, hookId) => transact((db) => addTest(db, blogId, hookId)),
    listHookMessages: (blogId, limit) => readMessages(reader, blogId, limit),
    sendHookMessage: (blogId, messageId) => transact((db) => sendAgain(db, blogId, messageId)),
  } satisfies Partial<SqlStore>;
}

/** The name of the lease of the process that sends webhooks. */
const SENDER = 'webhooks';

function createOutboxReader(database: Database, { changeSoon }: Session, pruning: Pruning): OutboxReader {
  const { reader, transact, changes } = database;
  return {
    delay: changes.delay,
    listen: (onChange) => changes.listen(onChange),
    async publishDuePosts(now) {
      for (const blogId of await readBlogsWithDuePosts(reader, now)) {
        await changeSoon(blogId, (db) => publishDuePosts({ db, database }, blogId, now));
      }
    },
    async due(now, busyHooks, limit) {
      const { due, isBlocked } = await readDue(reader, now, busyHooks, limit);
      if (isBlocked) await transact((db) => postponeBlocked(db, now, limit));
      return due;
    },
    async record(message, attempt, nextAt) {
      await transact((db) => recordAttempt(db, message, attempt, nextAt));
      pruning.at(Date.parse(attempt.at));
    },
    take: (holder, stale) => transact((db) => takeLease(db, SENDER, holder, stale)),
    free: (holder) => transact((db) => freeLease(db, SENDER, holder)),
  };
}

function createMedia(database: Database, { changeBulk }: Session) {
  const { reader, transact } = database;
  return {
    missingImages: (blogId, hashes) => missingImages(reader, blogId, hashes),
    putImage: (blogId, image) => transact((db) => writeImage(db, blogId, image)),
    findImage: (path) => findImage(reader, path),
    pruneImages: (blogId) => pruneImages(database, blogId),
    moveMedia: (blogId, from, to) => moveMedia((work) => changeBulk(blogId, work), blogId, from, to),
  } satisfies Partial<SqlStore>;
}

function createContentManagement(database: Database, session: Session) {
  const { reader } = database;
  const { change } = session;
  const changeAds = <T>(blogId: string, work: (db: Kysely<Tables>) => Promise<T>): Promise<T> =>
    change(blogId, (db) => reportAds(db, blogId, () => work(db)));
  const edit = (blogId: string, postId: string, how: (post: SnapshotPost) => SnapshotPost) =>
    change(blogId, (db) => editPost({ db, database }, blogId, postId, how));
  return {
    listAllPosts: (blogId, filter, range) => listAllPosts(reader, blogId, filter, range),
    getAnyPost: (blogId, postId) => readAnyPost(reader, blogId, postId),
    publishPost: (blogId, postId, publication) => edit(blogId, postId, (post) => published(post, publication)),
    unpublishPost: (blogId, postId, now) => edit(blogId, postId, (post) => unpublished(post, now)),
    deletePost: (blogId, postId, now) => change(blogId, (db) => deletePost({ db, database }, blogId, postId, now)),
    exportPost: (blogId, postId) => database.snapshot((db) => readPostPart(db, blogId, postId)),

    listAllAds: (blogId) => readAds(reader, blogId),
    putAd: (blogId, ad, before) =>
      changeAds(blogId, async (db) => {
        const written = await writeAd(db, blogId, ad, before);
        if (written) await requireCampaigns(db, blogId, [ad]);
        return written;
      }),
    setAdActive: (blogId, adId, active) => changeAds(blogId, (db) => writeAdActive(db, blogId, adId, active)),
    deleteAd: (blogId, adId, now) =>
      changeAds(blogId, async (db) => {
        const ad = await removeAd(db, blogId, adId);
        if (ad) await binAd(db, blogId, ad, now);
        return ad !== undefined;
      }),
    exportAd: (blogId, adId) => database.snapshot((db) => readAdPart(db, blogId, adId)),

    putCampaign: (blogId, campaign, before) => changeAds(blogId, (db) => writeCampaign(db, blogId, campaign, before)),
    deleteCampaign: (blogId, campaignId, now) =>
      changeAds(blogId, async (db) => {
        const removed = await removeCampaign(db, blogId, campaignId);
        if (removed) await binCampaign(db, blogId, removed, now);
        return removed !== undefined;
      }),
    exportCampaign: (blogId, campaignId) => database.snapshot((db) => readCampaignPart(db, blogId, campaignId)),

    ...createMedia(database, session),
    listBin: (blogId, now) => readBin(reader, blogId, now),
    restoreFromBin: (blogId, key, now) => changeAds(blogId, (db) => restoreFromBin({ db, database }, blogId, key, now)),
  } satisfies Partial<SqlStore>;
}
