import type { Click, ClickOutcome } from '@broadsheet/core';
import { type Kysely, sql } from 'kysely';
import { toAd } from './blogs/ad-rows.ts';
import { newApiKey } from './blogs/api-key.ts';
import { keepBlogsOfKeys, keepRevisions } from './blogs/blog-cache.ts';
import { readBlog } from './blogs/blog-export.ts';
import { createBlog, readAds, readBlogs, touchBlog, writeAd, writeAdActive } from './blogs/blog-rows.ts';
import { writeBlog } from './blogs/blog-writes.ts';
import { readKeys, revoke, writeKey } from './blogs/keys.ts';
import { codeUnitOrder } from './code-unit-order.ts';
import type { Database } from './database.ts';
import { type Impressions, pruneEvents, writeClick, writeImpressions } from './events/event-writes.ts';
import { createGroupCommit } from './events/group-commit.ts';
import { readLog, writeLog } from './people/log.ts';
import {
  endSession,
  findInvitation,
  findSession,
  hasPeople,
  invite,
  readPeople,
  revokePerson,
  signIn,
} from './people/people.ts';
import { createContentReads } from './posts/content-reads.ts';
import { readSecret } from './secret.ts';
import type { ImportedBlog, ServerStore } from './server-store.ts';
import type { Tables } from './tables.ts';

/** Milliseconds between two rounds of forgetting what is too old to matter. */
const PRUNE_EVERY = 5 * 60 * 1000;
/** Posts from which on a write is large. */
const BULK = 1000;

