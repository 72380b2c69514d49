import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { PostSearch } from './post-search.ts';
import { findRanked, readResults } from './ranked-search.ts';
import type { Tables } from './tables.ts';
import { type Contains, isShort, walkRank } from './walking-search.ts';

/** A literal pattern for terms an index of trigrams can find; a shorter one is looked for character by character. */
const contains: Contains = (text, part) =>
  isShort(part)
    ? sql<boolean>`strpos(${text}, ${part}) > 0`
    : sql<boolean>`${text} like ${`%${part.replace(/[\\%_]/g, '\\$&')}%`}`;

/**
 * Search on PostgreSQL. Its planner weighs the two ways of each rank by its statistics of the text: a common term is
 * met soon on a walk through the posts in order, a rare one has few rows in the index of trigrams.
 */
export function createPostgresSearch(db: Kysely<Tables>): PostSearch {
  return {
    async find(blogId, terms, range) {
      const ids = await findRanked(terms.length, range, walkRank(db, contains, blogId, terms));
      return readResults(db, blogId, ids);
    },
    // PostgreSQL keeps its indexes itself.
    async index() {},
    async finish() {},
  };
}

/**
 * Makes the indexes of trigrams, for which the extension `pg_trgm` is needed. Without the right to create it search
 * finds the same, only slower: the operator is told once, and a later start takes the extension up.
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
      'The extension pg_trgm is not available and this user may not create it: search will be slow on large blogs. ' +
        'Run CREATE EXTENSION pg_trgm in the database as a superuser and start again.',
    );
    return;
  }
  const operators: RawBuilder<unknown> = sql.id(schema, 'gin_trgm_ops');
  for (const column of ['fold_title', 'fold_subtitle'] as const) {
    await sql`create index if not exists ${sql.id(`posts_${column}`)} on posts using gin (${sql.id(column)} ${operators})
      where status = 'PUBLISHED'`.execute(db);
  }
}
