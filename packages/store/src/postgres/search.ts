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
 * Creates the index of trigrams, which needs the extension `pg_trgm`. If the user may not create or use the extension,
 * search reads all texts of a blog instead: the operator is warned at startup, and a later start uses the extension.
 */
export async function prepareTrigrams(db: Db): Promise<void> {
  // `create index`, even with `if not exists`, would wait for every running import.
  const index = await db`select from pg_class
    where relname = 'post_texts_by_trigram' and relnamespace = current_schema()::regnamespace`;
  if (index.length > 0) return;
  const refusal = await optionally(db, async () => {
    await db`create extension if not exists pg_trgm`;
  });
  const unusable = await optionally(db, async () => {
    const rows = await db<{ schema: string }>`
      select quote_ident(nspname) as schema from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
      where extname = 'pg_trgm'`;
    const schema = rows[0]?.schema;
    if (schema === undefined) throw refusal ?? new Error('the extension is not installed');
    await db`create index post_texts_by_trigram on post_texts
      using gin (text ${names(`${schema}.gin_trgm_ops`)})`;
  });
  if (unusable === undefined) return;
  process.emitWarning(
    `The extension pg_trgm cannot be used (${unusable.message}): search will be slower on large blogs. ` +
      'Run CREATE EXTENSION pg_trgm in the database as a superuser, grant this user USAGE on its schema, and start again.',
  );
}

/** Runs work that a transaction can do without. Returns the reason if it failed; then nothing of it remains. */
async function optionally(db: Db, work: () => Promise<void>): Promise<Error | undefined> {
  await db`savepoint optional`;
  try {
    await work();
    await db`release savepoint optional`;
    return undefined;
  } catch (error) {
    await db`rollback to savepoint optional`;
    return error instanceof Error ? error : new Error(String(error));
  }
}
