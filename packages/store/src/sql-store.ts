import { type ImageStore, type Plan, type Store, signPreview } from '@broadsheet/core';
import { createLog } from './access/log.ts';
import { createPeople } from './access/people.ts';
import { createReceipts } from './access/receipts.ts';
import { createReportLinks } from './access/report-links.ts';
import { createSessions } from './access/sessions.ts';
import { createManagementTokens } from './access/tokens.ts';
import { createAdManagement } from './blogs/ad-management.ts';
import { readAds } from './blogs/ads.ts';
import { createHmac, randomText } from './blogs/api-key.ts';
import { cacheBlogsOfKeys } from './blogs/blog-cache.ts';
import { createBlogManagement } from './blogs/blog-management.ts';
import { writeAds, writeBlog } from './blogs/blog-writes.ts';
import { readCampaigns, readEnded, readPlans } from './blogs/campaigns.ts';
import { requireOwnSlugs } from './blogs/clashes.ts';
import { createImages } from './blogs/images.ts';
import { createKeyManagement } from './blogs/keys.ts';
import { createMediaManagement } from './blogs/media.ts';
import { createBinManagement } from './blogs/recycle-bin.ts';
import { checkWrites } from './check-writes.ts';
import type { Database, Report, Transact, TransactOptions } from './database.ts';
import { createEventLog } from './events/event-log.ts';
import { readFigures } from './events/figures.ts';
import { createPruning } from './events/prune-events.ts';
import { readHours } from './events/traffic.ts';
import { createContentReads } from './posts/content-reads.ts';
import { createPostManagement, publishDuePosts } from './posts/post-management.ts';
import { readAnyPost } from './posts/post-writes.ts';
import { createSession, type Session } from './session.ts';
import type { Db } from './sql.ts';
import { createUploads } from './uploads.ts';
import { createHookManagement } from './webhooks/hooks.ts';
import { createOutboxReader, type OutboxReader } from './webhooks/messages.ts';

/** The store over SQL: the port of the API, and the methods for operators. */
export interface SqlStore extends Store, ImageStore, OperatorStore {
  /** Opens another store over the same database, even in another thread; absent for a store in memory. */
  readonly databaseUrl?: string;
  /** The time limit with which this store was opened, for further stores over the same database; see `StoreOptions`. */
  readonly statementTimeout?: number | undefined;
  readonly outbox: OutboxReader;
  /** Runs several methods for operators in one transaction, which is rolled back if the work rejects. */
  transact<T>(work: (store: OperatorStore) => Promise<T>, options?: TransactOptions): Promise<T>;
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

/**
 * The methods for operators, on the database or in one transaction of it: blogs, the people and tokens that manage them,
 * the log, and content that was sent and is not imported yet.
 */
export interface OperatorStore extends Management, Access, Reads {
  /** A token that opens the post for 24 hours; see `signPreview`. `undefined` when there is no such post. */
  createPreviewToken(blogId: string, postId: string, now: number): Promise<string | undefined>;
  /** The deliveries to readers in the hours of the last two weeks that had any; see `hourOf` and `weeklyTraffic`. */
  readHours(blogId: string, now: number): Promise<(readonly [hour: number, deliveries: number])[]>;
  /** The plans that campaigns had at their last delivery, by id; see `planOf`. */
  readPlans(blogId: string): Promise<ReadonlyMap<string, Plan>>;
}

type Reads = Pick<Store, 'figures' | 'listCampaigns'>;
type Management = ReturnType<typeof createManagement>;
type Access = ReturnType<typeof createAccess>;

const createOperatorStore = (
  session: Session,
  signingSecret: (database: Database) => Promise<string>,
): OperatorStore => ({
  ...createManagement(session),
  ...createAccess(session.database),
  figures: (blogId, query) => readFigures(session.database.reader, blogId, query),
  listCampaigns: (blogId) => readCampaigns(session.database.reader, blogId),
  readHours: async (blogId, now) => (await readHours(session.database.reader, [blogId], now)).get(blogId) ?? [],
  readPlans: (blogId) => readPlans(session.database.reader, blogId),
  async createPreviewToken(blogId, postId, now) {
    const { database } = session;
    if (!(await readAnyPost(database.reader, blogId, postId))) return undefined;
    return signPreview(await createHmac(await signingSecret(database)), { sub: postId, blog: blogId }, now);
  },
});

/** Who may manage blogs, what they did, and which of their requests were carried out. */
const createAccess = (database: Database) => ({
  ...createPeople(database),
  ...createSessions(database),
  ...createReportLinks(database),
  ...createManagementTokens(database),
  ...createLog(database),
  ...createReceipts(database),
});

function createManagement(session: Session) {
  const blogs = createBlogManagement(session);
  return {
    ...blogs,
    ...createUploads(session.database, blogs),
    ...createKeyManagement(session),
    ...createPostManagement(session),
    ...createAdManagement(session),
    ...createImages(session.database),
    ...createMediaManagement(session),
    ...createBinManagement(session),
    ...createHookManagement(session),
  };
}

/** The store over a database that is open and up to date; `secret` replaces the secret that the database has. */
export function createSqlStore(database: Database, report: Report = () => {}, secret?: string): SqlStore {
  const { reader } = database;
  const pruning = database.pruning ?? createPruning(database, report);
  const blogsOfKeys = cacheBlogsOfKeys(database);
  const events = createEventLog(database, pruning);
  /** Removes a blog, or all blogs, from the caches of this process. */
  const forget = (blogId?: string): void => {
    blogsOfKeys.forget(blogId);
    events.forget(blogId);
  };
  database.changes.listen(forget);
  const session = createSession(database, forget, report);
  const signingSecret = async ({ transact }: Database) => secret ?? transact(readSecret);
  return {
    ...createOperatorStore(session, signingSecret),
    findBlog: blogsOfKeys.get,
    peekBlog: blogsOfKeys.peek,
    ...createContentReads(database),
    listAds: (blogId) => readAds(reader, blogId, { active: true }),
    listEnded: (blogId) => readEnded(reader, blogId),
    ...events.recorded,
    putBlog(input, at) {
      const write = async (db: Db) => {
        const { blog } = await writeBlog({ db, database }, input, at);
        await requireOwnSlugs({ db, database }, blog.id, blog.posts);
        await writeAds(db, blog.id, blog, at);
      };
      return session.change(input.id, write, { for: 'long' });
    },
    publishDuePosts: (blogId, now) =>
      session.change(blogId, (db) => publishDuePosts({ db, database }, blogId, now), { for: 'soon' }),
    check: () => checkWrites(database.transact),

    outbox: createOutboxReader(session, pruning),
    signingSecret: () => signingSecret(database),
    transact(work, options) {
      const run = (db: Db) => {
        const within = databaseWithin(database, db);
        return work(createOperatorStore(createSession(within, forget, report), signingSecret));
      };
      // Data that this process cached before the commit may be outdated.
      return database.transact(run, options).finally(() => forget());
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

/** A database within one of its transactions, in which all reads and writes take place. */
function databaseWithin(database: Database, db: Db): Database {
  const transact: Transact = (work) => work(db);
  return { ...database, reader: db, transact, snapshot: transact, stageImport: undefined };
}

/** The secret that all processes with this database share; the first call creates it. */
async function readSecret(db: Db): Promise<string> {
  await db`insert into secrets (name, value) values ('signing', ${randomText()}) on conflict do nothing`;
  const [secret] = await db<{ value: string }>`select value from secrets where name = 'signing'`;
  if (!secret) throw new Error('The database has no signing secret, although it was stored');
  return secret.value;
}
