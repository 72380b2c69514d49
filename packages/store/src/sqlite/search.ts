import { type Kysely, sql } from 'kysely';
import { TOP } from '../posts/post-lists.ts';
import { type Conditions, conditionsOf, type PostSearch, readResults, removeChanged } from '../search/post-texts.ts';
import type { Tables } from '../tables.ts';
import { nextTurn } from '../turns.ts';

/** The number of row ids that are reserved for each blog: below 2^53, there is room for half a million blogs. */
const ROWS_PER_BLOG = 2 ** 34;

/** An index that stores only row ids. */
const INDEX = `create virtual table post_search using fts5 (text, content = '', contentless_delete = 1, detail = none,
  tokenize = 'trigram case_sensitive 1')`;

/**
 * The texts are in `post_texts`; deleting a row also deletes its entry in the index.
 *
 * @param index the statement that creates `post_search`
 */
export const searchSchema = (index = INDEX): readonly string[] => [
  `create table post_texts (row integer primary key, blog_id text not null, post_id text not null,
    sort_key text not null, text text not null)`,
  'create unique index post_texts_by_post on post_texts (blog_id, post_id)',
  'create index post_texts_in_order on post_texts (blog_id, sort_key)',
  index,
  `create trigger post_texts_deleted after delete on post_texts begin
    delete from post_search where rowid = old.row;
  end`,
];

/** The maximum number of candidates from the index. More common terms are found quickly in the newest posts. */
const MOST_CANDIDATES = 1000;
/** The number of posts that are read in order without a pause. */
const STEP = 1000;
/** The maximum number of trigrams that are looked up; the texts of the candidates are checked for the others. */
const MOST_TRIGRAMS = 32;

interface Match {
  readonly post_id: string;
  /** The number of terms in the title. */
  readonly rank: number;
}

/** Search on SQLite: an index of trigrams finds candidates, whose texts are then checked. */
export function createSqliteSearch(db: Kysely<Tables>): PostSearch {
  return {
    async find(blogId, terms, { offset, limit }) {
      const conditions = conditionsOf('instr', terms);
      const isBest = ({ rank }: Match) => rank === terms.length;
      const matches =
        (await readCandidates(db, blogId, terms, conditions)) ??
        (await readInOrder(db, blogId, conditions, (found) => found.filter(isBest).length >= offset + limit));
      const page = matches.toSorted((a, b) => b.rank - a.rank).slice(offset, offset + limit);
      return readResults(db, blogId, page);
    },
    async write(transaction, blogId, posts) {
      const texts = await removeChanged(transaction, blogId, posts);
      if (texts.length === 0) return;
      const first = await firstFreeRow(transaction, blogId);
      const rows = texts.map((text, index) => ({ ...text, row: first + index }));
      await transaction.insertInto('post_texts').values(rows).execute();
      const entries = rows.map(({ row, text }) => sql`(${row}, ${indexedText(text)})`);
      await sql`insert into post_search (rowid, text) values ${sql.join(entries)}`.execute(transaction);
    },
  };
}

/** The matches in the order of posts; `undefined` when the index finds too many posts, or the search has no terms. */
async function readCandidates(
  db: Kysely<Tables>,
  blogId: string,
  terms: readonly string[],
  { contains, rank }: Conditions,
): Promise<Match[] | undefined> {
  if (terms.length === 0) return undefined;
  const { rows } = await sql<{ post_id: string; rank: number | null }>`
    select post_id, case when ${contains} then ${rank} end as rank
    from (select rowid from post_search where post_search match ${matchOf(terms)}
      and rowid between ${rowsOf(blogId)} and ${rowsOf(blogId)} + ${sql.lit(ROWS_PER_BLOG - 1)}
      limit ${sql.lit(MOST_CANDIDATES + 1)}) as candidate
    cross join post_texts on post_texts.row = candidate.rowid
    order by sort_key desc`.execute(db);
  if (rows.length > MOST_CANDIDATES) return undefined;
  return rows.filter((row): row is Match => row.rank !== null);
}

/** The matches in the order of posts, until there are enough. Other requests are served between two steps. */
async function readInOrder(
  db: Kysely<Tables>,
  blogId: string,
  { contains, rank }: Conditions,
  areEnough: (found: readonly Match[]) => boolean,
): Promise<Match[]> {
  const found: Match[] = [];
  for (let below = TOP; ; await nextTurn()) {
    const posts = db.selectFrom('post_texts').where('blog_id', '=', blogId).where('sort_key', '<', below);
    const inOrder = posts.orderBy('sort_key', 'desc');
    const last = await inOrder
      .select('sort_key')
      .limit(1)
      .offset(STEP - 1)
      .executeTakeFirst();
    const step = inOrder.select(['post_id', rank.as('rank')]).where('sort_key', '>=', last?.sort_key ?? '');
    found.push(...(await step.where(contains).execute()));
    if (!last || areEnough(found)) return found;
    below = last.sort_key;
  }
}

/** The first row id that is reserved for a blog. */
const rowsOf = (blogId: string) =>
  sql<number>`(select number * ${sql.lit(ROWS_PER_BLOG)} from blogs where blog_id = ${blogId})`;

async function firstFreeRow(db: Kysely<Tables>, blogId: string): Promise<number> {
  const { rows } = await sql<{ row: number }>`select coalesce(
    (select max(row) + 1 from post_texts
      where row between ${rowsOf(blogId)} and ${rowsOf(blogId)} + ${sql.lit(ROWS_PER_BLOG - 1)}),
    ${rowsOf(blogId)}) as row`.execute(db);
  if (!rows[0]) throw new Error(`There is no blog ${blogId} to write posts of.`);
  return rows[0].row;
}

/** FTS5 reads a text up to the first NUL. */
const withoutNul = (text: string): string => text.replaceAll('\0', '\ufffd');

/**
 * A text as it is indexed. It is repeated with a tab between any two characters, which makes every character and every
 * pair a trigram too, so that terms of one or two characters are found through the index.
 */
const indexedText = (text: string): string => withoutNul(`${text}\n${spread(text)}`);
const spread = (text: string): string => `\t${[...text].join('\t')}\t`;

/** An FTS5 query for texts with the trigrams of every term; in an FTS5 string, only the quote must be escaped. */
function matchOf(terms: readonly string[]): string {
  const trigrams = new Set(terms.flatMap((term) => trigramsOf([...withoutNul(term)])));
  return [...trigrams]
    .slice(0, MOST_TRIGRAMS)
    .map((trigram) => `"${trigram.replaceAll('"', '""')}"`)
    .join(' AND ');
}

function trigramsOf(term: readonly string[]): string[] {
  if (term.length === 1) return [spread(term.join(''))];
  if (term.length === 2) return [term.join('\t')];
  return term.slice(2).map((last, index) => `${term[index]}${term[index + 1]}${last}`);
}
