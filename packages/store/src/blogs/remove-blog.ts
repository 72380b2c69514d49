import { join } from 'sql-template-tag';
import { type LogEntry, writeLog } from '../access/log.ts';
import { type Database, LockTimeout, type Transact } from '../database.ts';
import { RUNTIME, sleep } from '../runtime.ts';
import { type Db, names, readInBatches } from '../sql.ts';
import { BLOG_TABLES, EVENT_TABLES, keyInBlog } from '../tables.ts';
import { doStep } from '../turns.ts';
import { touchBlog } from './blogs.ts';

/** Tables with many rows per blog, and the number of rows that one transaction removes: posts are large. */
const CONTENT_TABLES = ['post_texts', 'post_labels', 'posts', 'recycle_bin', 'webhook_messages'] as const;
const CONTENT_ROWS = 500;
const EVENT_ROWS = 5000;
const IMAGE_ROWS = 20;

/**
 * Removes a blog with all of its rows in every table; `false` when it does not exist. The first transaction removes its
 * keys, so that nobody can read it anymore; the last one removes the blog itself. In between, rows are removed in
 * batches, so that events of other blogs can be written in the meantime.
 */
export async function removeBlog(
  { eventDialect: { lockEvents }, reader }: Database,
  change: Transact,
  blogId: string,
  entry?: LogEntry,
): Promise<boolean> {
  const isClosed = await change(async (db) => {
    if (!(await closeBlog(db, blogId))) return false;
    if (entry) await writeLog(db, entry);
    return true;
  });
  if (!isClosed) return false;
  for (const table of CONTENT_TABLES) await removeRows({ reader, change, blogId }, table, CONTENT_ROWS);
  await removeRows({ reader, change, blogId }, 'images', IMAGE_ROWS);
  // No rows are left for the last transaction, because events of other blogs wait for it.
  for (const table of EVENT_TABLES) await removeRows({ reader, change, blogId }, table, EVENT_ROWS);
  return untilUnlocked(() =>
    change(async (db) => {
      // Keys and people that were added in the meantime are removed as well.
      if (!(await closeBlog(db, blogId))) return false;
      const eventTables: ReadonlySet<string> = new Set(EVENT_TABLES);
      const others = BLOG_TABLES.filter((table) => !eventTables.has(table));
      for (const table of others) await db`delete from ${names(table)} where blog_id = ${blogId}`;
      // Last and under a lock: concurrent events are either written before the lock, or find no blog after it.
      for (const statement of lockEvents ?? []) await db`${statement}`;
      for (const table of EVENT_TABLES) await db`delete from ${names(table)} where blog_id = ${blogId}`;
      return true;
    }),
  );
}

/** The number of attempts to lock the tables of events, and the milliseconds between two of them. */
const ATTEMPTS = 3000;
const PAUSE = 200;

/**
 * Does work again while another program, such as a VACUUM, has locked a table that the work needs. The work must not wait
 * for the table, because everybody else would wait behind it.
 */
async function untilUnlocked<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof LockTimeout) || attempt === ATTEMPTS) throw error;
      await sleep(RUNTIME, PAUSE);
    }
  }
}

/** Removes the keys, tokens and webhooks of a blog and the people who see only it; `false` when there is no such blog. */
async function closeBlog(db: Db, blogId: string): Promise<boolean> {
  if (!(await touchBlog(db, blogId))) return false;
  for (const table of ['invitations', 'panel_sessions'] as const) {
    await db`delete from ${names(table)} where name in (select name from people where blog_id = ${blogId})`;
  }
  for (const table of ['people', 'invitations', 'api_keys', 'management_tokens', 'webhooks'] as const) {
    await db`delete from ${names(table)} where blog_id = ${blogId}`;
  }
  return true;
}

async function removeRows(
  { reader, change, blogId }: Pick<Database, 'reader'> & { readonly change: Transact; readonly blogId: string },
  table: (typeof CONTENT_TABLES)[number] | (typeof EVENT_TABLES)[number] | 'images',
  size: number,
): Promise<void> {
  const columns = keyInBlog(table);
  const key = names(...columns);
  for await (const rows of readInBatches<Record<string, unknown>>(reader, table, size, { blogId, columns })) {
    const [from, to] = [rows[0], rows.at(-1)].map((row) => join(columns.map((name) => row?.[name])));
    // The lower bound saves time: PostgreSQL keeps removed rows in an index for a while, and every statement would skip
    // them again.
    const remove = (db: Db) => db`delete from ${names(table)}
      where blog_id = ${blogId} and (${key}) >= (${from}) and (${key}) <= (${to})`;
    await doStep(() => change(remove));
  }
}
