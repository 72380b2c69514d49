import { type ImageStore, type Store, signPreview } from '@broadsheet/core';
import { type Kysely, sql } from 'kysely';
import { createAdManagement } from './blogs/ad-management.ts';
import { readAds } from './blogs/ads.ts';
import { createHmac, randomText } from './blogs/api-key.ts';
import { cacheBlogsOfKeys } from './blogs/blog-cache.ts';
import { createBlogManagement } from './blogs/blog-management.ts';
import { writeBlog } from './blogs/blog-writes.ts';
import { readCampaigns } from './blogs/campaigns.ts';
import { requireOwnSlugs } from './blogs/clashes.ts';
import { createImages } from './blogs/images.ts';
import { createKeyManagement } from './blogs/keys.ts';
import { createMediaManagement } from './blogs/media.ts';
import { createBinManagement } from './blogs/recycle-bin.ts';
import type { Database, Pruning, Report } from './database.ts';
import { createCountReads } from './events/counts.ts';
import { createPruning } from './events/prune-events.ts';
import { readSums, type Sums, type SumsQuery } from './events/sums.ts';
import { createContentReads } from './posts/content-reads.ts';
import { createPostManagement, publishDuePosts } from './posts/post-management.ts';
import { readAnyPost } from './posts/post-writes.ts';
import { createSession, type Session } from './session.ts';
import type { Tables } from './tables.ts';
import { createHookManagement } from './webhooks/hooks.ts';
import { createOutboxReader, type OutboxReader } from './webhooks/messages.ts';

/** The store over SQL: the port of the API, and the methods for operators. */
export interface SqlStore extends Store, ImageStore, Management {
  readonly outbox: OutboxReader;
  /** The sums of the counts of ads and placements, on some days and on the days before. */
  sumCounts(blogId: string, query: SumsQuery): Promise<Sums>;
  /** A token that opens the post for 24 hours; see `signPreview`. `undefined` when there is no such post. */
  createPreviewToken(blogId: string, postId: string, now: number): Promise<string | undefined>;
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

type Management = ReturnType<typeof createManagement>;

const createManagement = (session: Session) => ({
  ...createBlogManagement(session),
  ...createKeyManagement(session),
  ...createPostManagement(session),
  ...createAdManagement(session),
  ...createImages(session.database),
  ...createMediaManagement(session),
  ...createBinManagement(session),
  ...createHookManagement(session),
});

/** The store over a database that is open and up to date; `secret` replaces the secret that the database has. */
export function createSqlStore(database: Database, report: Report = () => {}, secret?: string): SqlStore {
  const { reader, events } = database;
  const blogsOfKeys = cacheBlogsOfKeys(database);
  const session = createSession(database, blogsOfKeys, report);
  const { changeSoon, changeBulk } = session;
  const pruning = database.pruning ?? createPruning(database.transact, events.skipLocked, report);
  const signingSecret = async () => secret ?? database.transact(readSecret);
  return {
    ...createManagement(session),
    findBlog: blogsOfKeys.get,
    ...createContentReads(database),
    listAds: (blogId) => readAds(reader, blogId, { active: true }),
    listCampaigns: (blogId) => readCampaigns(reader, blogId),
    ...createEventWrites(database, pruning),
    ...createCountReads(reader),
    putBlog: (input, at) =>
      changeBulk(input.id, async (db) => {
        const { blog } = await writeBlog({ db, database }, input, at);
        await requireOwnSlugs({ db, database }, blog.id, blog.posts);
      }),
    publishDuePosts: (blogId, now) => changeSoon(blogId, (db) => publishDuePosts({ db, database }, blogId, now)),
    check: () => database.check(),

    outbox: createOutboxReader(session, pruning),
    sumCounts: (blogId, query) => readSums(reader, blogId, query),
    signingSecret,
    async createPreviewToken(blogId, postId, now) {
      if (!(await readAnyPost(reader, blogId, postId))) return undefined;
      return signPreview(await createHmac(await signingSecret()), { sub: postId, blog: blogId }, now);
    },
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

/** Records events, and lets old ones be removed. */
function createEventWrites({ events }: Database, pruning: Pruning) {
  return {
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
  } satisfies Partial<Store>;
}

/** The secret that all processes with this database share; the first call creates it. */
async function readSecret(db: Kysely<Tables>): Promise<string> {
  await sql`insert into secrets (name, value) values ('signing', ${randomText()}) on conflict do nothing`.execute(db);
  const secrets = db.selectFrom('secrets').select('value').where('name', '=', 'signing');
  return (await secrets.executeTakeFirstOrThrow()).value;
}
