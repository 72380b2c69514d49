import { type Kysely, sql } from 'kysely';
import type { PostSearch } from './post-search.ts';
import { type FindRank, findRanked, readResults } from './ranked-search.ts';
import { createSearchIndex, rowsOf } from './sqlite-search-index.ts';
import type { Tables } from './tables.ts';
import { type Contains, isShort, walkRank } from './walking-search.ts';

/** Ranks of more terms are told apart by reading the texts: each term doubles the ways to spread over two columns. */
const SPREAD_TERMS = 4;

const contains: Contains = (text, part) => sql<boolean>`instr(${text}, ${part}) > 0`;
/** FTS5 ends a query at a NUL, and its trigrams need three characters. */
const isIndexed = (term: string): boolean => !isShort(term) && !term.includes('\0');
/** A string of FTS5, in which nothing but the quote has a meaning. */
const quote = (term: string): string => `"${term.replaceAll('"', '""')}"`;

/**
 * Search on SQLite: FTS5 hands out rows of the index in descending order, which is the order of posts, and stops
 * when there are enough.
 */
export function createSqliteSearch(db: Kysely<Tables>): PostSearch {
  return {
    ...createSearchIndex(db),
    async find(blogId, terms, range) {
      const blog = await db.selectFrom('blogs').select('number').where('blog_id', '=', blogId).executeTakeFirst();
      if (!blog) return [];
      return readResults(db, blogId, await findRanked(terms.length, range, finderOf(db, blogId, blog.number, terms)));
    },
  };
}

function finderOf(db: Kysely<Tables>, blogId: string, blogNumber: number, terms: readonly string[]): FindRank {
  const indexed = terms.filter(isIndexed);
  if (indexed.length === 0) return walkRank(db, contains, blogId, terms);
  const { first, last } = rowsOf(blogNumber);
  const matching = (expression: string) => ({
    // The index leads: a cross join keeps SQLite from starting with the posts.
    from: sql`post_search cross join posts on posts.search_row = post_search.rowid`,
    where: sql<boolean>`post_search match ${expression} and post_search.rowid between ${first} and ${last}`,
    order: sql`post_search.rowid desc`,
  });
  if (indexed.length < terms.length || terms.length > SPREAD_TERMS) {
    return walkRank(db, contains, blogId, terms, matching(indexed.map(quote).join(' AND ')));
  }
  return (rank, limit) => walkRank(db, contains, blogId, [], matching(spread(indexed, rank)))(0, limit);
}

/** The FTS5 expression of every way in which exactly `inTitle` of the terms are in the title, the others below it. */
function spread(terms: readonly string[], inTitle: number): string {
  const ways: string[] = [];
  for (let way = 0; way < 2 ** terms.length; way += 1) {
    const isTitle = terms.map((_, index) => Math.floor(way / 2 ** index) % 2 === 1);
    if (isTitle.filter(Boolean).length !== inTitle) continue;
    const parts = terms.map((term, index) =>
      isTitle[index] ? `{title} : ${quote(term)}` : `({subtitle} : ${quote(term)} NOT {title} : ${quote(term)})`,
    );
    ways.push(`(${parts.join(' AND ')})`);
  }
  return ways.join(' OR ');
}
