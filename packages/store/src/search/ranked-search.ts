import type { SearchResultItem } from '@broadsheet/contract';
import type { Range } from '@broadsheet/core';
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';
import { RESULT_COLUMNS, type ResultRow, toResult } from './result-rows.ts';

/** A post that contains every term, and how many of them are in its title. */
export interface Match {
  readonly id: string;
  readonly rank: number;
}

/** Ways to the matches of one search. */
export interface Matches {
  /** The first ones in the order of posts, of any rank. */
  first(limit: number): Promise<Match[]>;
  /** Those of one rank, in the order of posts. */
  ofRank(rank: number, limit: number): Promise<string[]>;
}

/** The share of a term's matches that have it in the title, by experience. */
const IN_TITLE = 0.4;

/** How many matches are looked at together: enough that most searches need no second query. */
export const together = ({ offset, limit }: Range): number => Math.min(Math.max((offset + limit) * 8, 64), 2048);

/**
 * Reads a page across ranks: those with all terms in the title first. When few matches are expected, all of them are
 * read and ranked here; when there are many, ranks are read one by one, and the first is nearly always enough.
 */
export async function readRanked(ranks: number, range: Range, matches: Matches, expected: number): Promise<string[]> {
  const end = range.offset + range.limit;
  const most = together(range);
  if (expected * IN_TITLE ** ranks < end) {
    const first = await matches.first(most);
    const best = first.filter(({ rank }) => rank === ranks);
    if (best.length >= end) return best.slice(range.offset, end).map(({ id }) => id);
    if (first.length < most) {
      const sorted = first.toSorted((a, b) => b.rank - a.rank);
      return sorted.slice(range.offset, end).map(({ id }) => id);
    }
  }
  const page: string[] = [];
  let skip = range.offset;
  for (let rank = ranks; rank >= 0 && page.length < range.limit; rank -= 1) {
    const ids = await matches.ofRank(rank, skip + range.limit - page.length);
    page.push(...ids.slice(skip));
    skip = Math.max(0, skip - ids.length);
  }
  return page;
}

/** Reads the results of a search, in the order of the ids. */
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
