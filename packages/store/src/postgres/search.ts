import { type Kysely, sql } from 'kysely';
import { readEntries } from '../search/entry-words.ts';
import type { PostSearch } from '../search/post-search.ts';
import { type SearchDialect, searchByWords } from '../search/term-search.ts';
import type { Contains } from '../search/text-matches.ts';
import { openVocabulary } from '../search/vocabulary-write.ts';
import type { Tables } from '../tables.ts';
import { waysThrough } from './ways-through.ts';

/** What only PostgreSQL has for search. */
export const SEARCH_SCHEMA = {
  // Finer statistics of these texts let the planner estimate how far it has to walk.
  first: [
    'alter table posts alter column fold_title set statistics 1000',
    'alter table posts alter column fold_subtitle set statistics 1000',
  ],
  words: [
    'drop index if exists posts_fold_title, posts_fold_subtitle',
    'alter table posts add column words bigint[]',
    `create index posts_by_word on posts using gin (words) where status = 'PUBLISHED'`,
  ],
} as const;

/** A literal pattern for terms an index of trigrams can find; a shorter one is looked for character by character. */
const contains: Contains = (text, part) =>
  [...part].length < 3
    ? sql<boolean>`strpos(${text}, ${part}) > 0`
    : sql<boolean>`${text} like ${`%${part.replace(/[\\%_]/g, '\\$&')}%`}`;

/** The word, written such that no planner takes the index of trigrams for one that finds whole words. */
const TRIGRAMS_OF = sql`(word || '')`;

const dialect: SearchDialect = {
  contains,
  wordsContaining: (blogId, { text, whole }) =>
    sql`select number, posts from words
      where blog_id = ${blogId} and ${whole ? sql`word = ${text}` : contains(TRIGRAMS_OF, text)}`,
  lists(blogId, groups) {
    // In a subquery the planner cannot see into, or it might expect so many posts that it reads all without the index.
    const has = (numbers: readonly number[]) => sql`words && (select ${`{${numbers.join()}}`}::bigint[])`;
    const ways = waysThrough(groups).map((way) => sql`(${sql.join(way.map(has), sql` and `)})`);
    return {
      // So does this fence: without it posts might be walked through in order.
      from: sql`(select * from posts where blog_id = ${blogId} and status = 'PUBLISHED'
        and (${sql.join(ways, sql` or `)}) offset 0) as posts`,
      where: sql<boolean>`true`,
      order: sql`posts.sort_key desc`,
    };
  },
  abreast: 100,
  costs: { word: 4, posting: 0.06, candidate: 3, walked: 1, streams: false },
};

/** Search on PostgreSQL, with an index of the words of posts and one of the trigrams of words. */
export function createPostgresSearch(db: Kysely<Tables>): PostSearch {
  return {
    find: (blogId, terms, range) => searchByWords(db, dialect, blogId, terms, range),
    // It has no tables of its own.
    forget: async () => {},
    async write(transaction, blogId) {
      const vocabulary = await openVocabulary(transaction, blogId);
      return {
        async columns(entries) {
          const words = await readEntries(vocabulary, entries);
          return words.map((of) => ({ words: of ? [...new Set([...of.title, ...of.subtitle])] : null }));
        },
        // PostgreSQL maintains its indexes itself.
        index: async () => {},
        async finish() {
          await vocabulary.flush();
        },
      };
    },
  };
}

/**
 * Makes the index of trigrams, for which the extension `pg_trgm` is needed. Without the right to create it search
 * reads all words of a blog instead: the operator is warned once, and a later start takes the extension up.
 */
export async function prepareTrigrams(db: Kysely<Tables>): Promise<void> {
  await sql`do $$ begin
    create extension if not exists pg_trgm;
  exception when others then null;
  end $$`.execute(db);
  const { rows } = await sql<{ schema: string }>`
    select nspname as schema from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
    where extname = 'pg_trgm'`.execute(db);
  const schema = rows[0]?.schema;
  if (schema === undefined) {
    process.emitWarning(
      'The extension pg_trgm is not available and this user may not create it: search will be slower on large blogs. ' +
        'Run CREATE EXTENSION pg_trgm in the database as a superuser and start again.',
    );
    return;
  }
  await sql`create index if not exists words_by_trigram on words
    using gin (${TRIGRAMS_OF} ${sql.id(schema, 'gin_trgm_ops')})`.execute(db);
}
