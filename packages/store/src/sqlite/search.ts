import { type Kysely, sql } from 'kysely';
import { chunks } from '../chunks.ts';
import { SPAN } from '../search/number-span.ts';
import type { PostSearch } from '../search/post-search.ts';
import { type SearchDialect, searchByWords } from '../search/term-search.ts';
import type { Tables } from '../tables.ts';
import { createSearchIndex, forgetBlog, tokenOf, withoutNul } from './search-index.ts';

/** A string of FTS5, in which nothing but the quote has a meaning. */
const quote = (text: string): string => `"${withoutNul(text).replaceAll('"', '""')}"`;

/** Words in most posts: nearly every step is one through their lists. */
const LEADING = 4;
/** Lists that FTS5 reads side by side: with every step it looks at all of them. */
const ABREAST = 16;
/** A token that no word has: numbers start far above it. */
const NOBODY = '0';

/** The expression of rows with any of the words, those in most posts first: these stand apart from the many others. */
function anyOf(numbers: readonly number[]): string {
  const leading = numbers.slice(0, LEADING).map(tokenOf);
  // In the order of the index, whose pages are then read one after the other.
  let others = numbers
    .slice(LEADING)
    .sort((a, b) => a - b)
    .map(tokenOf);
  while (others.length > ABREAST) others = [...chunks(others, ABREAST)].map(apart);
  return [...leading, ...(others.length > 0 ? [apart(others)] : [])].join(' OR ');
}

/** FTS5 makes one of nested ORs, unless something stands between. */
const apart = (parts: readonly string[]): string => `((${parts.join(' OR ')}) NOT "${NOBODY}")`;

const dialect: SearchDialect = {
  contains: (text, part) => sql<boolean>`instr(${text}, ${part}) > 0`,
  wordsContaining(blogId, { text, whole }) {
    const words = sql`select words.number, words.posts from words`;
    if (whole) return sql`${words} where blog_id = ${blogId} and word = ${text}`;
    if ([...text].length < 3) return sql`${words} where blog_id = ${blogId} and instr(word, ${text}) > 0`;
    const first = sql`(select number * ${sql.lit(SPAN)} from blogs where blog_id = ${blogId})`;
    return sql`select words.number, words.posts from word_search
      cross join words on words.blog_id = ${blogId} and words.number = word_search.rowid
      where word_search match ${quote(text)} and word_search.rowid between ${first} and ${first} + ${sql.lit(SPAN - 1)}`;
  },
  // FTS5 hands its rows out in descending order, which is the order of posts, and stops when there are enough.
  lists(_blogId, groups, titles) {
    const all = groups.map((numbers) => `(${anyOf(numbers)})`).join(' AND ');
    return {
      // The index leads: a cross join keeps SQLite from starting with the posts.
      from: sql`post_search cross join posts on posts.search_row = post_search.rowid`,
      where: sql<boolean>`post_search match ${titles ? `{title} : (${all})` : all}`,
      order: sql`post_search.rowid desc`,
    };
  },
  // SQLite unites 500, but five where it is inside of a Durable Object.
  abreast: 5,
  costs: { word: 5, posting: 0.1, candidate: 2, walked: 0.8, streams: true },
};

/** Search on SQLite, with FTS5 for the words of posts and for the trigrams of words. */
export function createSqliteSearch(db: Kysely<Tables>): PostSearch {
  return {
    find: (blogId, terms, range) => searchByWords(db, dialect, blogId, terms, range),
    write: createSearchIndex(db),
    forget: forgetBlog,
  };
}
