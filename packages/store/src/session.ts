import { touchBlog } from './blogs/blogs.ts';
import type { Database, ImportTransact, Report, TransactOptions } from './database.ts';
import type { Db } from './sql.ts';
import { reportAds } from './webhooks/outbox.ts';

/** The number of posts from which a write counts as large. */
const BULK = 1000;

type Work<T> = (db: Db) => Promise<T>;

export type Session = ReturnType<typeof createSession>;

/**
 * Runs the writes of a blog: this process sees them immediately, other processes a little later.
 *
 * @param forget removes a blog, or all blogs, from the caches of this process
 */
export function createSession(database: Database, forget: (blogId?: string) => void, report: Report) {
  const { transact, stageImport = (work) => transact((db) => work(db, async () => {}), { for: 'long' }) } = database;
  const change = <T>(blogId: string, work: Work<T>, options: TransactOptions = {}): Promise<T> => {
    const { for: purpose = 'request' } = options;
    // A due post is published at its time, and the reader who asks for it waits.
    const end = purpose === 'request' || purpose === 'soon' ? database.interruptImports?.(blogId) : undefined;
    return transact(work, options).finally(() => {
      end?.();
      forget(blogId);
    });
  };
  const changeImport: ImportTransact = (work) => stageImport(work).finally(() => forget());
  return {
    database,
    change,
    changeImport,
    /** Runs a write with a new revision of the blog; returns `absent` when there is no such blog. */
    changeContent: <T>(blogId: string, absent: T, work: Work<T>): Promise<T> =>
      change(blogId, async (db) => ((await touchBlog(db, blogId)) ? work(db) : absent)),
    /** The same for a write of ads or campaigns, which is reported to webhooks. */
    changeAds: <T>(blogId: string, absent: T, work: Work<T>): Promise<T> =>
      change(blogId, (db) => reportAds(db, blogId, async () => ((await touchBlog(db, blogId)) ? work(db) : absent))),
    /** Lets the database clean up after a write, if it had many posts. */
    async tidy(posts: number): Promise<void> {
      if (posts >= BULK) await cleanUp(database, report);
    },
  };
}

/** Cleans up after a large write. An error is only reported: the write is committed, and reads are only slower. */
export async function cleanUp(database: Database, report: Report): Promise<void> {
  await database
    .afterBulk?.()
    .catch((error: unknown) => report('The database could not be cleaned up after a large write', error));
}
