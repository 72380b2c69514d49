import { fold } from '@broadsheet/core';
import sql from 'sql-template-tag';
import type { Database } from '../database.ts';
import { contains, type Db, insert } from '../sql.ts';

/** One change that somebody made. */
export interface LogEntry {
  readonly at: string;
  /** The name of a person, `command line`, or the name of a token. */
  readonly who: string;
  /** The blog that was changed; `null` for a change that concerns all blogs. */
  readonly blogId: string | null;
  /** The change, as a sentence without a subject: `paused the ad "Tea"`. */
  readonly what: string;
}

/** Which entries of the log are read. */
export interface LogQuery {
  /** Only entries of this blog. */
  readonly blogId?: string | undefined;
  /** Only entries with this text in `who` or `what`, in any case and without its accents. */
  readonly search?: string | undefined;
  /** Newest first by default. */
  readonly oldestFirst?: boolean | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** The maximum number of characters of an entry: titles and file names in it may have any length. */
const LONGEST = 2000;

/** The log of every change that somebody made, at any door. */
export const createLog = ({ reader, transact }: Pick<Database, 'reader' | 'transact'>) => ({
  writeLog: (entry: LogEntry) => transact((db) => writeLog(db, entry)),
  /** Returns the requested entries, and the number of all that match. */
  readLog: (query: LogQuery) => readLog(reader, query),
});

export async function writeLog(db: Db, { at, who, blogId, what }: LogEntry): Promise<void> {
  const text = brief(what);
  const row = { id: crypto.randomUUID(), at, who, blog_id: blogId, what: text, fold_text: fold(`${who} ${text}`) };
  await insert(db, 'panel_log', [row]);
}

const brief = (text: string): string =>
  text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1).toWellFormed()}…`;

async function readLog(
  db: Db,
  { blogId, search, oldestFirst, offset, limit }: LogQuery,
): Promise<{ entries: LogEntry[]; total: number }> {
  const matching = sql`from panel_log where ${blogId === undefined ? sql`true` : sql`blog_id = ${blogId}`}
    and ${search ? contains(sql`fold_text`, search) : sql`true`}`;
  const count = await db<{ total: number }>`select count(*) as total ${matching}`;
  const entries = await db<LogEntry>`select at, who, blog_id as "blogId", what ${matching}
    order by ${oldestFirst ? sql`at` : sql`at desc`}, id limit ${limit} offset ${offset}`;
  return { entries, total: count[0]?.total ?? 0 };
}
