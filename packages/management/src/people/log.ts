import type { Tables } from '@broadsheet/store';
import { type Kysely, sql } from 'kysely';
import type { LogEntry, LogQuery } from './person.ts';

/** The maximum number of characters of an entry: titles and file names in it may have any length. */
const LONGEST = 2000;

export async function writeLog(db: Kysely<Tables>, { at, who, blogId, what }: LogEntry): Promise<void> {
  await db
    .insertInto('panel_log')
    .values({ id: crypto.randomUUID(), at, who, blog_id: blogId, what: brief(what) })
    .execute();
}

const brief = (text: string): string =>
  text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1).toWellFormed()}…`;

export async function readLog(
  db: Kysely<Tables>,
  { blogId, search, oldestFirst, offset, limit }: LogQuery,
): Promise<{ entries: LogEntry[]; total: number }> {
  let matching = db.selectFrom('panel_log');
  if (blogId !== undefined) matching = matching.where('blog_id', '=', blogId);
  if (search !== undefined && search !== '') {
    const pattern = `%${search.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
    matching = matching.where(sql<boolean>`lower(who || ' ' || what) like ${pattern} escape '\\'`);
  }
  const count = await matching.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow();
  const rows = await matching
    .selectAll()
    .orderBy('at', oldestFirst ? 'asc' : 'desc')
    .orderBy('id')
    .offset(offset)
    .limit(limit)
    .execute();
  const entries = rows.map(({ at, who, blog_id, what }) => ({ at, who, blogId: blog_id, what }));
  return { entries, total: Number(count.total) };
}
