import type { SearchResultItem } from '@broadsheet/contract';
import type { Range } from '@broadsheet/core';
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

/** What search reads of a post. */
export interface SearchText {
  readonly published: boolean;
  readonly sort_key: string;
  readonly fold_title: string;
  readonly fold_subtitle: string;
}

/** What search needs of a post that is written. */
export interface SearchEntry extends SearchText {
  readonly id: string;
  /** What it was, if it is not new, with its row of the index if it had one. */
  readonly before: (SearchText & { readonly search_row: number | null }) | undefined;
}

/** Keeps search up to date during one write, in its transaction. */
export interface SearchWrite {
  /** Columns of its own that are written with the posts, one object for each. */
  columns(entries: readonly SearchEntry[]): Promise<readonly { readonly words?: number[] | null }[]>;
  /** After those posts were written; ascending by `sort_key`. */
  index(entries: readonly SearchEntry[]): Promise<void>;
  /** Once the write has all its posts. */
  finish(): Promise<void>;
}

/** Search over folded titles and subtitles, as each database can do it. */
export interface PostSearch {
  /** See `Store.searchPosts`. */
  find(blogId: string, terms: readonly string[], range: Range): Promise<SearchResultItem[]>;
  /** Removes all that search has of a blog beside its rows of `words` and `posts`, in a transaction. */
  forget(transaction: Kysely<Tables>, blogId: string): Promise<void>;
  /** Opens a write, in the transaction that holds the row of the blog. */
  write(transaction: Kysely<Tables>, blogId: string): Promise<SearchWrite>;
}
