import type { SearchResultItem } from '@broadsheet/contract';
import type { Range } from '@broadsheet/core';
import type { Kysely } from 'kysely';
import { RESULT_COLUMNS, type ResultRow, toResult } from './post-columns.ts';
import type { Tables } from './tables.ts';

/**
 * Finds the ids of posts that contain every term and have exactly `inTitle` of them in the title, in the order of
 * posts, at most `limit`.
 */
export type FindRank = (inTitle: number, limit: number) => Promise<string[]>;

/**
 * Reads a page across ranks: those with all terms in the title first, and a lower rank only when the page is not
 * full yet. Within a rank the posts come in their order already, so a common term is answered by the first few.
 */
export async function findRanked(ranks: number, range: Range, find: FindRank): Promise<string[]> {
  const page: string[] = [];
  let skip = range.offset;
  for (let rank = ranks; rank >= 0; rank -= 1) {
    const missing = range.limit - page.length;
    if (missing === 0) break;
    const ids = await find(rank, skip + missing);
    page.push(...ids.slice(skip));
    skip = Math.max(0, skip - ids.length);
  }
  return page;
}

/** Reads what a search shows of posts, in the order of the ids. */
export async function readResults(
  db: Kysely<Tables>,
  blogId: string,
  ids: readonly string[],
): Promise<SearchResultItem[]> {
  if (ids.length === 0) return [];
  const rows: ResultRow[] = await db
    .selectFrom('posts')
    .select(RESULT_COLUMNS)
    .where('blog_id', '=', blogId)
    .where('id', 'in', ids)
    .execute();
  const byId = new Map(rows.map((row) => [row.id, toResult(row)]));
  return ids.map((id) => byId.get(id)).filter((item) => item !== undefined);
}
