import sql from 'sql-template-tag';
import { allOf, conditionsOf, type PostSearch, readResults, removeChanged } from '../search/post-texts.ts';
import { type Db, insert, names } from '../sql.ts';
import type { Tables } from '../tables.ts';

/** The schema without the index of trigrams: see {@link prepareTrigrams}. */
export const SEARCH_SCHEMA = [
  `create table post_texts (blog_id text collate "C" not null, post_id text collate "C" not null,
    sort_key text collate "C" not null, text text collate "C" not null, primary key (blog_id, post_id))`,
  'create index post_texts_in_order on post_texts (blog_id, sort_key)',
  // The planner chooses between the two indexes by the number of texts that it expects to match.
  'alter table post_texts alter column text set statistics 1000',
];

type Found = Pick<Tables['post_texts'], 'post_id'>;

/** Search on PostgreSQL with an index of trigrams, which its planner uses where it helps. */
export function createPostgresSearch(db: Db): PostSearch {
  return {
    async find(blogId, terms, { offset, limit }) {
      const { contains, inTitle, rank } = conditionsOf('strpos', terms);
      const patterns = terms.filter((term) => [...term].length >= 3).map(containsPattern);
      const matching = sql`select post_id, ${rank} as rank from post_texts
        where blog_id = ${blogId} and ${allOf([...patterns, contains])}`;
      const range = sql`limit ${limit} offset ${offset}`;
      // Posts with all terms in the title come first, so most searches end here.
      const best = await db<Found>`${matching} and ${inTitle} order by sort_key desc ${range}`;
      if (best.length === limit) return readResults(db, blogId, best);
      return readResults(db, blogId, await db<Found>`${matching} order by rank desc, sort_key desc ${range}`);
    },
    async write(transaction, blogId, posts) {
      const texts = await removeChanged(transaction, blogId, posts);
      if (texts.length > 0) await insert(transaction, 'post_texts', texts);
    },
  };
}

/** A condition that an index of trigrams can look up. */
const containsPattern = (term: string) => sql`post_texts.text like ${`%${term.replace(/[\\%_]/g, '\\$&')}%`}`;

/**
 * Creates the index of trigrams, which needs the extension `pg_trgm`. If the user may not create the extension, search
 * reads all texts of a blog instead: the operator is warned at startup, and a later start uses the extension.
 */
export async function prepareTrigrams(db: Db): Promise<void> {
  // `create index`, even with `if not exists`, would wait for every running import.
  const index = await db`select from pg_class
    where relname = 'post_texts_by_trigram' and relnamespace = current_schema()::regnamespace`;
  if (index.length > 0) return;
  await db`do $$ begin
    create extension if not exists pg_trgm;
  exception when others then null;
  end $$`;
  const rows = await db<{ schema: string }>`
    select quote_ident(nspname) as schema from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
    where extname = 'pg_trgm'`;
  const schema = rows[0]?.schema;
  if (schema === undefined) {
    process.emitWarning(
      'The extension pg_trgm is not available, and this user is not allowed to create it: search will be slower on large blogs. ' +
        'Run CREATE EXTENSION pg_trgm in the database as a superuser and start again.',
    );
    return;
  }
  await db`create index post_texts_by_trigram on post_texts
    using gin (text ${names(`${schema}.gin_trgm_ops`)})`;
}
