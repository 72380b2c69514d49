import { type Kysely, sql } from 'kysely';
import type { PostSearch, SearchEntry } from './post-search.ts';
import { type Arg, prepare } from './prepared.ts';
import type { Tables } from './tables.ts';

/** Rows one blog may take: with numbers below 2^53 that leaves room for half a million blogs. */
const SPAN = 2 ** 34;
/** Rows left free between two posts that were written in order, for those that come between them later. */
const GAP = 2 ** 10;

/** The tables only SQLite has. */
export const SEARCH_SCHEMA = [
  `create virtual table post_search using fts5 (title, subtitle, content = '', contentless_delete = 1,
    tokenize = 'trigram case_sensitive 1')`,
  'create unique index posts_by_search_row on posts (search_row) where search_row is not null',
  `create index posts_without_search_row on posts (blog_id) where status = 'PUBLISHED' and search_row is null`,
];

/** The rows of the index that belong to a blog. */
export const rowsOf = (blogNumber: number): { first: number; last: number } => ({
  first: blogNumber * SPAN,
  last: blogNumber * SPAN + SPAN - 1,
});

interface Free {
  /** The row below, and the row and the sort key above, if there is a post above. */
  low: number;
  readonly high: { readonly row: number; readonly key: string } | undefined;
}

/**
 * Keeps the index of search such that its rows ascend with the order of posts. A post between two others takes a row
 * between theirs; when none is free, all rows of the blog are dealt out again once the write has its posts.
 */
export function createSearchIndex(db: Kysely<Tables>): Pick<PostSearch, 'index' | 'finish'> {
  const remove = prepare<{ row: number }, never>((arg) => ({
    compile: () => sql<never>`delete from post_search where rowid = ${arg('row')}`.compile(db),
  }));
  const add = prepare<{ row: number; title: string; subtitle: string }, never>((arg) => ({
    compile: () =>
      sql<never>`insert into post_search (rowid, title, subtitle)
        values (${arg('row')}, ${arg('title')}, ${arg('subtitle')})`.compile(db),
  }));
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

  async function numberOf(transaction: Kysely<Tables>, blogId: string): Promise<number> {
    const query = transaction.selectFrom('blogs').select('number').where('blog_id', '=', blogId);
    return (await query.executeTakeFirstOrThrow()).number;
  }
  async function freeAround(transaction: Kysely<Tables>, blogId: string, key: string, first: number): Promise<Free> {
    const [[low], [high]] = [await below(transaction, { blogId, key }), await above(transaction, { blogId, key })];
    return { low: low?.row ?? first, high };
  }

  return {
    async index(transaction, blogId, entries) {
      const { first, last } = rowsOf(await numberOf(transaction, blogId));
      for (const { id, search_row: row } of entries) {
        if (row === null) continue;
        await remove(transaction, { row });
        await assign(transaction, { blogId, id, row: null });
      }
      let free: Free | undefined;
      for (const entry of entries.filter(({ published }) => published)) {
        if (!free || (free.high && entry.sort_key >= free.high.key)) {
          free = await freeAround(transaction, blogId, entry.sort_key, first);
        }
        const row: number = free.high ? free.low + Math.floor((free.high.row - free.low) / 2) : free.low + GAP;
        if (row === free.low || row > last) continue;
        await add(transaction, { row, ...indexedText(entry) });
        await assign(transaction, { blogId, id: entry.id, row });
        free.low = row;
      }
    },
    async finish(transaction, blogId) {
      const { rows } = await sql<{ id: string }>`select id from posts
        where blog_id = ${blogId} and status = 'PUBLISHED' and search_row is null limit 1`.execute(transaction);
      if (rows.length > 0) await dealAgain(transaction, blogId, rowsOf(await numberOf(transaction, blogId)));
    },
  };
}

/** FTS5 reads text up to a NUL; what follows it must be found too. */
const indexedText = ({ fold_title, fold_subtitle }: SearchEntry) => ({
  title: fold_title.replaceAll('\0', '\ufffd'),
  subtitle: fold_subtitle.replaceAll('\0', '\ufffd'),
});

async function dealAgain(
  db: Kysely<Tables>,
  blogId: string,
  { first, last }: { first: number; last: number },
): Promise<void> {
  const count = await sql<{ posts: number }>`select count(*) as posts from posts
    where blog_id = ${blogId} and status = 'PUBLISHED'`.execute(db);
  const gap = Math.min(GAP, Math.floor((last - first) / ((count.rows[0]?.posts ?? 0) + 1)));
  await sql`delete from post_search where rowid between ${first} and ${last}`.execute(db);
  await sql`update posts set search_row = null where blog_id = ${blogId}`.execute(db);
  await sql`update posts set search_row = ${first} + ${gap} * dealt.place
    from (select id, row_number() over (order by sort_key) as place from posts
      where blog_id = ${blogId} and status = 'PUBLISHED') as dealt
    where posts.blog_id = ${blogId} and posts.id = dealt.id`.execute(db);
  await sql`insert into post_search (rowid, title, subtitle)
    select search_row, replace(fold_title, char(0), char(65533)), replace(fold_subtitle, char(0), char(65533))
    from posts where blog_id = ${blogId} and search_row is not null`.execute(db);
}
