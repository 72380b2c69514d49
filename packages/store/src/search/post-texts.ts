import type { SearchResultItem } from '@broadsheet/contract';
import { fold, type Range } from '@broadsheet/core';
import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { Db } from '../sql.ts';

/** A post as search indexes it. */
export interface SearchedPost {
  readonly post_id: string;
  readonly sort_key: string;
  /** See `searchedText`; `undefined` for a post that is not published. */
  readonly text: string | undefined;
}

/** Search over folded titles and subtitles with the index of a database. */
export interface PostSearch {
  /** See `Store.searchPosts`. */
  find(blogId: string, terms: readonly string[], range: Range): Promise<SearchResultItem[]>;
  /** Indexes posts that were written or deleted, in their transaction. */
  write(transaction: Db, blogId: string, posts: readonly SearchedPost[]): Promise<void>;
}

/** The folded title and subtitle of a post. The first line feed ends the title. */
export const searchedText = (title: string, subtitle: string): string =>
  `${fold(title).replaceAll('\n', ' ')}\n${fold(subtitle)}`;

/** The conditions of a search on `post_texts.text`. */
export interface Conditions {
  /** The text contains every term. */
  readonly contains: Sql;
  /** The title contains every term. */
  readonly inTitle: Sql;
  /** The number of terms that are in the title. */
  readonly rank: Sql;
}

/** @param find the function of the database that returns the position of a string in another, from 1, or 0 */
export function conditionsOf(find: 'instr' | 'strpos', terms: readonly string[]): Conditions {
  const placeOf = (part: unknown) => sql`${raw(find)}(post_texts.text, ${part})`;
  // The title comes first, so the first occurrence of a term is in the title if the title contains it.
  const inTitle = terms.map((term) => sql`${placeOf(term)} < ${placeOf(sql`'\n'`)}`);
  const ranks = inTitle.map((condition) => sql`case when ${condition} then 1 else 0 end`);
  return {
    contains: allOf(terms.map((term) => sql`${placeOf(term)} > 0`)),
    inTitle: allOf(inTitle),
    rank: ranks.length === 0 ? sql`0` : nested(ranks, sql`+`),
  };
}

/** Combines conditions with `and`; `true` without conditions. */
export const allOf = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0 ? sql`true` : nested(conditions, sql`and`);

/** Joins expressions as a balanced tree: SQLite limits their depth, and a hundred terms in a chain are too deep. */
function nested(parts: readonly Sql[], operator: Sql): Sql {
  const [first] = parts;
  if (first && parts.length === 1) return first;
  const half = Math.ceil(parts.length / 2);
  return sql`(${nested(parts.slice(0, half), operator)} ${operator} ${nested(parts.slice(half), operator)})`;
}

/** Deletes the texts of posts that have changed, and returns the texts to insert. */
export async function removeChanged(db: Db, blogId: string, posts: readonly SearchedPost[]) {
  const ids = posts.map(({ post_id }) => post_id);
  const rows = await db<Omit<SearchedPost, 'text'> & { text: string }>`select post_id, sort_key, text from post_texts
    where blog_id = ${blogId} and post_id in (${join(ids)})`;
  const before = new Map(rows.map((row) => [row.post_id, row]));
  const changed = posts.filter(({ post_id, sort_key, text }) => {
    const row = before.get(post_id);
    return row?.text !== text || row?.sort_key !== sort_key;
  });
  const removed = changed.map(({ post_id }) => post_id).filter((id) => before.has(id));
  if (removed.length > 0) {
    await db`delete from post_texts where blog_id = ${blogId} and post_id in (${join(removed)})`;
  }
  return changed.flatMap(({ text, ...post }) => (text === undefined ? [] : [{ ...post, blog_id: blogId, text }]));
}

/** Reads the posts that a search found, in their order. */
export async function readResults(
  db: Db,
  blogId: string,
  found: readonly { readonly post_id: string }[],
): Promise<SearchResultItem[]> {
  if (found.length === 0) return [];
  const ids = found.map(({ post_id }) => post_id);
  const rows = await db<SearchResultItem>`
    select id, title, subtitle, slug, cover_url as "coverUrl", published_at as "publishedAt" from posts
    where blog_id = ${blogId} and id in (${join(ids)})`;
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id)).filter((item) => item !== undefined);
}
