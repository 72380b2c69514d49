import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { FindRank } from './ranked-search.ts';
import type { Tables } from './tables.ts';

/** The expression that is positive when `text` contains `part`, whatever characters `part` is made of. */
export type Contains = (text: RawBuilder<string>, part: string) => RawBuilder<boolean>;

/** Whether a term is too short for an index of trigrams. */
export const isShort = (term: string): boolean => [...term].length < 3;

/**
 * Looks for terms by walking posts in order and stopping as soon as enough are found. It needs no index of text, so
 * it takes the terms that are too short for one; short terms are common, hence found soon.
 */
export function walkRank(
  db: Kysely<Tables>,
  contains: Contains,
  blogId: string,
  terms: readonly string[],
  narrow: RawBuilder<boolean> = sql<boolean>`1 = 1`,
): FindRank {
  const title = sql<string>`posts.fold_title`;
  const subtitle = sql<string>`posts.fold_subtitle`;
  const every = [
    narrow,
    ...terms.map((term) => sql<boolean>`(${contains(title, term)} or ${contains(subtitle, term)})`),
  ];
  const inTitle = [
    sql<number>`0`,
    ...terms.map((term) => sql<number>`(case when ${contains(title, term)} then 1 else 0 end)`),
  ];
  return async (rank, limit) => {
    const { rows } = await sql<{ id: string }>`
      select posts.id from posts
      where posts.blog_id = ${blogId} and posts.status = 'PUBLISHED' and ${sql.join(every, sql` and `)} and (${sql.join(inTitle, sql` + `)}) = ${rank}
      order by posts.sort_key desc limit ${limit}`.execute(db);
    return rows.map(({ id }) => id);
  };
}
