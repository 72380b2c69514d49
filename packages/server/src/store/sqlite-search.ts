import { type Kysely, sql } from 'kysely';
import type { PostSearch } from './post-search.ts';
import { findRanked, readResults } from './ranked-search.ts';
import type { Tables } from './tables.ts';
import { type Contains, walkRank } from './walking-search.ts';

const contains: Contains = (text, part) => sql<boolean>`instr(${text}, ${part}) > 0`;

/** Search on SQLite. */
export function createSqliteSearch(db: Kysely<Tables>): PostSearch {
  return {
    async find(blogId, terms, range) {
      const ids = await findRanked(terms.length, range, walkRank(db, contains, blogId, terms));
      return readResults(db, blogId, ids);
    },
    async index() {},
  };
}
