import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { FindRank } from './ranked-search.ts';
import type { Tables } from './tables.ts';

/** The condition that `text` contains `part`, whatever characters `part` is made of. */
export type Contains = (text: RawBuilder<string>, part: string) => RawBuilder<boolean>;

/** Where posts come from, in the order of posts. */
export interface Source {
  readonly from: RawBuilder<unknown>;
  readonly where: RawBuilder<boolean>;
  readonly order: RawBuilder<unknown>;
}

/** Whether a term is too short for an index of trigrams. */
export const isShort = (term: string): boolean => [...term].length < 3;

const title = sql<string>`posts.fold_title`;
const subtitle = sql<string>`posts.fold_subtitle`;

/** All published posts of a blog. */
const everyPost: Source = {
  from: sql`posts`,
  where: sql<boolean>`posts.status = 'PUBLISHED'`,
  order: sql`posts.sort_key desc`,
};

/**
 * Looks for terms by walking posts in order and stopping as soon as enough are found. It needs no index of text, so
 * it takes the terms that are too short for one; short terms are common, hence found soon.
 */
export function walkRank(
  db: Kysely<Tables>,
  contains: Contains,
  blogId: string,
  terms: readonly string[],
  source: Source = everyPost,
): FindRank {
  return async (rank, limit) => {
    const conditions = [sql<boolean>`posts.blog_id = ${blogId}`, source.where, ...ofRank(contains, terms, rank)];
    const { rows } = await sql<{ id: string }>`
      select posts.id from ${source.from} where ${sql.join(conditions, sql` and `)}
      order by ${source.order} limit ${limit}`.execute(db);
    return rows.map(({ id }) => id);
  };
}

/** The first and the last rank, nearly all there is, in conditions whose share of posts a planner can estimate. */
function ofRank(contains: Contains, terms: readonly string[], rank: number): RawBuilder<boolean>[] {
  if (rank === terms.length) return terms.map((term) => contains(title, term));
  const here = (term: string) => sql<boolean>`(${contains(title, term)} or ${contains(subtitle, term)})`;
  if (rank === 0)
    return terms.flatMap((term) => [contains(subtitle, term), sql<boolean>`not ${contains(title, term)}`]);
  const inTitle = terms.map((term) => sql<number>`(case when ${contains(title, term)} then 1 else 0 end)`);
  return [...terms.map(here), sql<boolean>`${sql.join(inTitle, sql` + `)} = ${rank}`];
}
