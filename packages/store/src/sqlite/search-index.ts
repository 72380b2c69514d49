import { type Kysely, sql } from 'kysely';
import { type Arg, prepare } from '../prepared.ts';
import { type EntryWords, readEntries } from '../search/entry-words.ts';
import { spanOf } from '../search/number-span.ts';
import type { PostSearch, SearchEntry } from '../search/post-search.ts';
import { readPostTexts } from '../search/post-texts.ts';
import { EVERY_POST, openVocabulary } from '../search/vocabulary-write.ts';
import type { Tables } from '../tables.ts';

/** Rows left free between two posts that were written in order, for those that come between them later. */
const GAP = 2 ** 10;

/** What only SQLite has for search, and what it had in the first version. */
export const SEARCH_SCHEMA = {
  first: [
    `create virtual table post_search using fts5 (title, subtitle, content = '', contentless_delete = 1,
      tokenize = 'trigram case_sensitive 1')`,
    'create unique index posts_by_search_row on posts (search_row) where search_row is not null',
    `create index posts_without_search_row on posts (blog_id) where status = 'PUBLISHED' and search_row is null`,
  ],
  words: [
    'drop table post_search',
    'update posts set search_row = null',
    `create virtual table post_search using fts5 (title, subtitle, content = '', contentless_delete = 1,
      detail = column, tokenize = 'ascii')`,
    'create index words_by_number on words (blog_id, number, posts)',
    `create virtual table word_search using fts5 (word, content = '', tokenize = 'trigram case_sensitive 1')`,
  ],
} as const;

/** How the number of a word is spelled in the index. */
export const tokenOf = (number: number): string => number.toString(36);
const tokens = (numbers: readonly number[]): string => numbers.map(tokenOf).join(' ');

/** FTS5 reads text up to a NUL; what follows it must be found too. */
export const withoutNul = (text: string): string => text.replaceAll('\0', '\ufffd');

interface Free {
  /** The row below, and the row and the sort key above, if there is a post above. */
  low: number;
  readonly high: { readonly row: number; readonly key: string } | undefined;
}

/**
 * Keeps the index of search such that its rows ascend with the order of posts. A post between two others takes a row
 * between theirs; when none is free, all rows of the blog are dealt out again once the write has its posts.
 */
