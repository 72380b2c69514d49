import { type Kysely, type RawBuilder, sql } from 'kysely';
import { chunks } from '../chunks.ts';
import type { Tables } from '../tables.ts';
import type { TermPart } from './search-words.ts';
import { EVERY_POST } from './vocabulary-write.ts';

/** The words of a blog that contain a part of a term. */
export interface Group {
  /** Their numbers, those in most posts first; `undefined` when there are more than is worth asking for. */
  readonly words: readonly number[] | undefined;
  /** About how many posts have one of them. Those of too many words are not all counted, but the oldest words are. */
  readonly posts: number;
}

/** What a search needs to know of the words of a blog. */
export interface Found {
  /** How many posts are published. */
  readonly posts: number;
  /** One for each part, in their order. */
  readonly groups: readonly Group[];
}

/** A query of `number` and `posts` of the words that contain a part, not limited yet. */
export type WordsContaining = (blogId: string, part: TermPart) => RawBuilder<unknown>;

/** Words of one part that are read; to follow more takes longer than to walk. */
const MOST = 1000;

/**
 * Looks parts of terms up among the words of a blog.
 *
 * @param abreast selects that one statement of the database may unite
 */
export async function lookUp(
  db: Kysely<Tables>,
  { wordsContaining: containing, abreast }: { readonly wordsContaining: WordsContaining; readonly abreast: number },
  blogId: string,
  parts: readonly TermPart[],
): Promise<Found> {
  const queries = parts.map(
    (part, index) =>
      sql`select * from (select ${sql.lit(index)} as part, found.* from (${containing(blogId, part)}) as found
        limit ${sql.lit(MOST + 1)}) as part_${sql.raw(String(index))}`,
  );
  const all = sql`select -1 as part, number, posts from words where blog_id = ${blogId} and word = ${EVERY_POST}`;
  const rows: { part: number; number: number; posts: number }[] = [];
  for (const some of chunks([all, ...queries], abreast)) {
    const united = sql<(typeof rows)[number]>`${sql.join(some, sql` union all `)}`;
    rows.push(...(await united.execute(db)).rows);
  }
  const posts = rows.find(({ part }) => part === -1)?.posts ?? 0;
  const groups = parts.map((_, index): Group => {
    const words = rows.filter(({ part }) => part === index).sort((a, b) => b.posts - a.posts);
    const sum = words.reduce((before, word) => before + word.posts, 0);
    return {
      words: words.length > MOST ? undefined : words.map(({ number }) => number),
      posts: Math.min(posts, sum),
    };
  });
  return { posts, groups };
}
