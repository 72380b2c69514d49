import { type Kysely, sql } from 'kysely';
import { chunks } from '../chunks.ts';
import type { Tables } from '../tables.ts';
import { spanOf } from './number-span.ts';

/** A word that every post has: its count is the number of published posts, its number the next that is free. */
export const EVERY_POST = '';

/** The words of a blog during one write. */
export interface VocabularyWrite {
  /** The small number of the blog. */
  readonly blogNumber: number;
  /** Gives words their numbers; those the blog did not have get new ones. */
  learn(words: Iterable<string>): Promise<void>;
  /** The number of a word that was learned. @throws Error of one that was not */
  numberOf(word: string): number;
  /** Counts a published post that has these words, or takes it back. */
  count(words: Iterable<string>, change: 1 | -1): void;
  /** Writes what was learned and counted; gives the words that are new and those no post has any longer. */
  flush(): Promise<{ readonly added: readonly NumberedWord[]; readonly removed: readonly NumberedWord[] }>;
}

/** A word and its number. */
export interface NumberedWord {
  readonly number: number;
  readonly word: string;
}

interface Entry {
  readonly number: number;
  isNew: boolean;
  change: number;
}

const ROWS = 1000;

/** Opens the words of a blog, inside the transaction that holds its row. */
export async function openVocabulary(db: Kysely<Tables>, blogId: string): Promise<VocabularyWrite> {
  const blog = await db
    .selectFrom('blogs')
    .leftJoin('words', (join) => join.onRef('words.blog_id', '=', 'blogs.blog_id').on('word', '=', EVERY_POST))
    .select(['blogs.number', 'words.number as next'])
    .where('blogs.blog_id', '=', blogId)
    .executeTakeFirstOrThrow();
  let next = blog.next ?? spanOf(blog.number).first + 1;
  const entries = new Map<string, Entry>([[EVERY_POST, { number: next, isNew: false, change: 0 }]]);

  async function read(words: readonly string[]): Promise<void> {
    const known = await db
      .selectFrom('words')
      .select(['word', 'number'])
      .where('blog_id', '=', blogId)
      .where('word', 'in', words)
      .execute();
    for (const { word, number } of known) entries.set(word, { number, isNew: false, change: 0 });
    for (const word of words) {
      if (entries.has(word)) continue;
      entries.set(word, { number: next, isNew: true, change: 0 });
      next += 1;
    }
  }
  const entryOf = (word: string): Entry => {
    const entry = entries.get(word);
    if (!entry) throw new Error(`The word ${JSON.stringify(word)} was not learned before it was used.`);
    return entry;
  };

  return {
    blogNumber: blog.number,
    async learn(words) {
      const unknown = [...new Set(words)].filter((word) => !entries.has(word));
      for (const some of chunks(unknown, ROWS)) await read(some);
    },
    numberOf: (word) => entryOf(word).number,
    count(words, change) {
      for (const word of words) entryOf(word).change += change;
    },
    async flush() {
      const changed = [...entries].filter(([word, { isNew, change }]) => isNew || change !== 0 || word === EVERY_POST);
      for (const some of chunks(changed, ROWS)) {
        await db
          .insertInto('words')
          .values(
            some.map(([word, { number, change }]) => ({
              blog_id: blogId,
              word,
              number: word === EVERY_POST ? next : number,
              posts: change,
            })),
          )
          .onConflict((conflict) =>
            conflict
              .columns(['blog_id', 'word'])
              .doUpdateSet({ number: sql`excluded.number`, posts: sql`words.posts + excluded.posts` }),
          )
          .execute();
      }
      const fewer = changed.filter(([word, { change }]) => change < 0 && word !== EVERY_POST).map(([word]) => word);
      const removed: NumberedWord[] = [];
      for (const some of chunks(fewer, ROWS)) {
        const rows = await db
          .deleteFrom('words')
          .where('blog_id', '=', blogId)
          .where('word', 'in', some)
          .where('posts', '<=', 0)
          .returning(['number', 'word'])
          .execute();
        removed.push(...rows);
      }
      const added = changed.filter(([, { isNew }]) => isNew).map(([word, { number }]) => ({ word, number }));
      for (const [, entry] of changed) {
        entry.isNew = false;
        entry.change = 0;
      }
      return { added, removed };
    },
  };
}