export function createSearchIndex(db: Kysely<Tables>): PostSearch['write'] {
  const remove = prepare<{ row: number }, never>((arg) => ({
    compile: () => sql<never>`delete from post_search where rowid = ${arg('row')}`.compile(db),
  }));
  const add = prepare<{ row: number; title: string; subtitle: string }, never>((arg) => ({
    compile: () =>
      sql<never>`insert into post_search (rowid, title, subtitle)
        values (${arg('row')}, ${arg('title')}, ${arg('subtitle')})`.compile(db),
  }));
  const addWord = prepare<{ number: number; word: string }, never>((arg) => ({
    compile: () =>
      sql<never>`insert into word_search (rowid, word) values (${arg('number')}, ${arg('word')})`.compile(db),
  }));
  const removeWord = prepareWordRemoval(db);
  const assign = prepare<{ blogId: string; id: string; row: number | null }, unknown>((arg) =>
    db
      .updateTable('posts')
      .set({ search_row: arg('row') })
      .where('blog_id', '=', arg('blogId'))
      .where('id', '=', arg('id')),
  );
  const neighbour = (comparison: '<' | '>', direction: 'desc' | 'asc') =>
    prepare<{ blogId: string; key: string }, { row: number; key: string }>(
      (arg: Arg<{ blogId: string; key: string }>) =>
        db
          .selectFrom('posts')
          .select(['search_row as row', 'sort_key as key'])
          .$narrowType<{ row: number }>()
          .where('blog_id', '=', arg('blogId'))
          .where('status', '=', sql.lit('PUBLISHED' as const))
          .where('search_row', 'is not', null)
          .where('sort_key', comparison, arg('key'))
          .orderBy('sort_key', direction)
          .limit(1),
    );
  const below = neighbour('<', 'desc');
  const above = neighbour('>', 'asc');

  return async (transaction, blogId) => {
    const vocabulary = await openVocabulary(transaction, blogId);
    const { first, last } = spanOf(vocabulary.blogNumber);

    async function freeAround(key: string): Promise<Free> {
      const [[low], [high]] = [await below(transaction, { blogId, key }), await above(transaction, { blogId, key })];
      return { low: low?.row ?? first, high };
    }
    async function place(id: string, row: number, words: EntryWords): Promise<void> {
      await add(transaction, { row, title: tokens(words.title), subtitle: tokens(words.subtitle) });
      await assign(transaction, { blogId, id, row });
    }
    async function dealAgain(): Promise<void> {
      const count = await sql<{ posts: number }>`select count(*) as posts from posts
        where blog_id = ${blogId} and status = 'PUBLISHED'`.execute(transaction);
      const gap = Math.min(GAP, Math.floor((last - first) / ((count.rows[0]?.posts ?? 0) + 1)));
      await sql`delete from post_search where rowid between ${first} and ${last}`.execute(transaction);
      await sql`update posts set search_row = null where blog_id = ${blogId}`.execute(transaction);
      let row = first;
      for await (const posts of readPostTexts(transaction, blogId)) {
        for (const [index, words] of (await readEntries(vocabulary, posts, 'counted')).entries()) {
          row += gap;
          if (words) await place(posts[index]?.id ?? '', row, words);
        }
      }
    }

    return {
      columns: async (entries) => entries.map(() => ({})),
      async index(entries) {
        const changed = entries.filter((entry) => !isSame(entry));
        for (const { id, before } of changed) {
          if (!before || before.search_row === null) continue;
          await remove(transaction, { row: before.search_row });
          await assign(transaction, { blogId, id, row: null });
        }
        let free: Free | undefined;
        for (const [index, words] of (await readEntries(vocabulary, changed)).entries()) {
          const entry = changed[index];
          if (!entry || !words) continue;
          if (!free || (free.high && entry.sort_key >= free.high.key)) free = await freeAround(entry.sort_key);
          const row: number = free.high ? free.low + Math.floor((free.high.row - free.low) / 2) : free.low + GAP;
          if (row === free.low || row > last) continue;
          await place(entry.id, row, words);
          free.low = row;
        }
      },
      async finish() {
        const { rows } = await sql<{ id: string }>`select id from posts
          where blog_id = ${blogId} and status = 'PUBLISHED' and search_row is null limit 1`.execute(transaction);
        if (rows.length > 0) await dealAgain();
        const { added, removed } = await vocabulary.flush();
        for (const { number, word } of removed) await removeWord(transaction, { number, word: withoutNul(word) });
        for (const { number, word } of added) await addWord(transaction, { number, word: withoutNul(word) });
      },
    };
  };
}

/** An index without content has to be given what it held. */
const prepareWordRemoval = (db: Kysely<Tables>) =>
  prepare<{ number: number; word: string }, never>((arg) => ({
    compile: () =>
      sql<never>`insert into word_search (word_search, rowid, word)
        values ('delete', ${arg('number')}, ${arg('word')})`.compile(db),
  }));

/** Removes a blog from both indexes, in a transaction. */
export async function forgetBlog(db: Kysely<Tables>, blogId: string): Promise<void> {
  const { number } = await db
    .selectFrom('blogs')
    .select('number')
    .where('blog_id', '=', blogId)
    .executeTakeFirstOrThrow();
  const { first, last } = spanOf(number);
  await sql`delete from post_search where rowid between ${first} and ${last}`.execute(db);
  const removeWord = prepareWordRemoval(db);
  for (let after = -1; ; ) {
    const words = await db
      .selectFrom('words')
      .select(['number', 'word'])
      .where('blog_id', '=', blogId)
      .where('word', '<>', EVERY_POST)
      .where('number', '>', after)
      .orderBy('number')
      .limit(WORDS)
      .execute();
    for (const { number, word } of words) await removeWord(db, { number, word: withoutNul(word) });
    const last = words.at(-1);
    if (!last) return;
    after = last.number;
  }
}

/** Words read at a time. */
const WORDS = 1000;

/** Whether a post that is written again looks the same to search. */
const isSame = ({ before, ...now }: SearchEntry): boolean =>
  before?.published === now.published &&
  before.sort_key === now.sort_key &&
  before.fold_title === now.fold_title &&
  before.fold_subtitle === now.fold_subtitle;