/** The store over a database that is open and up to date. */
export function createSqlStore(database: Database): ServerStore {
  const { reader, writer, patient } = database;
  const blogsOfKeys = keepBlogsOfKeys(database);
  const revisions = keepRevisions(database);
  const transact = <T>(work: (transaction: Kysely<Tables>) => Promise<T>) => writer.transaction().execute(work);
  async function change<T>(work: (transaction: Kysely<Tables>) => Promise<T>, db = writer): Promise<T> {
    try {
      return await db.transaction().execute(work);
    } finally {
      blogsOfKeys.clear();
      revisions.clear();
    }
  }
  let commits = 0;
  let events = 0;
  const measure = (items: readonly unknown[]) => {
    commits += 1;
    events += items.length;
  };
  const impressions = createGroupCommit<Impressions, undefined>(async (items) => {
    await transact((transaction) => writeImpressions(transaction, items));
    measure(items);
    return items.map(() => undefined);
  });
  const clicks = createGroupCommit<{ blogId: string; click: Click }, ClickOutcome>((items) =>
    transact(async (transaction) => {
      const outcomes: ClickOutcome[] = [];
      for (const { blogId, click } of items) outcomes.push(await writeClick(transaction, blogId, click));
      measure(items);
      return outcomes;
    }),
  );
  let pruned = 0;
  const pruneNowAndThen = async (at: number) => {
    if (at - pruned < PRUNE_EVERY) return;
    pruned = at;
    await transact((transaction) => pruneEvents(transaction, at));
  };

  return {
    findBlog: blogsOfKeys.get,
    ...createContentReads(database, revisions.get),
    async listAds(blogId) {
      const rows = await reader
        .selectFrom('ads')
        .selectAll()
        .where('blog_id', '=', blogId)
        .where('active', '=', 1)
        .orderBy('priority', 'desc')
        .orderBy('id')
        .execute();
      return rows.map(toAd);
    },
    async recordImpressions(blogId, adIds, at) {
      if (adIds.length > 0) await impressions({ blogId, adIds, at });
    },
    async recordClick(blogId, click) {
      const outcome = database.recordClick
        ? await database.recordClick(blogId, click)
        : await clicks({ blogId, click });
      if (database.recordClick) measure([click]);
      // Whoever clicked does not care whether old tokens could be forgotten; the next round tries again.
      pruneNowAndThen(click.at).catch(() => {});
      return outcome;
    },
    async countsByDay(blogId) {
      const rows = await reader.selectFrom('ad_counts').selectAll().where('blog_id', '=', blogId).execute();
      return rows
        .map(({ day, ad_id: adId, impressions, clicks }) => ({ day, adId, impressions, clicks }))
        .sort((a, b) => codeUnitOrder(a.day, b.day) || codeUnitOrder(a.adId, b.adId));
    },
    async putBlog(blog, at) {
      await change((transaction) => writeBlog(database, transaction, blog, at), patient);
      if ((blog.posts?.length ?? 0) >= BULK) await database.afterBulk();
    },
    async ping() {
      await sql`select 1`.execute(reader);
    },

    listBlogs: () => readBlogs(reader),
    createBlog: (blog) => change((transaction) => createBlog(transaction, blog)),
    setDomains: (blogId, domains) => change((transaction) => touchBlog(transaction, blogId, domains)),
    async importBlogs(blogs, at, onProgress) {
      let written = 0;
      let survey = BULK;
      const imported = await change(async (transaction) => {
        const count = async (posts: number) => {
          written += posts;
          onProgress?.(written);
          if (written < survey) return;
          survey *= 4;
          await database.duringBulk(transaction);
        };
        const done: ImportedBlog[] = [];
        for (const input of blogs) {
          const blog = await writeBlog(database, transaction, input, at, count);
          const hasKey = (await readKeys(transaction, blog.id)).length > 0;
          const newKey = hasKey ? undefined : newApiKey();
          if (newKey !== undefined) await writeKey(transaction, blog.id, newKey, at);
          const { id, posts, categories, tags, ads } = blog;
          const sizes = { posts: posts.length, categories: categories.length, tags: tags.length, ads: ads.length };
          done.push({ id, ...sizes, newKey });
        }
        return done;
      }, patient);
      if (written >= BULK) await database.afterBulk();
      return imported;
    },
    exportBlog: (blogId) => patient.transaction().execute((transaction) => readBlog(transaction, blogId)),

    listKeys: (blogId) => readKeys(reader, blogId),
    addKey: (blogId, apiKey, at) => change((transaction) => writeKey(transaction, blogId, apiKey, at)),
    revokeKeys: (blogId, keyId, at) => change((transaction) => revoke(transaction, blogId, keyId, at)),
    rotateKey: (blogId, apiKey, at) =>
      change(async (transaction) => {
        await revoke(transaction, blogId, undefined, at);
        await writeKey(transaction, blogId, apiKey, at);
      }),

    listAllAds: (blogId) => readAds(reader, blogId),
    putAd: (blogId, ad) => change((transaction) => writeAd(transaction, blogId, ad)),
    setAdActive: (blogId, adId, active) => change((transaction) => writeAdActive(transaction, blogId, adId, active)),

    hasPeople: () => hasPeople(reader),
    listPeople: (now) => readPeople(reader, now),
    invitePerson: (person, token, now) => transact((transaction) => invite(transaction, person, token, now)),
    revokePerson: (name) => transact((transaction) => revokePerson(transaction, name)),
    findInvitation: (token, now) => findInvitation(reader, token, now),
    signIn: (token, session, now) => transact((transaction) => signIn(transaction, token, session, now)),
    findSession: (session, now) => findSession(reader, session, now),
    endSession: (session) => transact((transaction) => endSession(transaction, session)),
    writeLog: (entry) => transact((transaction) => writeLog(transaction, entry)),
    readLog: (query) => readLog(reader, query),

    signingSecret: () => transact(readSecret),
    measures: () => ({
      commits_total: { help: 'Commits of impressions and clicks', value: commits },
      committed_events_total: { help: 'Events those commits held', value: events },
      ...database.measures?.(),
    }),

    async close() {
      await impressions.settled();
      await clicks.settled();
      await database.close();
    },
  };
}
