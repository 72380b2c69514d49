import sql, { bulk, raw, type Sql } from 'sql-template-tag';
import { TOP } from '../posts/post-lists.ts';
import { nextTurn } from '../runtime.ts';
import { type Conditions, conditionsOf, type PostSearch, readResults, removeChanged } from '../search/post-texts.ts';
import { type Db, insert, names } from '../sql.ts';

/** The number of row ids that each blog has: below 2^53, there is room for two million blogs. */
const ROWS_PER_BLOG = 2 ** 32;

/** An index that stores only row ids. */
const INDEX = `create virtual table post_search using fts5 (text, content = '', contentless_delete = 1, detail = none,
  tokenize = 'trigram case_sensitive 1')`;

/**
 * The texts are in `post_texts`. `post_rows` has the next row id of each blog. No row id is used twice: an import writes
 * entries before their texts, and another write that used the same row id would delete them.
 *
 * @param index the statement that creates `post_search`
 */
export const searchTables = (index = INDEX): readonly string[] => [
  `create table post_texts (row integer primary key, blog_id text not null, post_id text not null,
    sort_key text not null, text text not null)`,
  'create unique index post_texts_by_post on post_texts (blog_id, post_id)',
  'create index post_texts_in_order on post_texts (blog_id, sort_key)',
  index,
  'create table post_rows (number integer primary key autoincrement, blog_id text not null unique, next integer not null)',
];

/** Deleting a text also deletes its entry in the index, and deleting a blog all of its entries. */
export const SEARCH_TRIGGERS: readonly string[] = [
  `create trigger post_texts_deleted after delete on post_texts begin
    delete from post_search where rowid = old.row;
  end`,
  `create trigger blogs_deleted after delete on blogs begin
    delete from post_rows where blog_id = old.blog_id;
  end`,
  // Imports that were killed have left entries without texts.
  `create trigger post_rows_deleted after delete on post_rows begin
    delete from post_search where rowid >= old.number * ${ROWS_PER_BLOG} and rowid < (old.number + 1) * ${ROWS_PER_BLOG};
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
export function createSqliteSearch(db: Db): PostSearch {
  return {
    async find(blogId, terms, { offset, limit }) {
      const conditions = conditionsOf('instr', terms);
      let best = offset + limit;
      const areEnough = (step: readonly Match[]) => {
        best -= step.filter(({ rank }) => rank === terms.length).length;
        return best <= 0;
      };
      const matches =
        (await readCandidates(db, blogId, terms, conditions)) ?? (await readInOrder(db, blogId, conditions, areEnough));
      const page = matches.toSorted((a, b) => b.rank - a.rank).slice(offset, offset + limit);
      return readResults(db, blogId, page);
    },
    async write(transaction, blogId, posts) {
      const texts = await removeChanged(transaction, blogId, posts);
      if (texts.length === 0) return;
      const first = await reserveRows(transaction, 'post_rows', blogId, texts.length);
      const rows = texts.map((text, index) => ({ ...text, row: first + index }));
      await insert(transaction, 'post_texts', rows);
      const entries = bulk(rows.map(({ row, text }) => [row, indexedText(text)]));
      await transaction`insert into post_search (rowid, text) values ${entries}`;
    },
  };
}

/** The matches in the order of posts; `undefined` when the index finds too many entries, or the search has no terms. */
async function readCandidates(
  db: Db,
  blogId: string,
  terms: readonly string[],
  { contains, rank }: Conditions,
): Promise<Match[] | undefined> {
  if (terms.length === 0) return undefined;
  const rows = await db<{ post_id: string; rank: number | null }>`
    select post_id, case when ${contains} then ${rank} end as rank
    from (select rowid from post_search where post_search match ${matchOf(terms)}
      and ${isRowOf(blogId)}
      limit ${raw(String(MOST_CANDIDATES + 1))}) as candidate
    left join post_texts on post_texts.row = candidate.rowid
    order by sort_key desc`;
  if (rows.length > MOST_CANDIDATES) return undefined;
  return rows.filter((row): row is Match => row.rank !== null);
}

/** The matches in the order of posts, until a step brings enough. Other requests are served between two steps. */
async function readInOrder(
  db: Db,
  blogId: string,
  { contains, rank }: Conditions,
  areEnough: (step: readonly Match[]) => boolean,
): Promise<Match[]> {
  const found: Match[] = [];
  for (let below = TOP; ; await nextTurn()) {
    const texts = sql`post_texts where blog_id = ${blogId} and sort_key < ${below}`;
    const [last] = await db<{ sort_key: string }>`select sort_key from ${texts}
      order by sort_key desc limit 1 offset ${STEP - 1}`;
    const step = await db<Match>`select post_id, ${rank} as rank from ${texts}
      and sort_key >= ${last?.sort_key ?? ''} and ${contains} order by sort_key desc`;
    found.push(...step);
    if (areEnough(step) || !last) return found;
    below = last.sort_key;
  }
}

/** Whether a row id belongs to a blog; false for a blog without row ids. */
export const isRowOf = (blogId: string, table = 'post_rows'): Sql => {
  const number = sql`(select number from ${names(table)} where blog_id = ${blogId})`;
  const size = raw(String(ROWS_PER_BLOG));
  return sql`rowid >= ${number} * ${size} and rowid < (${number} + 1) * ${size}`;
};

/**
 * Takes row ids that no text of the blog has ever had, and returns the first of them.
 *
 * @param table `post_rows`, possibly with the name of its database
 */
export async function reserveRows(db: Db, table: string, blogId: string, count: number): Promise<number> {
  const first = sql`number * ${raw(String(ROWS_PER_BLOG))} + next - ${count} as first`;
  const rows = await db<{ first: number }>`update ${names(table)} set next = next + ${count}
    where blog_id = ${blogId} returning ${first}`;
  // This is not an upsert, because each upsert would use up a number.
  const added = async () =>
    db<{ first: number }>`insert into ${names(table)} (blog_id, next) values (${blogId}, ${count})
      returning ${first}`;
  return (rows[0] ?? (await added())[0])?.first as number;
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
