import { type Kysely, sql } from 'kysely';
import type { Database, Transact } from '../database.ts';
import { BLOG_TABLES, EVENT_TABLES, primaryKey, type Tables } from '../tables.ts';
import { doStep } from '../turns.ts';
import { touchBlog } from './blogs.ts';

/** Tables with many rows per blog, and the number of rows that one transaction removes: posts are large. */
const CONTENT_TABLES = ['post_texts', 'post_labels', 'posts', 'recycle_bin', 'webhook_messages'] as const;
const CONTENT_ROWS = 500;
/** Few are left for the last transaction, because events of other blogs wait for it. */
const EVENT_ROWS = [5000, 100] as const;
const IMAGE_ROWS = 20;

/**
 * Removes a blog with all of its rows in every table; `false` when it does not exist. The first transaction removes its
 * keys, so that nobody can read it anymore; the last one removes the blog itself. In between, rows are removed in
 * batches, so that events of other blogs can be written meanwhile.
 */
export async function removeBlog(
  { events, reader }: Database,
  change: Transact,
  blogId: string,
  also: (db: Kysely<Tables>) => Promise<void> = async () => {},
): Promise<boolean> {
  const isClosed = await change(async (db) => {
    if (!(await closeBlog(db, blogId))) return false;
    await also(db);
    return true;
  });
  if (!isClosed) return false;
  for (const table of CONTENT_TABLES) await removeRows({ reader, change, blogId }, table, CONTENT_ROWS);
  await removeRows({ reader, change, blogId }, 'images', IMAGE_ROWS);
  for (const size of EVENT_ROWS) {
    for (const table of EVENT_TABLES) await removeRows({ reader, change, blogId }, table, size);
  }
  const isRemoved = await change(async (db) => {
    // Keys and people that were added meanwhile are removed as well.
    if (!(await closeBlog(db, blogId))) return false;
    const eventTables: ReadonlySet<string> = new Set(EVENT_TABLES);
    const others = BLOG_TABLES.filter((table) => !eventTables.has(table));
    for (const table of others) await sql`delete from ${sql.table(table)} where blog_id = ${blogId}`.execute(db);
    // Last and under a lock: concurrent events are either written before the lock, or find no blog after it.
    await events.lock(db);
    for (const table of EVENT_TABLES) await db.deleteFrom(table).where('blog_id', '=', blogId).execute();
    return true;
  });
  events.forget(blogId);
  return isRemoved;
}

/** Removes the keys, tokens and webhooks of a blog and the people who see only it; `false` when there is no such blog. */
async function closeBlog(db: Kysely<Tables>, blogId: string): Promise<boolean> {
  if (!(await touchBlog(db, blogId))) return false;
  const people = db.selectFrom('people').select('name').where('blog_id', '=', blogId);
  for (const table of ['invitations', 'panel_sessions'] as const) {
    await db.deleteFrom(table).where('name', 'in', people).execute();
  }
  for (const table of ['people', 'invitations', 'api_keys', 'management_tokens', 'webhooks'] as const) {
    await db.deleteFrom(table).where('blog_id', '=', blogId).execute();
  }
  return true;
}

async function removeRows(
  { reader, change, blogId }: Pick<Database, 'reader'> & { readonly change: Transact; readonly blogId: string },
  table: (typeof CONTENT_TABLES)[number] | (typeof EVENT_TABLES)[number] | 'images',
  size: number,
): Promise<void> {
  const names = primaryKey(table).filter((name) => name !== 'blog_id');
  const columns = sql.join(names.map((name) => sql.ref(name)));
  // Batches proceed by key: PostgreSQL keeps removed rows in an index for a while, so each must be skipped only once.
  for (let above = sql`true`; ; ) {
    const edge = await sql<Record<string, unknown>>`select ${columns} from ${sql.table(table)}
      where blog_id = ${blogId} and ${above} order by ${columns} limit 1 offset ${sql.lit(size)}`.execute(reader);
    const [last] = edge.rows;
    if (!last) return;
    const key = sql`(${sql.join(names.map((name) => sql.val(last[name])))})`;
    const rows = sql`delete from ${sql.table(table)}
      where blog_id = ${blogId} and ${above} and (${columns}) <= ${key}`;
    await doStep(() => change((db) => rows.execute(db)));
    above = sql`(${columns}) > ${key}`;
  }
}
