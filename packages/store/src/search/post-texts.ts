import type { SearchResultItem } from '@broadsheet/contract';
import { fold, type Range } from '@broadsheet/core';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../tables.ts';

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
  write(transaction: Kysely<Tables>, blogId: string, posts: readonly SearchedPost[]): Promise<void>;
}

/** The folded title and subtitle of a post. The first line feed ends the title. */
export const searchedText = (title: string, subtitle: string): string =>
  `${fold(title).replaceAll('\n', ' ')}\n${fold(subtitle)}`;

/** The conditions of a search on `post_texts.text`. */
export interface Conditions {
  /** The text contains every term. */
  readonly contains: RawBuilder<boolean>;
  /** The title contains every term. */
  readonly inTitle: RawBuilder<boolean>;
  /** The number of terms that are in the title. */
  readonly rank: RawBuilder<number>;
}

/** @param find the function of the database that returns the position of a string in another, from 1, or 0 */
export function conditionsOf(find: 'instr' | 'strpos', terms: readonly string[]): Conditions {
  const placeOf = (part: unknown) => sql`${sql.raw(find)}(post_texts.text, ${part})`;
  // The title comes first, so the first occurrence of a term is in the title if the title contains it.
  const inTitle = terms.map((term) => sql<boolean>`${placeOf(term)} < ${placeOf(sql.lit('\n'))}`);
  const ranks = inTitle.map((condition) => sql<number>`case when ${condition} then 1 else 0 end`);
  return {
    contains: allOf(terms.map((term) => sql<boolean>`${placeOf(term)} > 0`)),
    inTitle: allOf(inTitle),
    rank: ranks.length === 0 ? sql.lit(0) : nested(ranks, sql`+`),
  };
}

/** Combines conditions with `and`; `true` without conditions. */
export const allOf = (conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> =>
  conditions.length === 0 ? sql.lit(true) : nested(conditions, sql`and`);

/** Joins expressions as a balanced tree: SQLite limits their depth, and a hundred terms in a chain are too deep. */
function nested<T>(parts: readonly RawBuilder<T>[], operator: RawBuilder<unknown>): RawBuilder<T> {
  const [first] = parts;
  if (first && parts.length === 1) return first;
  const half = Math.ceil(parts.length / 2);
  return sql<T>`(${nested(parts.slice(0, half), operator)} ${operator} ${nested(parts.slice(half), operator)})`;
}

/** Deletes the texts of posts that have changed, and returns the texts to insert. */
export async function removeChanged(db: Kysely<Tables>, blogId: string, posts: readonly SearchedPost[]) {
  const ids = posts.map(({ post_id }) => post_id);
  const texts = db.selectFrom('post_texts').select(['post_id', 'sort_key', 'text']).where('blog_id', '=', blogId);
  const rows = await texts.where('post_id', 'in', ids).execute();
  const before = new Map(rows.map((row) => [row.post_id, row]));
  const changed = posts.filter(({ post_id, sort_key, text }) => {
    const row = before.get(post_id);
    return row?.text !== text || row?.sort_key !== sort_key;
  });
  const removed = changed.map(({ post_id }) => post_id).filter((id) => before.has(id));
  if (removed.length > 0) {
    await db.deleteFrom('post_texts').where('blog_id', '=', blogId).where('post_id', 'in', removed).execute();
  }
  return changed.flatMap(({ text, ...post }) => (text === undefined ? [] : [{ ...post, blog_id: blogId, text }]));
}

/** Reads the posts that a search found, in their order. */
export async function readResults(
  db: Kysely<Tables>,
  blogId: string,
  found: readonly { readonly post_id: string }[],
): Promise<SearchResultItem[]> {
  if (found.length === 0) return [];
  const ids = found.map(({ post_id }) => post_id);
  const rows = await db
    .selectFrom('posts')
    .select(['id', 'title', 'subtitle', 'slug', 'cover_url as coverUrl', 'published_at as publishedAt'])
    .where('blog_id', '=', blogId)
    .where('id', 'in', ids)
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id)).filter((item) => item !== undefined);
}
