import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../tables.ts';
import type { Match, Matches } from './ranked-search.ts';

/** The condition that `text` contains `part`, whatever characters `part` is made of. */
export type Contains = (text: RawBuilder<unknown>, part: string) => RawBuilder<boolean>;

/** Where posts come from, in the order of posts. */
export interface Source {
  readonly from: RawBuilder<unknown>;
  readonly where: RawBuilder<boolean>;
  readonly order: RawBuilder<unknown>;
}

/** All published posts of a blog, walked in order. */
export const EVERY_PUBLISHED: Source = {
  from: sql`posts`,
  where: sql<boolean>`posts.status = 'PUBLISHED'`,
  order: sql`posts.sort_key desc`,
};

const title = sql<string>`posts.fold_title`;
const subtitle = sql<string>`posts.fold_subtitle`;

/**
 * Finds matches by reading the texts of posts as a source hands them out. A source may hand out too many; `titles`
 * is one that leaves out posts without every term in the title, if there is such a source.
 */
export function readTexts(
  db: Kysely<Tables>,
  contains: Contains,
  blogId: string,
  terms: readonly string[],
  source: Source,
  titles: Source = source,
): Matches {
  const inTitle = terms.map((term) => sql`(case when ${contains(title, term)} then 1 else 0 end)`);
  const rankOf = sql<number>`${sql.join([sql.lit(0), ...inTitle], sql` + `)}`;
  const anywhere = terms.map((term) => sql<boolean>`(${contains(title, term)} or ${contains(subtitle, term)})`);
  function ofRank(rank: number): RawBuilder<boolean>[] {
    // The highest and the lowest rank in conditions whose share of posts a planner can estimate.
    if (rank === terms.length) return terms.map((term) => contains(title, term));
    if (rank > 0) return [...anywhere, sql<boolean>`${rankOf} = ${rank}`];
    return terms.flatMap((term) => [contains(subtitle, term), sql<boolean>`not ${contains(title, term)}`]);
  }
  async function select(
    rows: RawBuilder<unknown>,
    { from, where, order }: Source,
    conditions: RawBuilder<boolean>[],
    limit: number,
  ) {
    const all = sql.join([sql`posts.blog_id = ${blogId}`, where, ...conditions], sql` and `);
    const query = sql<Match>`select ${rows} from ${from} where ${all} order by ${order} limit ${limit}`;
    return (await query.execute(db)).rows;
  }
  return {
    first: (limit) => select(sql`posts.id, ${rankOf} as rank`, source, anywhere, limit),
    async ofRank(rank, limit) {
      const rows = await select(sql`posts.id`, rank === terms.length ? titles : source, ofRank(rank), limit);
      return rows.map(({ id }) => id);
    },
  };
}
